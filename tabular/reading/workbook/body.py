"""The body of a table on a sheet too large to be held as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tabular.model.issue import Issue
from tabular.model.limits import Limits
from tabular.model.table import LeftOut, Progress, Table, silent
from tabular.reading import batches, sieve
from tabular.reading.grid_body import left_out_cells
from tabular.reading.layout import Region, end_of_data, reason_below
from tabular.reading.limiting import check_counts
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
        """Keep the rows from ``low`` to before ``high``."""
        start = min(max(low, self.first), self.end)
        places = slice(start - self.first, max(0, high - self.first))
        return _Chunk(start, [column[places] for column in self.texts])


@dataclass(slots=True)
class SheetBody:
    """The rows of a sheet from ``first`` on, without the footer and what is not data."""

    sheet: Sheet
    region: Region
    table: Table
    first: int
    header: tuple[str, ...]  # texts of the last header row, to drop its repetitions
    dropped: frozenset[int]  # rows of the head that the layout stage took out
    issues: tuple[Issue, ...]
    limits: Limits = field(default_factory=Limits)
    progress: Progress = silent
    head: tuple[LeftOut, ...] = ()  # rows that the layout stage left out
    above: tuple[tuple[int, tuple[str, ...]], ...] = ()  # rows before ``first`` taken back
    taken: frozenset[int] = frozenset()  # rows that are data whatever they look like
    _settled: Table | None = None
    _log: sieve.Log = field(init=False)

    def __post_init__(self) -> None:
        """Begin to note what is left out."""
        self._log = sieve.Log(self.head, self.header)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Stream the body (see ``Body``)."""
        schema = batches.schema_of(self.region.columns, has_kinds=True)
        enough = batches.rows_per_batch(len(self.region.columns))
        ready: list[pa.RecordBatch] = []
        rows = 0
        self._log = sieve.Log(self.head, self.header)
        if self.above:
            numbers, cells = zip(*self.above, strict=True)
            ready.append(batches.to_batch(numbers, list(zip(*cells, strict=True)), schema))
            rows += len(numbers)
        for chunk in self._chunks():
            batch = batches.to_batch(chunk.numbers, chunk.texts, schema)
            kept = sieve.sift(batch, header=self.header, dropped=self.dropped, taken=self.taken)
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

    def settled(self) -> tuple[Table, tuple[Issue, ...]]:
        """Give the table with exact counts once a stream has ended, and what was odd."""
        return self._settled or self.table, self.issues

    def left_out(self) -> Iterator[LeftOut]:
        """Give every row that is not in the body, once a stream has ended."""
        return self._log.rows()

    def _chunks(self) -> Iterator[_Chunk]:
        """Give the rows without the footer, but with those of it that were taken back."""
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
            one = footer.between(row, row + 1)
            if row in self.taken:
                yield one
                continue
            width = max(self.region.places) + 1
            texts = _placed([column[0] for column in one.texts], self.region.places, width)
            left = LeftOut(row, reason_below(texts), left_out_cells(texts))
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
        """Find the row after the last one of the body, in the sheet's last chunk."""
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
