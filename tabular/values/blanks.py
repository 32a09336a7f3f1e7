"""Texts without a value: blanks, placeholders, and the errors of spreadsheet programs."""

import re
from functools import cache

from tabular.values.locales import words_of

BLANKS = (
    " \t\r\n\v\f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_SIGN = re.compile(r"^[\-–—−_*.?:/…]{1,5}$")


def is_blank(text: str | None) -> bool:
    """
    Return whether a text has nothing visible.

    >>> is_blank(" \\u00a0"), is_blank(None), is_blank("-")
    (True, True, False)
    """
    return not text or not text.strip(BLANKS)


def is_placeholder(text: str) -> bool:
    """
    Return whether a text only says that there is no value.

    >>> [is_placeholder(text) for text in ("n/a", "-", "k. A.", "#N/A", "NULL", "no", "0", "")]
    [True, True, True, True, True, False, False, False]
    """
    text = text.strip(BLANKS)
    return _SIGN.match(text) is not None or text.casefold() in _placeholders()


def is_error(text: str) -> bool:
    """
    Return whether a text is what a spreadsheet program shows for a failed computation.

    >>> is_error("#DIV/0!"), is_error("#12")
    (True, False)
    """
    return text[:1] == "#" and text.strip(BLANKS).casefold() in _errors()


@cache
def _placeholders() -> frozenset[str]:
    return frozenset(words_of("placeholders")["words"])


@cache
def _errors() -> frozenset[str]:
    return frozenset(words_of("placeholders")["errors"])
