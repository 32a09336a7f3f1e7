"""JSON that can be kept: no NUL, no half of a surrogate pair, and nested no deeper than is read."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from common.errors import InvalidRequest, TooLarge
from common.pointers import escaped
from tabular.model.i_json import Bounds, NotIJson, TooDeep, refuse_beyond

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
NAMED = 100  # places that a problem lists
DEEPEST = 100  # arrays and objects in each other; Python's own JSON ends below a thousand
MOST_PARTS = 250_000  # values and member names, more than a megabyte of rows needs
SENTENCE = "Text may not contain NUL or unpaired surrogates."


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


def refuse_too_many(text: bytes) -> None:
    """Refuse JSON with too many values or levels, before it is parsed: InvalidRequest, TooLarge."""
    try:
        refuse_beyond(text, Bounds(max_depth=DEEPEST, max_parts=MOST_PARTS))
    except TooDeep as error:
        raise too_deep() from error
    except NotIJson as error:
        raise TooLarge(f"JSON may hold at most {MOST_PARTS:,} values and names.") from error


def storable(value: Any) -> Any:
    """Give JSON back that can be kept; InvalidRequest for any other."""
    if is_deeper(value, DEEPEST):
        raise too_deep()
    wrong = list(islice(unstorable_in(value), NAMED))
    if wrong:
        raise InvalidRequest(errors=[{"pointer": at, "detail": SENTENCE} for at in wrong])
    return value


def is_deeper(value: Any, levels: int) -> bool:
    """
    Whether arrays and objects stand in each other more than ``levels`` times.

    >>> is_deeper([[1]], 2), is_deeper([[1]], 1)
    (False, True)
    """
    layer = [value]
    for _ in range(levels + 1):
        containers = [one for one in layer if isinstance(one, dict | list)]
        if not containers:
            return False
        layer = [
            member
            for one in containers
            for member in (one.values() if isinstance(one, dict) else one)
        ]
    return True


def too_deep() -> InvalidRequest:
    """Make the refusal of JSON that is nested too deep."""
    return InvalidRequest(f"JSON may be nested {DEEPEST} deep, not more.")
