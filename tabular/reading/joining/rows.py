"""The rows of a table kept on disk, to take any of them, a part of the file at a time."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabular.model.problem import Limits
from tabular.model.table import KINDS_COLUMN, ROW_COLUMN, Body, Table
from tabular.protocol import tables
from tabular.reading.batches import joined, schema_of
from tabular.reading.joining.keys import NONE
from tabular.reading.limiting import check_counts

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

_PART_ROWS = 100_000
_PART_BYTES = 32 << 20


class KeptRows:
    """The rows of a body in a file of its own, which lives as long as this object."""

    def __init__(self, table: Table, body: Body, limits: Limits) -> None:
        folder = tempfile.mkdtemp(prefix="joined-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._path = Path(folder) / "rows.arrow"
        self._columns = len(table.columns)
        schema = _write(self._path, table, body, limits)
        self.has_kinds = KINDS_COLUMN in schema.names[:2]

    @cached_property
    def whole(self) -> pa.Table:
        """The rows, mapped into memory."""
        return tables.whole(self._path)

    @cached_property
    def numbers(self) -> Numbers:
        """The physical number of each row."""
        numbers: Numbers = self.whole[ROW_COLUMN].to_numpy()
        return numbers

    def column(self, place: int) -> pa.ChunkedArray[Any]:
        """Return the texts of a column of the table."""
        return self.whole.column(1 + self.has_kinds + place)

    def taken(self, at: Numbers) -> tuple[list[Any], list[Any]]:
        """Return the texts and the kinds of each column in some rows, which may be NONE."""
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        there = np.flatnonzero(at != NONE)
        there = there[np.argsort(at[there], kind="stable")]
        batches = self._batches
        part_of = np.searchsorted(self._starts, at[there], side="right") - 1
        parts = [
            batches[part].take(pa.array(at[there][part_of == part] - self._starts[part]))
            for part in np.unique(part_of).tolist()
        ]
        places = np.zeros(len(at), np.int64)
        places[there] = np.arange(len(there))
        if not parts:
            no_text, no_kind = pa.nulls(len(at), pa.string()), pa.nulls(len(at), pa.int8())
            return [no_text] * self._columns, [pc.fill_null(no_kind, 0)] * self._columns
        rows = joined(parts).take(pa.array(places, mask=at == NONE))
        first = 1 + self.has_kinds
        kinds = rows.column(1).flatten() if self.has_kinds else ()
        no_kind = pa.repeat(pa.scalar(0, pa.int8()), len(at))
        return (
            list(rows.columns[first:]),
            [pc.fill_null(kind, 0) for kind in kinds] or [no_kind] * self._columns,
        )

    @cached_property
    def _batches(self) -> list[pa.RecordBatch]:
        batches: list[pa.RecordBatch] = self.whole.to_batches()
        return batches

    @cached_property
    def _starts(self) -> Numbers:
        import numpy as np

        sizes = [batch.num_rows for batch in self._batches]
        return np.cumsum([0, *sizes[:-1]], dtype=np.int64)


def _write(path: Path, table: Table, body: Body, limits: Limits) -> pa.Schema:
    """Write a body in parts of a size that is quick to take rows from."""
    import pyarrow as pa

    schema, rows = schema_of(table.columns), 0
    held: list[pa.RecordBatch] = []
    writer: pa.RecordBatchFileWriter | None = None
    try:
        for batch in body.batches():
            rows += batch.num_rows
            check_counts(rows, len(table.columns), limits)
            if writer is None:
                schema = batch.schema
                writer = pa.ipc.new_file(str(path), schema)
            held.append(batch)
            if sum(part.num_rows for part in held) >= _PART_ROWS or _size(held) >= _PART_BYTES:
                writer.write_batch(joined(held))
                held = []
        writer = writer or pa.ipc.new_file(str(path), schema)
        if held:
            writer.write_batch(joined(held))
    finally:
        if writer is not None:
            writer.close()
    return schema


def _size(batches: list[pa.RecordBatch]) -> int:
    return sum(batch.nbytes for batch in batches)
