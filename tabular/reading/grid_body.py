"""The body of a table whose rows are in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tabular.model.issue import Issue
from tabular.model.table import Table
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

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Stream the body (see ``Body``)."""
        schema = batches.schema_of(self.region.columns)
        size = batches.rows_per_batch(len(self.region.columns))
        for start in range(0, len(self.region.rows), size):
            numbers = self.region.rows[start : start + size]
            columns = zip(*(self._cells(row) for row in numbers), strict=True)
            yield batches.to_batch(numbers, list(columns), schema)

    def settled(self) -> tuple[Table, tuple[Issue, ...]]:
        """Give the table and what was odd."""
        return replace(self.table, row_count=len(self.region.rows)), self.issues

    def _cells(self, row: int) -> list[str]:
        cells = self.rows[row]
        return [cells[place] if place < len(cells) else "" for place in self.region.places]


def preview_of(rows: Sequence[Sequence[str]], region: Region) -> tuple[tuple[str | None, ...], ...]:
    """Show the first rows of a body."""
    return tuple(
        tuple(
            (rows[row][place] if place < len(rows[row]) else "") or None for place in region.places
        )
        for row in region.rows[:PREVIEW_ROWS]
    )
