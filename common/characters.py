"""Accept only JSON that can be stored: no NUL, no unpaired surrogate, and limited nesting."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from common.errors import InvalidRequest, TooLarge
from common.http.pointers import escaped
from common.wording.messages import Message
from tabular.model.i_json import Bounds, NotIJson, TooDeep, refuse_beyond

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
NAMED = 100  # places that one problem lists
DEEPEST = 100  # nested arrays and objects; Python's own JSON fails below a thousand
MOST_PARTS = 250_000  # values and member names, more than a megabyte of rows needs
SENTENCE = "Text may not contain NUL or unpaired surrogates."


def is_storable(text: str) -> bool:
    """
    Return whether a text can be stored.

    >>> is_storable("Zoë"), is_storable("a" + chr(0))
    (True, False)
    """
    return UNSTORABLE.search(text) is None


def is_storable_json(text: str) -> bool:
    """
    Return whether all texts in a JSON document can be stored.

    text: as ``json.dumps`` writes it without ``ensure_ascii``. Only True is certain: a text may
    contain the characters of an escaped NUL.

    >>> is_storable_json('["Zoë"]'), is_storable_json(r'["\\u0000"]')
    (True, False)
    """
    return "\\u0000" not in text and is_storable(text)


def unstorable_in(value: Any, pointer: str = "") -> Iterator[str]:
    """
    Yield the JSON pointers of texts, member names included, that cannot be stored.

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
    """Check JSON before parsing. Raise InvalidRequest or TooLarge for too many values or levels."""
    try:
        refuse_beyond(text, Bounds(max_depth=DEEPEST, max_parts=MOST_PARTS))
    except TooDeep as error:
        raise too_deep() from error
    except NotIJson as error:
        raise TooLarge("too_large.json_parts", parts=MOST_PARTS) from error


def storable(value: Any) -> Any:
    """Return the JSON value if it can be stored, else raise InvalidRequest."""
    if is_deeper(value, DEEPEST):
        raise too_deep()
    wrong = list(islice(unstorable_in(value), NAMED))
    if wrong:
        raise InvalidRequest(
            errors=[
                {"pointer": at, "detail": Message("invalid_request.unstorable")} for at in wrong
            ]
        )
    return value


def is_deeper(value: Any, levels: int) -> bool:
    """
    Return whether arrays and objects are nested more than ``levels`` deep.

    >>> is_deeper([[1]], 2), is_deeper([[1]], 1)
    (False, True)
    """
    layer = [value]
    for _ in range(levels + 1):
        containers = [item for item in layer if isinstance(item, dict | list)]
        if not containers:
            return False
        layer = [
            member
            for container in containers
            for member in (container.values() if isinstance(container, dict) else container)
        ]
    return True


def too_deep() -> InvalidRequest:
    """Return the error for JSON that is nested too deep."""
    return InvalidRequest("invalid_request.deep", levels=DEEPEST)
