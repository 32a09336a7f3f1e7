"""
Stack tables with the same header: sheets of months, the files of an archive.

A stack is one more table of the reading. Its first column says where each row comes from.
ROW_COLUMN numbers a row by its table and its physical row in it (``PART_ROWS``), so that all
numbers are distinct.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any

from tabular.model.issue import Issue
from tabular.model.places import PART_ROWS, fault, folded_name
from tabular.model.problem import UnusableRequest
from tabular.model.sentences import Sentence
from tabular.model.table import (
    BESIDE,
    BOXES_COLUMN,
    CONFIDENCE_COLUMN,
    KINDS_COLUMN,
    PAGE_COLUMN,
    Body,
    Evidence,
    Reading,
    Skipped,
    SkippedRow,
    Table,
)
from tabular.reading.batches import first_text, schema_of

if TYPE_CHECKING:
    import pyarrow as pa

PREVIEW_ROWS = 50
LONGEST_EVIDENCE = 500  # characters


def stacked(reading: Reading, numbers: Sequence[int]) -> Reading:
    """
    Add the stack of some tables as the last table, and choose it.

    Raises UnusableRequest: unknown_table, unstackable_tables, unlike_headers.
    """
    for number in numbers:
        if number >= len(reading.tables):
            raise UnusableRequest(
                "unknown_table", Sentence("The file has no table number {n1}.", n1=str(number))
            )
    tables = [reading.tables[number] for number in numbers]
    if sentence := fault(tables):
        raise UnusableRequest(*sentence)
    parts = tuple(
        Part(number, reading.tables[number], reading.bodies[number], place)
        for number, place in zip(numbers, places_of(tables), strict=True)
    )
    body = StackedBody(parts, _table_of(parts))
    return replace(
        reading,
        tables=(*reading.tables, body.table),
        bodies=(*reading.bodies, body),
        chosen=len(reading.tables),
    )


def side_by_side(reading: Reading, numbers: Sequence[int]) -> Reading:
    """
    Combine some tables with different headers into one, with separate columns, and choose it.

    The columns of each are named ``<place>: <name>``, and empty in the rows of the others. Raises
    UnusableRequest: unknown_table.
    """
    for number in numbers:
        if number >= len(reading.tables) or reading.tables[number].stacked:
            raise UnusableRequest(
                "unknown_table", Sentence("The file has no table number {n1}.", n1=str(number))
            )
    tables = [reading.tables[number] for number in numbers]
    parts = tuple(
        Part(
            number,
            replace(table, columns=tuple(f"{place}: {name}" for name in table.columns)),
            reading.bodies[number],
            place,
        )
        for number, table, place in zip(numbers, tables, places_of(tables), strict=True)
    )
    places = ", ".join(part.place for part in parts)
    evidence = _stacked("tables that feed entries of their own: {places}", places)
    body = StackedBody(parts, replace(_table_of(parts), evidence=(evidence,)))
    return replace(
        reading,
        tables=(*reading.tables, body.table),
        bodies=(*reading.bodies, body),
        chosen=len(reading.tables),
    )


@dataclass(frozen=True)
class Part:
    """One table of a stack, and its rows' value in the column of places."""

    number: int
    table: Table
    body: Body
    place: str

    @cached_property
    def by_name(self) -> dict[str, int]:
        """The columns by the name that they are compared by."""
        return {folded_name(name): at for at, name in enumerate(self.table.columns)}


@dataclass(slots=True)
class StackedBody:
    """The rows of several tables, table after table; only the current batch is in memory."""

    parts: tuple[Part, ...]
    table: Table

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the body's batches (see ``Body``)."""
        has_pages = self.parts[0].table.page is not None
        schema = schema_of(
            self.table.columns,
            has_kinds=not has_pages,
            has_pages=has_pages,
            has_confidence=self.table.recognised is not None,
        )
        for part in self.parts:
            for batch in part.body.batches():
                yield _laid_out(batch, part, schema)

    def outcome(self) -> tuple[Table, tuple[Issue, ...]]:
        """Return the table with exact counts, and the issues found in each part."""
        parts = [part.body.outcome() for part in self.parts]
        counts = [table.row_count for table, _ in parts]
        known = sum(count for count in counts if count is not None)
        table = replace(
            self.table,
            row_count=None if None in counts else known,
            skipped=reduce(_sum, (table.skipped for table, _ in parts)),
        )
        issues = (
            _placed(issue, part)
            for part, (_, issues) in zip(self.parts, parts, strict=True)
            for issue in issues
        )
        return table, tuple(issues)

    def skipped_rows(self) -> Iterator[SkippedRow]:
        """Yield every row that is not in the body, with its number in the stack."""
        for part in self.parts:
            for left in part.body.skipped_rows():
                yield replace(left, row=part.number * PART_ROWS + left.row)


def _stacked(template: str, places: str) -> Evidence:
    """Return the evidence for a stack, with as many of the places as a person may read."""
    room = LONGEST_EVIDENCE - len(template.replace("{places}", ""))
    return Evidence("stacked", Sentence(template, places=places[:room]))


def sum_of_skipped(tables: Sequence[Table]) -> Skipped:
    """Return how many rows of some tables are not part of their bodies."""
    return reduce(_sum, (table.skipped for table in tables))


def _sum(first: Skipped, other: Skipped) -> Skipped:
    counts = asdict(other)
    return Skipped(**{name: count + counts[name] for name, count in asdict(first).items()})


def _placed(issue: Issue, part: Part) -> Issue:
    where = part.place if issue.row is None else f"{part.place}, row {issue.row + 1}"
    message = f"{where}: {issue.message}" if issue.message else ""
    return replace(issue, message=message, params={**issue.params, "place": part.place})


def _laid_out(batch: pa.RecordBatch, part: Part, schema: pa.Schema) -> pa.RecordBatch:
    """Return a batch of one table in the columns of the stack."""
    import pyarrow as pa
    import pyarrow.compute as pc

    size, start = batch.num_rows, first_text(batch)
    numbers: Any = pc.add(batch.column(0), part.number * PART_ROWS)
    if PAGE_COLUMN in batch.schema.names:
        return _of_pages(batch, numbers, part, schema)
    given = batch.column(1).flatten() if KINDS_COLUMN in batch.schema.names[:2] else None
    no_kind, no_text = pa.repeat(pa.scalar(0, pa.int8()), size), pa.nulls(size, pa.string())
    texts: list[Any] = [pa.repeat(pa.scalar(part.place), size)]
    kinds: list[Any] = [no_kind]
    for name in schema.names[3:]:
        at = part.by_name.get(folded_name(name))
        texts.append(no_text if at is None else batch.column(start + at))
        kinds.append(no_kind if at is None or given is None else given[at])
    struct = pa.StructArray.from_arrays(kinds, fields=list(schema.field(1).type))
    return pa.record_batch([numbers, struct, *texts], schema=schema)


def _of_pages(batch: pa.RecordBatch, numbers: Any, part: Part, schema: pa.Schema) -> pa.RecordBatch:
    """Return a batch of a PDF's table in the columns of the stack, with its boxes."""
    import pyarrow as pa

    size, start = batch.num_rows, first_text(batch)
    names = [name for name in schema.names if name not in BESIDE][1:]
    places = [part.by_name.get(folded_name(name)) for name in names]
    boxes = [_boxes_in(places, row) for row in batch[BOXES_COLUMN].to_pylist()]
    texts: list[Any] = [pa.repeat(pa.scalar(part.place), size)]
    for at in places:
        texts.append(pa.nulls(size, pa.string()) if at is None else batch.column(start + at))
    given = [numbers, batch[PAGE_COLUMN], pa.array(boxes, pa.list_(pa.float32()))]
    if CONFIDENCE_COLUMN in schema.names:
        given.append(pa.array(_confidences_in(places, batch), pa.list_(pa.int8())))
    return pa.record_batch([*given, *texts], schema=schema)


def _confidences_in(
    places: Sequence[int | None], batch: pa.RecordBatch
) -> list[list[int | None] | None]:
    """Return the confidence of each cell of a picture; the column of places has none."""
    if CONFIDENCE_COLUMN not in batch.schema.names:
        return [None] * batch.num_rows
    return [
        row and [None, *(None if at is None else row[at] for at in places)]
        for row in batch[CONFIDENCE_COLUMN].to_pylist()
    ]


def _boxes_in(places: Sequence[int | None], row: Sequence[float]) -> list[float]:
    """Return the box of each cell; a cell that the table does not have gets the box of its row."""
    whole = [min(row[0::4]), min(row[1::4]), max(row[2::4]), max(row[3::4])]
    own = (whole if at is None else row[4 * at : 4 * at + 4] for at in (None, *places))
    return [side for box in own for side in box]


def _table_of(parts: Sequence[Part]) -> Table:
    tables = [part.table for part in parts]
    columns = _columns_of(tables)
    counts = [table.row_count for table in tables]
    return Table(
        columns=columns,
        header_rows=tables[0].header_rows,
        row_count=None if None in counts else sum(filter(None, counts)),
        preview=tuple(_preview(parts, columns)),
        page=tables[0].page,
        encoding=tables[0].encoding,
        delimiter=tables[0].delimiter,
        confidence=min(table.confidence for table in tables),
        skipped=sum_of_skipped(tables),
        evidence=tuple(_evidence(parts, columns)),
        document=dict(
            pair
            for pair in tables[0].document.items()
            if all(table.document.get(pair[0]) == pair[1] for table in tables)
        ),
        stacked=tuple(part.number for part in parts),
        recognised=min((t.recognised for t in tables if t.recognised is not None), default=None),
    )


def _columns_of(tables: Sequence[Table]) -> tuple[str, ...]:
    """Return the columns: the place, those of the first table, and further ones of the others."""
    names: dict[str, str] = {}
    for table in tables:
        for name in table.columns:
            names.setdefault(folded_name(name), name)
    word = "File" if any(table.file for table in tables) else "Sheet"
    word = word if _are_apart(tables) else "Page" if tables[0].page else "Table"
    place, number = word, 2
    while folded_name(place) in names:
        place, number = f"{word} ({number})", number + 1
    return (place, *names.values())


def _are_apart(tables: Sequence[Table]) -> bool:
    """Return whether each table has a file or a sheet of its own."""
    places = {(table.file, table.sheet) for table in tables}
    return len(places) == len(tables) and (None, None) not in places


def places_of(tables: Sequence[Table]) -> list[str]:
    """Return a short, distinct name for where each table is."""
    several = len({table.file for table in tables}) < len(tables)
    places: list[str] = []
    for number, table in enumerate(tables, 1):
        place = _place(table, number, has_sheet=several, is_apart=_are_apart(tables))
        places.append(f"{place} ({number})" if place in places else place)
    return places


def _place(table: Table, number: int, *, has_sheet: bool, is_apart: bool) -> str:
    sheet = table.sheet if has_sheet or not table.file else None
    page = f"page {table.page}" if table.page else None
    where = " / ".join(filter(None, (table.file, sheet, page)))
    if is_apart or page:
        return where
    return " ".join(filter(None, (where, table.range or str(number))))


def _preview(parts: Sequence[Part], columns: Sequence[str]) -> Iterator[tuple[str | None, ...]]:
    rows = [(part, row) for part in parts for row in part.table.preview][:PREVIEW_ROWS]
    for part, row in rows:
        at = [part.by_name.get(folded_name(name)) for name in columns[1:]]
        yield part.place, *(None if place is None else row[place] for place in at)


def _evidence(parts: Sequence[Part], columns: Sequence[str]) -> Iterator[Evidence]:
    yield from (item for item in parts[0].table.evidence if item.decision == "header")
    places = ", ".join(part.place for part in parts)
    yield _stacked("tables with the same columns, one below the other: {places}", places)
    for part in parts:
        lacking = [name for name in columns[1:] if folded_name(name) not in part.by_name]
        if lacking:
            yield Evidence(
                "stacked",
                Sentence(
                    "{place} has no column {columns}", place=part.place, columns=", ".join(lacking)
                ),
            )
