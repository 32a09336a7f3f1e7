"""The tables of one sheet, and their bodies if a sheet is too large to be held as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from tabular.model.issue import Issue
from tabular.model.places import ReadingChoices, letters
from tabular.model.problem import Limits
from tabular.model.sentences import Sentence
from tabular.model.table import Evidence, Progress, SkippedRow, Table, silent
from tabular.reading import batches
from tabular.reading.grid_body import (
    GridBody,
    preview_of,
    repeating_rows,
    skipped_cells,
    skipped_rows_of,
)
from tabular.reading.layout import (
    Hints,
    Region,
    end_of_data,
    lay_out,
    reason_below,
    says_total,
    with_header_rows,
    with_rows,
    without_totals,
)
from tabular.reading.limiting import check_counts
from tabular.reading.row_filter import Log, filter_rows
from tabular.reading.workbook.sheet import Sheet

if TYPE_CHECKING:
    import pyarrow as pa


_TAIL_ROWS = 60


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Some rows of the sheet, by the table's columns."""

    first: int
    texts: list[Sequence[str]]

    @property
    def end(self) -> int:
        """The row after the last one."""
        return self.first + len(self.texts[0])

    @property
    def numbers(self) -> range:
        """The physical rows."""
        return range(self.first, self.end)

    def between(self, low: int, high: int) -> _Chunk:
        """Return the rows from ``low`` to before ``high``."""
        start = min(max(low, self.first), self.end)
        places = slice(start - self.first, max(0, high - self.first))
        return _Chunk(start, [column[places] for column in self.texts])


@dataclass(slots=True)
class SheetBody:
    """The rows of a sheet from ``first`` on, without the footer and rows that are not data."""

    sheet: Sheet
    region: Region
    table: Table
    first: int
    headers: tuple[tuple[str, ...], ...]  # texts of rows that are dropped where they repeat
    dropped: frozenset[int]  # rows of the head that the layout stage removed
    issues: tuple[Issue, ...]
    limits: Limits = field(default_factory=Limits)
    progress: Progress = silent
    head: tuple[SkippedRow, ...] = ()  # rows that the layout stage skipped
    above: tuple[tuple[int, tuple[str, ...]], ...] = ()  # rows before ``first`` taken back
    taken: frozenset[int] = frozenset()  # rows that are data whatever they look like
    _settled: Table | None = None
    _log: Log = field(init=False)

    def __post_init__(self) -> None:
        """Start recording what is skipped."""
        self._log = Log(self.head, self.headers)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the body's batches (see ``Body``)."""
        schema = batches.schema_of(self.region.columns, has_kinds=True)
        enough = batches.rows_per_batch(len(self.region.columns))
        ready: list[pa.RecordBatch] = []
        rows = 0
        self._log = Log(self.head, self.headers)
        if self.above:
            numbers, cells = zip(*self.above, strict=True)
            ready.append(batches.to_batch(numbers, list(zip(*cells, strict=True)), schema))
            rows += len(numbers)
        for chunk in self._chunks():
            batch = batches.to_batch(chunk.numbers, chunk.texts, schema)
            kept = filter_rows(batch, headers=self.headers, dropped=self.dropped, taken=self.taken)
            rows += kept.batch.num_rows
            self._log.note(kept)
            check_counts(rows, len(chunk.texts), self.limits)
            self.progress("rows", rows, self.sheet.rows)
            ready.append(kept.batch)
            if sum(batch.num_rows for batch in ready) >= enough:
                yield batches.joined(ready)
                ready = []
        if any(batch.num_rows for batch in ready):
            yield batches.joined(ready)
        self._settled = replace(self.table, row_count=rows, skipped=self._log.skipped())

    def outcome(self) -> tuple[Table, tuple[Issue, ...]]:
        """Return the table with exact counts once a stream has ended, and the issues found."""
        return self._settled or self.table, self.issues

    def skipped_rows(self) -> Iterator[SkippedRow]:
        """Return every row that is not in the body, once a stream has ended."""
        return self._log.rows()

    def _chunks(self) -> Iterator[_Chunk]:
        """Yield the rows without the footer, except footer rows that were taken back."""
        waiting: _Chunk | None = None
        for chunk in self._all_chunks():
            if waiting is not None:
                yield waiting
            waiting = chunk
        if waiting is not None:
            end = self._end(waiting)
            yield waiting.between(0, end)
            yield from self._below(waiting.between(end, waiting.end))

    def _below(self, footer: _Chunk) -> Iterator[_Chunk]:
        for row in footer.numbers:
            line = footer.between(row, row + 1)
            if row in self.taken:
                yield line
                continue
            width = max(self.region.places) + 1
            texts = _placed([column[0] for column in line.texts], self.region.places, width)
            left = SkippedRow(row, reason_below(texts), skipped_cells(texts))
            self._log.below.append(left)

    def _all_chunks(self) -> Iterator[_Chunk]:
        start = 0
        for columns in self.sheet.chunks():
            height = len(columns[0])
            texts = [_column(columns, place, height) for place in self.region.places]
            chunk = _Chunk(start, texts).between(self.first, start + height)
            start += height
            if chunk.end > chunk.first:
                yield chunk

    def _end(self, chunk: _Chunk) -> int:
        """Return the row after the last one of the body, in the sheet's last chunk."""
        tail = chunk.between(chunk.end - _TAIL_ROWS, chunk.end)
        rows = list(zip(*tail.texts, strict=True))
        width = max(self.region.places) + 1
        padded = [_placed(cells, self.region.places, width) for cells in rows]
        return tail.first + end_of_data(padded, self.region)


def _column(columns: Sequence[Sequence[str]], place: int, height: int) -> Sequence[str]:
    return columns[place] if place < len(columns) else [""] * height


def _placed(cells: Sequence[str], places: Sequence[int], width: int) -> list[str]:
    row = [""] * width
    for place, text in zip(places, cells, strict=True):
        row[place] = text
    return row


WHOLE_CELLS = 300_000  # a sheet up to this size is held as text and laid out as a whole
_HEAD_ROWS = 2_000
Rows: TypeAlias = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Found:
    """A table of a sheet with its body, its place, and the sheet it was found in."""

    table: Table
    body: GridBody | SheetBody
    region: Region
    sheet: Sheet
    rows: Rows
    hints: Hints
    is_streamed: bool


def tables_of(sheet: Sheet, *, limits: Limits, progress: Progress) -> Iterator[Found]:
    """Lay out a sheet; a large one by its head."""
    is_whole = sheet.rows * sheet.columns <= WHOLE_CELLS
    rows: Rows = sheet.grid() if is_whole else sheet.head(_HEAD_ROWS)
    hints = Hints(sheet.spans, is_complete=is_whole)
    regions = lay_out(rows, hints)
    last = max((region.bottom for region in regions), default=0)
    for region in regions:
        is_streamed = not is_whole and region.bottom == last
        region = without_totals(region, _unvalued_totals(sheet, rows, region))
        table = _found(sheet, rows, region, hints, is_streamed=is_streamed)
        if isinstance(table.body, SheetBody):
            table = replace(table, body=replace(table.body, limits=limits, progress=progress))
        yield table


def _unvalued_totals(sheet: Sheet, rows: Rows, region: Region) -> set[int]:
    """Return the rows that are labelled totals and add up rows by a formula without its value."""
    adding = {
        row for (row, _), is_sum in sheet.parts.unvalued.items() if is_sum and row < len(rows)
    }
    return {row for row in adding if says_total([rows[row][place] for place in region.places])}


def with_choices(table: Found, choices: ReadingChoices) -> Found:
    """Lay out a table again with the header rows a user chose and the rows they took back."""
    region = table.region
    if choices.header_rows is not None:
        region = with_header_rows(table.rows, region, choices.header_rows, table.hints)
        region = without_totals(region, _unvalued_totals(table.sheet, table.rows, region))
    region = with_rows(region, choices.restored)
    changed = _found(table.sheet, table.rows, region, table.hints, is_streamed=table.is_streamed)
    if isinstance(changed.body, SheetBody) and isinstance(table.body, SheetBody):
        known = table.body
        taken = frozenset(choices.restored)
        body = replace(changed.body, limits=known.limits, progress=known.progress, taken=taken)
        changed = replace(changed, body=body)
    return changed


def _found(sheet: Sheet, rows: Rows, region: Region, hints: Hints, *, is_streamed: bool) -> Found:
    issues = tuple(_odd_cells(sheet, region, is_bounded=not is_streamed))
    if is_streamed:
        body: GridBody | SheetBody = _streamed(sheet, rows, region, issues)
    else:
        body = GridBody(rows, region, _table(sheet, rows, region), issues, has_kinds=True)
    return Found(body.table, body, region, sheet, rows, hints, is_streamed)


def _streamed(sheet: Sheet, rows: Rows, region: Region, issues: tuple[Issue, ...]) -> SheetBody:
    first = max(region.header_rows, default=min(region.rows, default=0) - 1) + 1
    below = set(range(first, len(rows)))
    blank = {row for row in below if not any(rows[row])}
    table = _table(sheet, rows, region)
    return SheetBody(
        sheet=sheet,
        region=region,
        table=replace(table, row_count=None),
        first=first,
        headers=repeating_rows(rows, region),
        dropped=frozenset(below - blank - set(region.rows)),
        issues=issues,
        head=tuple(skipped_rows_of(rows, region)),
        above=tuple(
            (row, tuple(rows[row][place] for place in region.places))
            for row in region.rows
            if row < first
        ),
    )


def _table(sheet: Sheet, rows: Rows, region: Region) -> Table:
    evidence = list(region.evidence)
    if sheet.merged_down:
        reason = Sentence("{n1} merged ranges fill each of their rows", n1=str(sheet.merged_down))
        evidence.append(Evidence("merged", reason, 1.0))
    return Table(
        columns=region.columns,
        header_rows=region.header_rows,
        sheet=sheet.name,
        is_hidden=sheet.is_hidden,
        range=_range(region),
        places=region.places,
        row_count=len(region.rows),
        preview=preview_of(rows, region),
        confidence=region.confidence,
        skipped=region.skipped,
        evidence=tuple(evidence),
        document=region.document,
    )


def _range(region: Region) -> str:
    left, right = min(region.places, default=0), max(region.places, default=0)
    return f"{letters(left)}{region.top + 1}:{letters(right)}{region.bottom + 1}"


def _odd_cells(sheet: Sheet, region: Region, *, is_bounded: bool) -> Iterator[Issue]:
    yield from _error_cells(sheet, region, is_bounded=is_bounded)
    names = dict(zip(region.places, region.columns, strict=True))
    left_out = {row for row, _ in region.left_out}
    for row, column in sorted(sheet.parts.unvalued):
        is_below = row <= region.bottom or not is_bounded
        if column in names and region.top <= row and is_below and row not in left_out:
            yield Issue(
                "formula_without_value",
                "warning",
                row=row,
                column=names[column],
                message="The cell holds a formula that was saved without its value.",
                hint="Open the workbook in a spreadsheet program, save it, and send it again.",
            )


def _error_cells(sheet: Sheet, region: Region, *, is_bounded: bool) -> Iterator[Issue]:
    names = dict(zip(region.places, region.columns, strict=True))
    for (row, column), error in sorted(sheet.parts.errors.items()):
        is_below = row <= region.bottom or not is_bounded
        if column in names and region.top <= row and is_below:
            yield Issue(
                "error_cell",
                "warning",
                row=row,
                column=names[column],
                message=Sentence(
                    "The cell holds the error {error} instead of a value.", error=error
                ),
                value=error,
                hint="Correct the formula in the workbook, or fill in the value.",
            )
