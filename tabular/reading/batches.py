"""Rows of cells to Arrow record batches, all text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tabular.model.table import ROW_COLUMN

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_CELLS = 200_000  # about 4 MB of usual text
MAX_BATCH_ROWS = 20_000


def rows_per_batch(columns: int) -> int:
    """Say how many rows make a batch of a few MB."""
    return max(1, min(MAX_BATCH_ROWS, BATCH_CELLS // max(1, columns)))


def schema_of(columns: Sequence[str]) -> pa.Schema:
    """Give the schema of a body without pages."""
    import pyarrow as pa

    texts: list[pa.Field[Any]] = [pa.field(name, pa.string()) for name in columns]
    return pa.schema([pa.field(ROW_COLUMN, pa.int64()), *texts])


def to_batch(
    numbers: Sequence[int], columns: Iterable[Sequence[str]], schema: pa.Schema
) -> pa.RecordBatch:
    """
    Make one batch.

    numbers: physical rows. columns: one sequence of texts per column; "" becomes null.
    """
    import pyarrow as pa

    arrays: list[pa.Array[Any]] = [
        number_array(numbers),
        *(text_array(column) for column in columns),
    ]
    return pa.record_batch(arrays, schema=schema)


def joined(parts: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    """Join small batches into one."""
    import pyarrow as pa

    return pa.Table.from_batches(parts).combine_chunks().to_batches()[0]


def number_array(numbers: Sequence[int]) -> pa.Int64Array:
    """Make an int64 array of row numbers."""
    import numpy as np
    import pyarrow as pa

    if isinstance(numbers, range):
        return pa.array(np.arange(numbers.start, numbers.stop), pa.int64())
    return pa.array(numbers, pa.int64())


def text_array(texts: Sequence[str]) -> pa.StringArray:
    """Make a string array in which empty texts are null."""
    import pyarrow as pa

    if "" in texts:
        return pa.array([text or None for text in texts], pa.string())
    return pa.array(texts, pa.string())
