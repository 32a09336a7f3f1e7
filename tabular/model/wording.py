"""Numbers in sentences for people."""

UNITS = (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))


def counted(count: int, one: str, many: str = "") -> str:
    """
    Say how many, in the right number. many: what several are called, when more than an s is added.

    >>> counted(1, "row"), counted(2000, "row"), counted(0, "row has", "rows have")
    ('1 row', '2,000 rows', '0 rows have')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def sized(size: int) -> str:
    """
    Say how many bytes, exactly, in the largest unit that counts them whole.

    >>> sized(4 * 2**30), sized(1500), sized(1)
    ('4 GiB', '1,500 bytes', '1 byte')
    """
    for unit, of in UNITS:
        if size >= of and size % of == 0:
            return f"{size // of:,} {unit}"
    return counted(size, "byte")
