"""
Read XML: records are the elements that repeat, streamed one at a time.

No document type is read: entities are refused, and nothing outside the file is loaded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tabular.model.places import ReadingChoices
from tabular.model.problem import Limits, UnreadableFile
from tabular.model.table import Evidence, Progress, Reading, Table
from tabular.reading.grid_body import PREVIEW_ROWS
from tabular.reading.layout.naming import unique
from tabular.reading.structured.flat_records import RecordBody, Records, Scan, flatten
from tabular.reading.structured.record_lists import ListPath, list_paths, rows_of
from tabular.reading.structured.xml_shape import (
    SLASH,
    Shape,
    ancestors,
    attribute_part,
    attributes_of,
    events_of,
    free_name,
    let_go,
    part_of,
    shape_of,
    shown_path,
    text_within,
)

if TYPE_CHECKING:
    from lxml import etree

Members: TypeAlias = dict[str, Any]


def read_xml(path: Path, *, choices: ReadingChoices, limits: Limits, progress: Progress) -> Reading:
    """
    Read the records of an XML document; each kind of record is a table, the outermost first.

    Raises UnreadableFile (damaged_file, unsafe_file, unsupported_format, no_table_found) and
    LimitExceeded.
    """
    progress("reading", 0, None)
    shape = shape_of(path)
    bodies = _bodies(path, shape, choices, limits)
    if not bodies:
        raise UnreadableFile("no_table_found", "The XML document holds no records.")
    return Reading("xml", tuple(body.table for body in bodies), tuple(bodies))


def _bodies(path: Path, shape: Shape, choices: ReadingChoices, limits: Limits) -> list[RecordBody]:
    """
    Return the records of each kind, all of them looked at in one pass.

    A kind with lists of elements in it is a table for each list, if ``choices`` say so; the
    elements in these lists have no table of their own then.
    """
    kinds = shape.records()
    lists = _lists_of(path, kinds, shape) if choices.lists_as_rows else {}
    plain = [kind for kind in kinds if not lists.keys() & {kind, _around(kind, kinds)}]
    scans = {kind: Scan(limits, PREVIEW_ROWS) for kind in plain}
    for kind, value, own in _every_record(path, plain, shape, kinds) if plain else ():
        scans[kind].take(_flat(value, own))
    bodies: list[RecordBody] = []
    for kind in kinds:
        if kind in lists:
            bodies += _bodies_of_lists(path, kind, kinds, shape, lists[kind], limits)
        elif kind in plain:
            bodies.append(_body(path, kind, kinds, shape, scans[kind]))
    return bodies


def _around(kind: str, kinds: Collection[str]) -> str:
    """Return the kind of the record around those of a kind; empty if there is none."""
    return next((path for path in ancestors(kind) if path in kinds), "")


def _lists_of(path: Path, kinds: list[str], shape: Shape) -> dict[str, tuple[ListPath, ...]]:
    """Return where the outermost records hold lists of elements with values."""
    outer = [kind for kind in kinds if not _around(kind, kinds)]
    lists_by_kind: dict[str, tuple[ListPath, ...]] = {}
    for kind in outer:
        values = (value for _, value, _ in _every_record(path, [kind], shape, kinds))
        if lists := list_paths(value for value in values if isinstance(value, dict)):
            lists_by_kind[kind] = lists
    return lists_by_kind


def _bodies_of_lists(
    path: Path,
    kind: str,
    kinds: list[str],
    shape: Shape,
    lists: tuple[ListPath, ...],
    limits: Limits,
) -> Iterator[RecordBody]:
    """Yield a table for each list in the records of a kind; its rows are numbered one by one."""

    def rows(wanted: ListPath) -> Iterator[dict[str, str]]:
        for _, value, own in _every_record(path, [kind], shape, kinds):
            if isinstance(value, dict):
                yield from rows_of(value, wanted, lists, partial(_flat, name=own))
            else:
                yield _flat(value, own)

    for wanted in lists:

        def records(wanted: ListPath = wanted) -> Iterator[tuple[int, dict[str, str]]]:
            return enumerate(rows(wanted))

        scan = Scan.of(records, limits, PREVIEW_ROWS)
        yield _body_of(records, kind, shape, scan, inner=wanted if len(lists) > 1 else ())


def _body(path: Path, kind: str, kinds: list[str], shape: Shape, scan: Scan) -> RecordBody:
    def records() -> Iterator[tuple[int, dict[str, str]]]:
        for row, (_, value, own) in enumerate(_every_record(path, [kind], shape, kinds)):
            yield row, _flat(value, own)

    scan.check()
    return _body_of(records, kind, shape, scan)


def _body_of(
    records: Records, kind: str, shape: Shape, scan: Scan, inner: ListPath = ()
) -> RecordBody:
    keys, name = tuple(scan.keys), shown_path(kind, "")
    sheet = ".".join(filter(None, (name.rpartition(".")[2], *inner)))
    table = Table(
        columns=unique([key.strip() for key in keys]),
        sheet=sheet or None,
        evidence=(Evidence("table", f"each element {name!r} is a record", 0.99),),
        document=shape.around(kind),
    )
    return RecordBody(records, keys, scan.described(table), (), scan.limits)


def _every_record(
    path: Path, wanted: Collection[str], shape: Shape, kinds: Collection[str]
) -> Iterator[tuple[str, str | Members, str]]:
    """
    Yield the records of some kinds, each with its kind and the name of its own text, as they end.

    A record of any kind is forgotten once it is over, unless it is in one that is still wanted.
    """
    tags = [_tag(kind) for kind in kinds]
    kept = {kind for kind in kinds if any(around in wanted for around in ancestors(kind))}
    for _, element in events_of(path, events=("end",), tag=tags):
        kind = _path_of(element)
        if kind in wanted:
            names = shape.names.get(kind, {}).values()
            own = free_name(names, shown_path(part_of(element.tag), ""))
            yield kind, _value_of(element, kind, shape), own
        if kind in kinds and kind not in kept:
            let_go(element)


def _tag(path: str) -> str:
    return path.rpartition("/")[2].replace(SLASH, "/")


def _path_of(element: etree._Element) -> str:
    names = [part_of(element.tag), *(part_of(outer.tag) for outer in element.iterancestors())]
    return "/" + "/".join(reversed(names))


def _flat(value: str | Members, name: str) -> dict[str, str]:
    """
    Return the cells of a record. name: of the column of the text that it holds itself.

    >>> _flat({"no": "1", "price": {"currency": "EUR", "": "2.50"}}, "order")
    {'no': '1', 'price.currency': 'EUR', 'price': '2.50'}
    """
    if isinstance(value, str):
        return {name: value}
    return {key.removesuffix(".") or name: text for key, text in flatten(value).items()}


def _value_of(element: etree._Element, path: str, shape: Shape) -> str | Members:
    """Return an element as JSON would have it: members by name, and those that repeat as lists."""
    text, attributes = text_within(element), attributes_of(element)
    if not attributes and path not in shape.inner:
        return text
    members: Members = {}
    names = shape.names.get(path, {})
    for name, value in attributes:
        members[names[attribute_part(name)]] = value
    for inner in element:
        part = part_of(inner.tag)
        inner_path = f"{path}/{part}"
        content = _value_of(inner, inner_path, shape)
        if inner_path in shape.many:
            members.setdefault(names[part], []).append(_listed(content))
        else:
            members[names[part]] = content
    if text:
        members[""] = text
    return members


def _listed(value: str | Members) -> str | Members:
    """Return an item of a list; the text next to its attributes gets a name."""
    if isinstance(value, dict) and "" in value:
        value[free_name(value, "value")] = value.pop("")
    return value
