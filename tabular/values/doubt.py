"""Whether the writer of a value doubted it: a question mark, an asterisk, brackets, "approx."."""

import re
from functools import cache

import pyarrow as pa
import pyarrow.compute as pc

from tabular.values.locales import words_of


def is_doubted(text: str) -> bool:
    """
    Return whether a text is a value with a mark of doubt around it.

    >>> [is_doubted(text) for text in ("open?", "ca. 5 May", "[DE]", "(030) 1234", "Caesar")]
    [True, True, True, False, False]
    """
    return _one().search(text) is not None


def doubted(texts: pa.Array) -> pa.Array:
    """Return which texts have a mark of doubt. texts: n tidy strings. Returns n bool."""
    return pc.match_substring_regex(texts, _pattern())


@cache
def _one() -> re.Pattern[str]:
    return re.compile(_pattern())


@cache
def _pattern() -> str:
    short, whole = (
        "|".join(map(re.escape, words_of("doubt")[kind])) for kind in ("short", "whole")
    )
    return (
        r"(?i)^[?*~≈]|[?*]$|[(\[]\?+[)\]]"  # ~5 May, open?, open*, open (?) today
        r"|^\([^()]*\)$|^\[[^\[\]]*\]$"  # (open), [open]
        rf"|^(?:(?:{short})(?:\.\s*[^\s.]|\s+\d)|(?:{whole})\s+\S)"
    )
