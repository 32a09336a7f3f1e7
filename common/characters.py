"""Text that no database keeps: NUL, and halves of surrogate pairs, which are no characters."""

import re
from collections.abc import Iterator
from typing import Any

from common.pointers import escaped

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
SENTENCE = "Text may not hold NUL or half a surrogate pair, which are not characters."


def is_storable(text: str) -> bool:
    """
    Whether a text can be kept.

    >>> is_storable("Zoë"), is_storable("a" + chr(0))
    (True, False)
    """
    return UNSTORABLE.search(text) is None


def unstorable_in(value: Any, pointer: str = "") -> Iterator[str]:
    """
    Give the JSON pointers of the texts, names of members included, that cannot be kept.

    >>> list(unstorable_in({"a": ["x", chr(0)]}))
    ['/a/1']
    """
    if isinstance(value, str):
        if not is_storable(value):
            yield pointer
    elif isinstance(value, dict):
        for name, member in value.items():
            if is_storable(name):
                yield from unstorable_in(member, f"{pointer}/{escaped(name)}")
            else:
                yield pointer
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from unstorable_in(member, f"{pointer}/{number}")
