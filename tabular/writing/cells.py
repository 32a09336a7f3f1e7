"""What a cell of an export may hold. A spreadsheet must show a text, and never run it."""

import re

MAX_CHARACTERS = 32_767  # of one cell, in every spreadsheet program
RUNS = ("=", "+", "-", "@", "\t", "\r")
NUMBER = re.compile(r"[-+]?[0-9][0-9., '\u00a0\u202f]*%?")
UNWRITABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def neutralised(text: str) -> str:
    """
    Put an apostrophe before what a spreadsheet could take for a formula; numbers stay as they are.

    >>> neutralised("=1+1"), neutralised("@SUM(A1)"), neutralised("-12,50"), neutralised("a=b")
    ("'=1+1", "'@SUM(A1)", '-12,50', 'a=b')
    """
    if text.startswith(RUNS) and not NUMBER.fullmatch(text):
        return "'" + text
    return text


def restored(text: str) -> str:
    """
    Take the apostrophe of ``neutralised`` away again.

    >>> restored("'=1+1"), restored("'Sold' tag"), restored("it's")
    ('=1+1', "'Sold' tag", "it's")
    """
    return text[1:] if text.startswith("'") and text[1:].startswith(RUNS) else text


def written(text: str | None) -> str:
    """Give a text as a cell holds it: harmless, without what XML refuses, not too long."""
    clean = UNWRITABLE.sub("\ufffd", text or "")
    return neutralised(clean)[:MAX_CHARACTERS]
