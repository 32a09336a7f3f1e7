"""
Lists of objects inside records: each item becomes a row that repeats the cells of its record.

A record without an item stays a row of its own. Only files for a catalog whose entries have
children are read so; for others, lists are cells of JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, TypeAlias

from tabular.reading.structured.flat_records import flatten, text_of

ListPath: TypeAlias = tuple[str, ...]  # the names of members, from the record
Record: TypeAlias = dict[str, Any]
MOST_LISTS = 20  # with more, names are values: {"2024-01": [...], "2024-02": [...]}


def list_paths(records: Iterable[Record]) -> tuple[ListPath, ...]:
    """
    Return where records hold lists of objects; none if in too many places.

    >>> list_paths([{"no": "A", "lines": [{"sku": "x"}], "tags": ["new"]}, {"by": {"jobs": [{}]}}])
    (('lines',), ('by', 'jobs'))
    """
    paths: dict[ListPath, None] = {}
    for record in records:
        paths |= dict.fromkeys(_lists_in(record))
        if len(paths) > MOST_LISTS:
            return ()
    return tuple(paths)


def _lists_in(record: Record) -> Iterator[ListPath]:
    for name, value in record.items():
        if isinstance(value, dict):
            yield from ((name, *inner) for inner in _lists_in(value))
        elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
            yield (name,)


def rows_of(
    record: Record,
    path: ListPath,
    lists: Collection[ListPath],
    flat: Callable[[Record], dict[str, str]] = flatten,
) -> Iterator[dict[str, str]]:
    """
    Yield a row for each item of one list in a record; the other ``lists`` are left out.

    flat: makes cells of the record without its lists.

    >>> lists = [("lines",)]
    >>> list(rows_of({"no": "A", "lines": [{"sku": "x"}, {"sku": "y"}]}, ("lines",), lists))
    [{'no': 'A', 'lines.sku': 'x'}, {'no': 'A', 'lines.sku': 'y'}]
    >>> list(rows_of({"no": "B", "lines": []}, ("lines",), lists))
    [{'no': 'B'}]
    """
    own: Any = record
    for name in path:
        own = own.get(name) if isinstance(own, dict) else None
    for each in lists:
        record = _without_list(record, each)
    cells = flat(record)
    if not isinstance(own, list) or not own:
        yield cells
        return
    before = ".".join(path)
    for item in own:
        inner = flatten(item) if isinstance(item, dict) else {"value": text_of(item)}
        row = dict(cells)
        for name, text in inner.items():
            column = f"{before}.{name}"
            while column in row:
                column += " (2)"
            row[column] = text
        yield row


def _without_list(record: Record, path: ListPath) -> Record:
    name, *rest = path
    value = record.get(name)
    if rest and isinstance(value, dict):
        return record | {name: _without_list(value, tuple(rest))}
    if not rest and isinstance(value, list):
        return {key: inner for key, inner in record.items() if key != name}
    return record
