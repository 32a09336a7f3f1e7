"""The body of a large text file: streamed by Arrow, or tolerantly if a row is odd."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING

from tabular.model.issue import Issue
from tabular.model.problem import Limits
from tabular.model.table import Progress, SkippedRow, Table
from tabular.reading import batches
from tabular.reading.grid_body import skipped_cells
from tabular.reading.layout import Region, reason_below
from tabular.reading.limiting import check_cell, check_counts
from tabular.reading.row_filter import Log, filter_rows
from tabular.reading.text.bulk import Bulk
from tabular.reading.text.fitting import REPORTED_ROWS, Fitting, capped, has_undecodable, odd_row
from tabular.reading.text.lines import open_lines
from tabular.reading.text.records import Record, parse_lines

if TYPE_CHECKING:
    import pyarrow as pa

_UNKNOWN = -1


@dataclass(slots=True)
class Counts:
    """What a stream counted on its way."""

    log: Log
    rows: int = 0
    is_done: bool = False
    issues: list[Issue] = field(default_factory=list)


@dataclass(slots=True)
class StreamBody:
    """
    The records of a file from the row ``first`` on, without the last ``footer`` ones.

    A pass over the whole file decides whether Arrow can read every row, before the first batch is
    returned, so results of two readers are never mixed.

    head: the rows that the layout stage skipped. above: rows before ``first`` that are data
    nonetheless, by their number. taken: rows of the stream that are data whatever they look like.
    """

    bulk: Bulk
    region: Region
    table: Table
    first: int
    footer: int
    headers: tuple[tuple[str, ...], ...]  # texts of rows that are dropped where they repeat
    dropped: frozenset[int]
    fitting: Fitting
    limits: Limits
    progress: Progress
    head: tuple[SkippedRow, ...] = ()
    above: tuple[tuple[int, list[str]], ...] = ()
    taken: frozenset[int] = frozenset()
    _records: int | None = _UNKNOWN
    _counts: Counts = field(init=False)

    def __post_init__(self) -> None:
        """Start counting."""
        self._counts = Counts(Log(self.head, self.headers))

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the body's batches (see ``Body``)."""
        if self._records == _UNKNOWN:
            self.progress("checking", 0, None)
            self._records = self.bulk.count()
        self._counts = Counts(Log(self.head, self.headers))
        stream = self._tolerant() if self._records is None else self._bulk(self._records)
        for batch in chain(self._above(), stream):
            self._counts.rows += batch.num_rows
            check_counts(self._counts.rows, len(self.region.columns), self.limits)
            self.progress("rows", self._counts.rows, self._records)
            if batch.num_rows:
                yield batch
        self._counts.is_done = True

    def outcome(self) -> tuple[Table, tuple[Issue, ...]]:
        """Return the table with exact counts once a stream has ended, and the issues found."""
        counts = self._counts
        if not counts.is_done:
            return self.table, ()
        table = replace(self.table, row_count=counts.rows, skipped=counts.log.skipped())
        return table, capped(counts.issues)

    def skipped_rows(self) -> Iterator[SkippedRow]:
        """Return every row that is not in the body, once a stream has ended."""
        return self._counts.log.rows()

    def _above(self) -> Iterator[pa.RecordBatch]:
        if self.above:
            numbers, rows = zip(*self.above, strict=True)
            fitted = [self._placed(cells) for cells in rows]
            columns = list(zip(*fitted, strict=True))
            yield batches.to_batch(numbers, columns, batches.schema_of(self.region.columns))

    def _placed(self, cells: list[str]) -> list[str]:
        width = self.bulk.width
        return (cells + [""] * width)[:width]

    def _bulk(self, records: int) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        schema = batches.schema_of(self.region.columns)
        end = self.first + records - self.footer
        row = self.first
        for columns in self.bulk.batches():
            numbers = batches.number_array(range(row, row + columns.num_rows))
            batch = pa.record_batch([numbers, *columns.columns], schema=schema)
            row += columns.num_rows
            if row > end:
                batch = self._without_footer(batch, end)
            yield self._without_extras(batch)

    def _without_footer(self, batch: pa.RecordBatch, end: int) -> pa.RecordBatch:
        """Return the rows before ``end``, and those below that a user took back."""
        kept = []
        for place, row in enumerate(batch.column(0).to_pylist()):
            if row < end or row in self.taken:
                kept.append(place)
            else:
                texts = [column[place].as_py() for column in batch.columns[1:]]
                self._leave_below(row, texts)
        return batch.take(kept)

    def _leave_below(self, row: int, texts: Sequence[str | None]) -> None:
        reason = reason_below(texts)
        self._counts.log.below.append(SkippedRow(row, reason, skipped_cells(texts)))

    def _without_extras(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        kept = filter_rows(batch, headers=self.headers, dropped=self.dropped, taken=self.taken)
        self._counts.log.note(kept)
        return kept.batch

    def _tolerant(self) -> Iterator[pa.RecordBatch]:
        schema = batches.schema_of(self.region.columns)
        size = batches.rows_per_batch(len(self.region.columns))
        numbers: list[int] = []
        rows: list[list[str]] = []
        for row, cells in self._tolerant_rows():
            numbers.append(row)
            rows.append(cells)
            if len(rows) == size:
                yield batches.to_batch(numbers, list(zip(*rows, strict=True)), schema)
                numbers, rows = [], []
        if rows:
            yield batches.to_batch(numbers, list(zip(*rows, strict=True)), schema)

    def _tolerant_rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows of the body, holding back as many as the footer has."""
        held: deque[tuple[int, Record]] = deque()
        dialect, width = self.bulk.dialect, self.bulk.width
        with open_lines(self.bulk.path, self.bulk.encoding) as file:
            for row, record in enumerate(parse_lines(file, dialect, width=width)):
                if row < self.first:
                    continue
                held.append((row, record))
                if len(held) > self.footer:
                    taken, ready = held.popleft()
                    if self._is_data(taken, ready):
                        yield taken, self._fitted(taken, ready)
        for row, record in held:
            if row in self.taken:
                yield row, self._fitted(row, record)
            else:
                self._leave_below(row, record.cells)

    def _is_data(self, row: int, record: Record) -> bool:
        if row in self.taken:
            return True
        if not any(text and not text.isspace() for text in record.cells):
            self._counts.log.blank.append(row)
            return False
        texts = tuple(text.strip() for text in record.cells)
        if (texts := texts + ("",) * (self.bulk.width - len(texts))) in self.headers:
            self._counts.log.repeated[self.headers.index(texts)].append(row)
            return False
        return row not in self.dropped

    def _fitted(self, row: int, record: Record) -> list[str]:
        cells, width = record.cells, self.bulk.width
        if record.oddity:
            self._report(odd_row(record.oddity, row))
        if not self.bulk.encoding.is_valid and has_undecodable(cells):
            self._report(odd_row("undecodable_bytes", row))
        if len(cells) == width:
            return cells
        if len(cells) < width:
            self._report(odd_row("short_row", row))
            return cells + [""] * (width - len(cells))
        if fitted := self.fitting.fit(cells):
            self._report(odd_row("row_realigned", row))
            return fitted
        if any(text.strip() for text in cells[width:]):
            extra = self.bulk.dialect.delimiter.join(cells[width - 1 :])
            check_cell(extra, self.limits)
            self._report(odd_row("long_row", row, value=extra[:200]))
            return [*cells[: width - 1], extra]
        return cells[:width]

    def _report(self, issue: Issue) -> None:
        if len(self._counts.issues) <= REPORTED_ROWS:
            self._counts.issues.append(issue)
