"""Where the rows of a table are in the file that it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from common import storage
from staging.arrays import take
from staging.stored import StoredTable
from tabular.model.table import BESIDE, KINDS_COLUMN, PAGE_COLUMN, ROW_COLUMN

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows
    from staging.manifest import Manifest


@dataclass(frozen=True)
class Numbers:
    """Where a source's rows are in the file: physical rows from 0, pages from 1."""

    table: StoredTable

    def rows(self, positions: Rows) -> list[int]:
        """Return the physical rows."""
        return [int(row) for row in self.table.take(ROW_COLUMN, positions).to_pylist()]

    def pages(self, positions: Rows) -> list[int | None]:
        """Return the pages, each None in a file without pages."""
        if PAGE_COLUMN not in self._names:
            return [None] * len(positions)
        pages: list[int | None] = self.table.take(PAGE_COLUMN, positions).to_pylist()
        return pages

    @cached_property
    def columns(self) -> frozenset[str]:
        """The columns of the file."""
        return self._names - BESIDE

    def cells(self, column: str, positions: Rows) -> pa.Array:
        """Return the texts of a column as they are in the file."""
        return self.table.take(column, positions)

    def kinds(self, column: str, positions: Rows) -> pa.Array | None:
        """Return the kinds of those cells, n int8, or None if all are text."""
        if column not in self._kinds:
            return None
        import pyarrow as pa

        table, at, starts = self.table.around(positions)
        chunks = [chunk.field(self._kinds[column]) for chunk in table.column(KINDS_COLUMN).chunks]
        return take(pa.chunked_array(chunks, pa.int8()), at, starts)

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.table.schema.names)

    @cached_property
    def _kinds(self) -> dict[str, int]:
        """The columns that hold more than text, with their places among the kinds."""
        if KINDS_COLUMN not in self._names:
            return {}
        kinds = self.table.schema.field(KINDS_COLUMN).type
        return {field.name: place for place, field in enumerate(kinds)}


def source_file(manifest: Manifest) -> str:
    """Return the name of the file's text in storage."""
    return f"{manifest.source}/source.arrow"


def source_path(manifest: Manifest) -> Path:
    """Return the local path of the file's text."""
    return storage.local_path(source_file(manifest))
