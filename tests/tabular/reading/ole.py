"""A very small writer of OLE files ([MS-CFB]): header, one table of sectors, one directory."""

import struct

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
FREE, END, TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
SECTOR = 512
ROOT, STREAM = 5, 2


def header(*, shift=9, mini_shift=6, directory=1, mini_table=END, difat=END, difats=0):
    """Return a header whose only sector of the table is the first."""
    start = MAGIC + bytes(16) + struct.pack("<5H6x", 0x3E, 3, 0xFFFE, shift, mini_shift)
    start += struct.pack("<9I", 0, 1, directory, 0, 4096, mini_table, 0, difat, difats)
    return start + struct.pack("<109I", 0, *[FREE] * 108)


def entry(name, kind, *, start=END, size=0):
    """Return an entry of the directory."""
    words = name.encode("utf-16-le") + b"\0\0"
    head = words.ljust(64, b"\0") + struct.pack("<HBB3I", len(words), kind, 1, FREE, FREE, 1)
    return head + bytes(36) + struct.pack("<IQ", start, size)


def directory(*entries):
    """Return the sector of the directory."""
    return b"".join(entries).ljust(SECTOR, b"\0")


def table(*following):
    """Return the sector that links the sectors."""
    return struct.pack(f"<{len(following)}I", *following).ljust(SECTOR, b"\xff")


def ring_in_the_directory():
    """Return an old workbook of 1,536 bytes whose directory is followed by itself."""
    entries = directory(entry("Root Entry", ROOT), entry("Workbook", STREAM, start=2, size=5000))
    return header() + table(TABLE, 1) + entries


def ring_in_the_workbook():
    """Return one whose stream of records never ends."""
    entries = directory(entry("Root Entry", ROOT), entry("Workbook", STREAM, start=2, size=5000))
    return header() + table(TABLE, END, 2) + entries + bytes(SECTOR)


def ring_among_the_tables():
    """Return one whose list of tables is followed by itself."""
    entries = directory(entry("Root Entry", ROOT), entry("Workbook", STREAM, start=2, size=5000))
    more = struct.pack("<128I", *[FREE] * 127, 2)
    return header(difat=2, difats=4_000_000_000) + table(TABLE, END, TABLE) + entries + more


def with_sectors_of(shift, mini_shift=6):
    """Return one that declares sectors of two to the power of ``shift`` bytes."""
    entries = directory(entry("Root Entry", ROOT), entry("Workbook", STREAM, start=2, size=5000))
    return header(shift=shift, mini_shift=mini_shift) + table(TABLE, END, END) + entries
