"""Read JSON: an array of records, the arrays inside an object, or one record per line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from tabular.model.issue import Issue
from tabular.model.places import ReadingChoices
from tabular.model.problem import Limits, UnreadableFile
from tabular.model.sentences import Sentence
from tabular.model.table import Evidence, Progress, Reading, Table
from tabular.reading.grid_body import PREVIEW_ROWS, GridBody, preview_of
from tabular.reading.layout import Hints, lay_out, with_rows
from tabular.reading.layout.naming import unique
from tabular.reading.limiting import check_shape
from tabular.reading.structured.flat_records import (
    RecordBody,
    Records,
    Scan,
    beyond,
    flatten,
    parse,
    text_of,
)
from tabular.reading.structured.record_lists import ListPath, Record, list_paths, rows_of
from tabular.reading.structured.streamed_array import (
    BrokenArray,
    RepeatedName,
    StreamedArray,
    items,
    outline,
)
from tabular.reading.text.encoding import Encoding, detect
from tabular.reading.text.lines import open_lines

Array = list[Any] | StreamedArray
_STREAMED_FROM = 4 << 20  # bytes; a smaller document is read whole, which is faster
_DEPTH = 6  # how deep inside an object arrays are searched for


def read_structured(
    path: Path, *, choices: ReadingChoices, limits: Limits, progress: Progress
) -> Reading:
    """
    Read a JSON or NDJSON file.

    Raises UnreadableFile (damaged_file, no_table_found) and LimitExceeded.
    """
    reading = _read(path, choices, limits, progress)
    filled = [
        (table, body)
        for table, body in zip(reading.tables, reading.bodies, strict=True)
        if table.columns  # records without members make none
    ]
    if not filled:
        raise UnreadableFile("no_table_found", "The JSON holds no array of records.")
    tables, bodies = zip(*filled, strict=True)
    return replace(reading, tables=tables, bodies=bodies)


def _read(path: Path, choices: ReadingChoices, limits: Limits, progress: Progress) -> Reading:
    progress("encoding", 0, None)
    encoding = detect(path, chosen=choices.encoding)
    if _is_one_record_a_line(path, encoding):
        return _read_lines(path, encoding, choices, limits)
    try:
        if path.stat().st_size >= _STREAMED_FROM and _is_array_of_records(path, encoding):
            return _read_array(path, encoding, choices, limits)
        document = _document(path, encoding, choices)
    except (json.JSONDecodeError, BrokenArray, RecursionError) as error:
        raise UnreadableFile(
            "damaged_file",
            Sentence("The file looks like JSON but is not valid: {error}.", error=error),
        ) from error
    return _read_document(document, encoding, choices, limits)


def _document(path: Path, encoding: Encoding, choices: ReadingChoices) -> Any:
    """Parse a document; the arrays of records inside a large object are left where they are."""
    is_large = path.stat().st_size >= _STREAMED_FROM
    if is_large and not choices.lists_as_rows and _first_character(path, encoding) == "{":
        with suppress(RepeatedName):
            return outline(partial(open_lines, path, encoding))
    with open_lines(path, encoding) as file:
        return parse(file.read())


def _is_array_of_records(path: Path, encoding: Encoding) -> bool:
    """Return whether a document is an array that begins with an object."""
    if _first_character(path, encoding) != "[":
        return False
    with open_lines(path, encoding) as file:
        return isinstance(next(items(file), None), dict)


def _first_character(path: Path, encoding: Encoding) -> str:
    with open_lines(path, encoding) as file:
        while part := file.read(1024):
            if text := part.lstrip():
                return text[0]
    return ""


def _read_array(path: Path, encoding: Encoding, choices: ReadingChoices, limits: Limits) -> Reading:
    """Read an array of records item by item, once for each pass over its rows."""

    def records() -> Iterator[tuple[int, Record]]:
        with open_lines(path, encoding) as file:
            for row, item in enumerate(items(file)):
                yield row, _as_record(item)

    bodies = tuple(_record_bodies(records, "", encoding, choices, limits, {}))
    return Reading("json", tuple(body.table for body in bodies), bodies)


def _is_one_record_a_line(path: Path, encoding: Encoding) -> bool:
    if _first_character(path, encoding) != "{":
        return False  # the first line may be all of a large document
    with open_lines(path, encoding) as file:
        first = next((line for line in file if line.strip()), "")
        second = next((line for line in file if line.strip()), "")
    try:
        return isinstance(parse(first), dict) and second.lstrip().startswith("{")
    except (json.JSONDecodeError, RecursionError):
        return False


def _read_lines(path: Path, encoding: Encoding, choices: ReadingChoices, limits: Limits) -> Reading:
    issues: list[Issue] = []
    records_seen = 0
    for row, line in _lines(path, encoding):
        if _record_of(line) is not None:
            records_seen += 1
            if not choices.lists_as_rows and records_seen == beyond(choices.most_rows):
                break
        else:
            message = "The line is not a JSON object and was skipped."
            issues.append(Issue("broken_json_line", row=row, message=message, value=line[:200]))

    def records() -> Iterator[tuple[int, Record]]:
        for row, line in _lines(path, encoding):
            record = _record_of(line)
            if record is not None:
                yield row, record

    reason = Evidence("table", "each line is a JSON object", 0.99)
    bodies = [
        _record_body(rows, encoding, reason, choices, limits, tuple(issues), sheet=name or None)
        for name, rows in _as_rows(records, choices)
    ]
    return Reading("ndjson", tuple(body.table for body in bodies), tuple(bodies))


def _as_rows(
    records: Callable[[], Iterator[tuple[int, Record]]], choices: ReadingChoices
) -> Iterator[tuple[str, Records]]:
    """
    Yield the tables of some records: as they are, or for each list in them one of its items.

    The rows of a table of items are numbered one by one, because each needs a place of its own.
    Also yields the path of the list, empty for the only one.
    """
    lists = list_paths(record for _, record in records()) if choices.lists_as_rows else ()
    if not lists:
        yield "", lambda: ((row, flatten(record)) for row, record in records())
    for path in lists:
        name = ".".join(path) if len(lists) > 1 else ""
        yield name, partial(_item_rows, records, path, lists)


def _item_rows(
    records: Callable[[], Iterator[tuple[int, Record]]],
    path: ListPath,
    lists: tuple[ListPath, ...],
) -> Iterator[tuple[int, dict[str, str]]]:
    rows = (row for _, record in records() for row in rows_of(record, path, lists))
    return enumerate(rows)


def _lines(path: Path, encoding: Encoding) -> Iterator[tuple[int, str]]:
    with open_lines(path, encoding) as file:
        for row, line in enumerate(file):
            if line.strip():
                yield row, line


def _record_of(line: str) -> Record | None:
    try:
        record = parse(line)
    except (json.JSONDecodeError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _read_document(
    document: Any, encoding: Encoding, choices: ReadingChoices, limits: Limits
) -> Reading:
    pairs = _pairs(document)
    arrays = sorted(_arrays(document, "", 0), key=lambda pair: -len(pair[1]))
    if choices.lists_as_rows and pairs and _is_record(document):
        arrays = [("", [document])]
    tables: list[Table] = []
    bodies: list[GridBody | RecordBody] = []
    for name, array in arrays:
        for body in _bodies(array, name, encoding, choices, limits, pairs):
            tables.append(body.table)
            bodies.append(body)
    return Reading("json", tuple(tables), tuple(bodies))


def _is_record(document: Record) -> bool:
    """Return whether an object is a record with one list, and not around a list of records."""
    lists = list_paths([document])
    if len(lists) != 1:
        return False
    items: Any = document
    for name in lists[0]:
        items = items[name]
    return not list_paths(item for item in items if isinstance(item, dict))


def _arrays(value: Any, name: str, depth: int) -> Iterator[tuple[str, Array]]:
    """Yield the arrays of records or rows, with their paths."""
    if isinstance(value, StreamedArray):
        yield name, value
    elif isinstance(value, list) and value:
        if any(isinstance(item, dict | list) for item in value):
            yield name, value
        elif not name:
            yield name, [{"value": item} for item in value]
    elif isinstance(value, dict) and depth < _DEPTH:
        arrays = [
            inner
            for key, item in value.items()
            for inner in _arrays(item, f"{name}.{key}" if name else key, depth + 1)
        ]
        yield from arrays
        if not arrays and depth == 0 and value:
            yield name, [value]


def _pairs(document: Any) -> dict[str, str]:
    if not isinstance(document, dict):
        return {}
    return {
        key: text_of(value)
        for key, value in document.items()
        if not isinstance(value, dict | list | StreamedArray) and value is not None
    }


def _bodies(
    array: Array,
    name: str,
    encoding: Encoding,
    choices: ReadingChoices,
    limits: Limits,
    pairs: dict[str, str],
) -> Iterator[GridBody | RecordBody]:
    if all(isinstance(item, list) for item in array):
        yield from _grids(array, name, encoding, choices, limits)
        return

    def records() -> Iterator[tuple[int, Record]]:
        for row, item in enumerate(array):
            yield row, _as_record(item)

    yield from _record_bodies(records, name, encoding, choices, limits, pairs)


def _as_record(item: Any) -> Record:
    return item if isinstance(item, dict) else {"value": item}


def _record_bodies(
    records: Callable[[], Iterator[tuple[int, Record]]],
    name: str,
    encoding: Encoding,
    choices: ReadingChoices,
    limits: Limits,
    pairs: dict[str, str],
) -> Iterator[RecordBody]:
    where = Sentence("the array {name} holds records", name=repr(name))
    reason = Evidence("table", where if name else "the file's array holds records", 0.99)
    for inner, rows in _as_rows(records, choices):
        sheet = ".".join(filter(None, (name, inner))) or None
        yield _record_body(rows, encoding, reason, choices, limits, (), sheet=sheet, pairs=pairs)


def _grids(
    array: Array, name: str, encoding: Encoding, choices: ReadingChoices, limits: Limits
) -> Iterator[GridBody]:
    rows = [[text_of(cell) for cell in item] for item in array]
    check_shape(rows, limits)
    for laid_out_region in lay_out(rows, Hints(header_rows=choices.header_rows, one_table=True)):
        region = with_rows(laid_out_region, choices.restored)
        table = Table(
            columns=region.columns,
            header_rows=region.header_rows,
            sheet=name or None,
            row_count=len(region.rows),
            preview=preview_of(rows, region),
            encoding=encoding.name,
            confidence=region.confidence,
            skipped=region.skipped,
            evidence=region.evidence,
        )
        yield GridBody(rows, region, table, has_kinds=True)


def _record_body(
    records: Records,
    encoding: Encoding,
    reason: Evidence,
    choices: ReadingChoices,
    limits: Limits,
    issues: tuple[Issue, ...],
    *,
    sheet: str | None = None,
    pairs: dict[str, str] | None = None,
) -> RecordBody:
    most = beyond(choices.most_rows)

    def read_records() -> Iterator[tuple[int, dict[str, str]]]:
        return islice(records(), most)  # what is damaged further on is not met

    scan = Scan.of(read_records, limits, PREVIEW_ROWS, choices.most_rows)
    keys = tuple(scan.keys)
    table = Table(
        columns=unique([key.strip() for key in keys]),
        sheet=sheet,
        encoding=encoding.name,
        evidence=(reason,),
        document=pairs or {},
    )
    return RecordBody(read_records, keys, scan.described(table), issues, limits)
