"""The body of a table whose rows are in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tabular.model.issue import Issue
from tabular.model.table import SkippedRow, Table
from tabular.reading import batches
from tabular.reading.layout import Region

if TYPE_CHECKING:
    import pyarrow as pa

PREVIEW_ROWS = 50


@dataclass(frozen=True, slots=True)
class GridBody:
    """Rows of text held in memory; the table is exact from the start."""

    rows: Sequence[Sequence[str]]
    region: Region
    table: Table
    issues: tuple[Issue, ...] = ()
    has_kinds: bool = False  # the file gives the kinds of cells

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the body's batches (see ``Body``)."""
        schema = batches.schema_of(self.region.columns, has_kinds=self.has_kinds)
        size = batches.rows_per_batch(len(self.region.columns))
        for start in range(0, len(self.region.rows), size):
            numbers = self.region.rows[start : start + size]
            columns = zip(*(self._cells(row) for row in numbers), strict=True)
            yield batches.to_batch(numbers, list(columns), schema)

    def outcome(self) -> tuple[Table, tuple[Issue, ...]]:
        """Return the table and the issues found."""
        return replace(self.table, row_count=len(self.region.rows)), self.issues

    def skipped_rows(self) -> Iterator[SkippedRow]:
        """Yield every row that is not in the body."""
        yield from skipped_rows_of(self.rows, self.region)

    def _cells(self, row: int) -> list[str]:
        cells = self.rows[row]
        return [cells[place] if place < len(cells) else "" for place in self.region.places]


def skipped_rows_of(rows: Sequence[Sequence[str]], region: Region) -> Iterator[SkippedRow]:
    """Yield the rows of a grid that are not in the body of its table."""
    for row, reason in region.left_out:
        yield SkippedRow(row, reason, skipped_cells(rows[row]))


def repeating_rows(rows: Sequence[Sequence[str]], region: Region) -> tuple[tuple[str, ...], ...]:
    """Return the texts of the header rows, and of rows that were left out as their repetitions."""
    again = (row for row, reason in region.left_out if reason == "repeated_header")
    texts = (
        tuple(rows[row][place] if place < len(rows[row]) else "" for place in region.places)
        for row in (*region.header_rows, *again)
    )
    return tuple(dict.fromkeys(filter(any, texts)))


def skipped_cells(texts: Sequence[str | None]) -> tuple[str | None, ...]:
    """Return the cells of a skipped row: blank ones are None, or omitted at the end."""
    cells = [text if text and not text.isspace() else None for text in texts]
    while cells and cells[-1] is None:
        del cells[-1]
    return tuple(cells)


def preview_of(rows: Sequence[Sequence[str]], region: Region) -> tuple[tuple[str | None, ...], ...]:
    """Return the first rows of a body."""
    return tuple(
        tuple(
            str(rows[row][place] if place < len(rows[row]) else "") or None
            for place in region.places
        )
        for row in region.rows[:PREVIEW_ROWS]
    )
