"""JSON responses that fit into a megabyte: a list ends early and says where to continue."""

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import orjson
from rest_framework.utils.encoders import JSONEncoder

MOST_BYTES = 1_000_000  # of one JSON response
SPARE_BYTES = 50_000  # for what surrounds a list
PAGE_BYTES = MOST_BYTES - SPARE_BYTES
SEPARATORS = (b"\xe2\x80\xa8", b"\xe2\x80\xa9")  # three bytes each, which responses write as \u2028

LENGTHS = (10_000, 2_000, 400, 80)  # of texts, where one item does not fit

Item = TypeVar("Item")


def size_of(value: Any) -> int:
    """
    Return a value's size in bytes in a response.

    >>> size_of({"a": ["b", None]})
    16
    """
    try:
        written = orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS)
    except TypeError:  # a number of more than 64 bits
        written = json.dumps(
            value, cls=JSONEncoder, ensure_ascii=False, separators=(",", ":")
        ).encode(errors="replace")
    return len(written) + 3 * sum(map(written.count, SEPARATORS))


def fitting(
    items: Iterable[Item], most: int = PAGE_BYTES, *, cut: Callable[[Item], Item] | None = None
) -> list[Item]:
    """
    Return the first items that fit into one response together; at least one.

    cut: shortens an item that is too large alone.

    >>> fitting(["abc", "def", "ghi"], most=12)
    ['abc', 'def']
    """
    items_taken: list[Item] = []
    for item in items:
        size = size_of(item)
        if cut is not None and size > PAGE_BYTES:
            item = cut(item)
            size = size_of(item)
        most -= size + 1
        if most < 0 and items_taken:
            break
        items_taken.append(item)
    return items_taken


def cut_to_fit(value: Any) -> Any:
    """Return a value as it is, or with its long texts and lists cut until it fits."""
    for longest in LENGTHS:
        if size_of(value) <= PAGE_BYTES:
            break
        value = shortened(value, longest)
    return value


def shortened(value: Any, longest: int) -> Any:
    """
    Return a value with every text cut after so many characters, and every list after as many items.

    >>> shortened({"a": ["bcd", "e"]}, 2)
    {'a': ['bc…', 'e']}
    """
    match value:
        case str() if len(value) > longest:
            return f"{value[:longest]}…"
        case dict():
            return {name: shortened(item, longest) for name, item in value.items()}
        case list() | tuple():
            return [shortened(item, longest) for item in value[:longest]]
    return value
