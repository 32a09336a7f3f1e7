"""Where the rows of a table are in the file that it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from common import storage
from staging.arrays import take
from tabular.model.table import BESIDE, KINDS_COLUMN, PAGE_COLUMN, ROW_COLUMN

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows
    from staging.manifest import Manifest


@dataclass(frozen=True)
class Numbers:
    """Where a source's rows are in the file: physical rows from 0, pages from 1."""

    path: Path

    def rows(self, positions: Rows) -> list[int]:
        """Return the physical rows."""
        return [int(row) for row in take(self._table.column(ROW_COLUMN), positions).to_pylist()]

    def pages(self, positions: Rows) -> list[int | None]:
        """Return the pages, each None in a file without pages."""
        if PAGE_COLUMN not in self._table.column_names:
            return [None] * len(positions)
        pages: list[int | None] = take(self._table.column(PAGE_COLUMN), positions).to_pylist()
        return pages

    @cached_property
    def columns(self) -> frozenset[str]:
        """The columns of the file."""
        return frozenset(self._table.column_names) - BESIDE

    def cells(self, column: str, positions: Rows) -> pa.Array:
        """Return the texts of a column as they are in the file."""
        return take(self._table.column(column), positions)

    def kinds(self, column: str, positions: Rows) -> pa.Array | None:
        """Return the kinds of those cells, n int8, or None if all are text."""
        if column not in self._kinds:
            return None
        return take(self._kinds[column], positions)

    @cached_property
    def _kinds(self) -> dict[str, pa.ChunkedArray]:
        """The kinds of the columns that hold more than text."""
        import pyarrow as pa

        if KINDS_COLUMN not in self._table.column_names:
            return {}
        whole = self._table.column(KINDS_COLUMN)
        names = [field.name for field in whole.type]
        return {
            name: pa.chunked_array([chunk.field(i) for chunk in whole.chunks], pa.int8())
            for i, name in enumerate(names)
        }

    @cached_property
    def _table(self) -> pa.Table:
        from tabular.protocol.tables import whole

        return whole(self.path)


def source_path(manifest: Manifest) -> Path:
    """Return the local path of the file's text."""
    return storage.local_path(manifest.source) / "source.arrow"
