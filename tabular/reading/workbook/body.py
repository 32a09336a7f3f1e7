"""The body of a table on a sheet too large to be held as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tabular.model.issue import Issue
from tabular.model.limits import Limits
from tabular.model.table import Progress, Table, silent
from tabular.reading import batches, sieve
from tabular.reading.layout import Region, end_of_data
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
    _settled: Table | None = None

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Stream the body (see ``Body``)."""
        schema = batches.schema_of(self.region.columns)
        enough = batches.rows_per_batch(len(self.region.columns))
        ready: list[pa.RecordBatch] = []
        rows = blank = repeated = footer = 0
        for chunk, left_out in self._chunks():
            footer += left_out
            numbers = range(chunk.first, chunk.end)
            batch = batches.to_batch(numbers, chunk.texts, schema)
            kept = sieve.sift(batch, header=self.header, dropped=self.dropped, first=chunk.first)
            rows += kept.batch.num_rows
            blank += kept.blank
            repeated += kept.repeated
            check_counts(rows, len(chunk.texts), self.limits)
            self.progress("rows", rows, self.sheet.rows)
            ready.append(kept.batch)
            if sum(batch.num_rows for batch in ready) >= enough:
                yield batches.joined(ready)
                ready = []
        if any(batch.num_rows for batch in ready):
            yield batches.joined(ready)
        skipped = replace(self.table.skipped, blank=blank, repeated_headers=repeated, footer=footer)
        self._settled = replace(self.table, row_count=rows, skipped=skipped)

    def settled(self) -> tuple[Table, tuple[Issue, ...]]:
        """Give the table with exact counts once a stream has ended, and what was odd."""
        return self._settled or self.table, self.issues

    def _chunks(self) -> Iterator[tuple[_Chunk, int]]:
        """Give the rows without the footer, and how many rows were left out with each chunk."""
        waiting: _Chunk | None = None
        for chunk in self._all_chunks():
            if waiting is not None:
                yield waiting, 0
            waiting = chunk
        if waiting is not None:
            end = self._end(waiting)
            yield waiting.between(0, end), waiting.end - end

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
