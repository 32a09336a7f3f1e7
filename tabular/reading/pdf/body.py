"""The body of a PDF table, streamed as record batches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tabular.model.issue import Issue
from tabular.model.table import BOXES_COLUMN, PAGE_COLUMN, ROW_COLUMN, LeftOut, Table
from tabular.reading.batches import rows_per_batch
from tabular.reading.pdf.grid import Row

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class PdfBody:
    """Rows of one table with their physical numbers."""

    table: Table
    rows: tuple[tuple[int, Row], ...]
    issues: tuple[Issue, ...] = ()
    others: tuple[LeftOut, ...] = ()  # what is not in the body

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Stream ROW_COLUMN, PAGE_COLUMN, BOXES_COLUMN, then a string column per name."""
        import pyarrow as pa

        size = rows_per_batch(len(self.table.columns))
        names = [ROW_COLUMN, PAGE_COLUMN, BOXES_COLUMN, *self.table.columns]
        for start in range(0, len(self.rows), size):
            part = self.rows[start : start + size]
            arrays: list[pa.Array[Any]] = [
                pa.array([number for number, _ in part], pa.int64()),
                pa.array([row.page for _, row in part], pa.int32()),
                pa.array([row.boxes for _, row in part], pa.list_(pa.float32())),
            ]
            for column in range(len(self.table.columns)):
                cells = [row.cells[column] or None for _, row in part]
                arrays.append(pa.array(cells, pa.string()))
            yield pa.RecordBatch.from_arrays(arrays, names=names)

    def settled(self) -> tuple[Table, tuple[Issue, ...]]:
        """Give the table with its exact row count, and what was odd."""
        return replace(self.table, row_count=len(self.rows)), self.issues

    def left_out(self) -> Iterator[LeftOut]:
        """Give every row that is not in the body."""
        return iter(self.others)
