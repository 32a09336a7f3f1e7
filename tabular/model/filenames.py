"""Names of files, as strangers send them."""

import unicodedata

MOST = 255  # characters that are kept, the last ones: they hold the ending
UNSHOWN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # controls, those of direction among them


def plain_name(name: str) -> str:
    """
    Give a file's name without its path and without what is not shown; empty when nothing is left.

    Both slashes part a path, and a character that turns the direction of text is removed:
    `invoice[U+202E]fdp.exe` would be shown as another kind of file than it is.

    >>> plain_name("../../etc/orders.csv"), plain_name("C:" + chr(92) + "in" + chr(92) + "a.xlsx")
    ('orders.csv', 'a.xlsx')
    >>> plain_name("a" + chr(0x202E) + "vsc.csv")
    'avsc.csv'
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    shown = "".join(sign for sign in last if unicodedata.category(sign) not in UNSHOWN).strip()
    return "" if shown.strip(".") == "" else shown[-MOST:]
