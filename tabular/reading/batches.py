"""Rows of cells as Arrow record batches: texts, and the kind of each cell."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tabular.model.table import (
    BESIDE,
    BOXES_COLUMN,
    CONFIDENCE_COLUMN,
    KIND_OF,
    KINDS_COLUMN,
    PAGE_COLUMN,
    ROW_COLUMN,
    Kind,
)

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_CELLS = 200_000  # about 4 MB of typical text
MAX_BATCH_ROWS = 20_000


def rows_per_batch(columns: int) -> int:
    """Return how many rows make a batch of a few MB."""
    return max(1, min(MAX_BATCH_ROWS, BATCH_CELLS // max(1, columns)))


def schema_of(
    columns: Sequence[str],
    *,
    has_kinds: bool = False,
    has_pages: bool = False,
    has_confidence: bool = False,
) -> pa.Schema:
    """
    Return a body's schema.

    has_kinds: the file gives the kinds of cells; has_pages: a PDF's; has_confidence: a picture's.
    """
    import pyarrow as pa

    texts: list[pa.Field[Any]] = [pa.field(name, pa.string()) for name in columns]
    kinds = pa.struct([pa.field(name, pa.int8()) for name in columns])
    beside: list[pa.Field[Any]] = [pa.field(KINDS_COLUMN, kinds)] if has_kinds else []
    if has_pages:
        boxes = pa.field(BOXES_COLUMN, pa.list_(pa.float32()))
        beside += [pa.field(PAGE_COLUMN, pa.int32()), boxes]
    if has_confidence:
        beside.append(pa.field(CONFIDENCE_COLUMN, pa.list_(pa.int8())))
    return pa.schema([pa.field(ROW_COLUMN, pa.int64()), *beside, *texts])


def first_text(batch: pa.RecordBatch) -> int:
    """Return the position of the first column of texts in a body's batch."""
    return sum(name in BESIDE for name in batch.schema.names[: len(BESIDE)])


def to_batch(
    numbers: Sequence[int], columns: Iterable[Sequence[str]], schema: pa.Schema
) -> pa.RecordBatch:
    """
    Return one batch.

    numbers: physical rows. columns: one sequence of texts per column; "" becomes null.
    """
    import pyarrow as pa

    held = list(columns)
    arrays: list[pa.Array[Any]] = [number_array(numbers)]
    if KINDS_COLUMN in schema.names[:2]:
        fields = list(schema.field(1).type)
        arrays.append(pa.StructArray.from_arrays([kind_array(c) for c in held], fields=fields))
    arrays.extend(text_array(column) for column in held)
    return pa.record_batch(arrays, schema=schema)


def kind_array(texts: Sequence[str]) -> pa.Int8Array:
    """Return the kind of each cell; the kind of a cell without text does not matter."""
    import pyarrow as pa

    kinds = {KIND_OF[type_] for type_ in set(map(type, texts))}
    if len(kinds) > 1:
        codes = array("b", map(KIND_OF.__getitem__, map(type, texts))).tobytes()
        return pa.Array.from_buffers(pa.int8(), len(codes), [None, pa.py_buffer(codes)])
    kind = kinds.pop() if kinds else Kind.TEXT
    codes = bytes([kind % 256]) * len(texts)
    return pa.Array.from_buffers(pa.int8(), len(texts), [None, pa.py_buffer(codes)])


def joined(parts: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    """Join small batches into one."""
    import pyarrow as pa

    return pa.Table.from_batches(parts).combine_chunks().to_batches()[0]


def number_array(numbers: Sequence[int]) -> pa.Int64Array:
    """Return an int64 array of row numbers."""
    import numpy as np
    import pyarrow as pa

    if isinstance(numbers, range):
        # Not pa.array: for a numpy array, it imports numpy.ma to check for its types.
        counted = np.arange(numbers.start, numbers.stop, dtype=np.int64)
        return pa.Array.from_buffers(pa.int64(), len(counted), [None, pa.py_buffer(counted)])
    return pa.array(numbers, pa.int64())


def text_array(texts: Sequence[str]) -> pa.StringArray:
    """Return a string array in which empty texts are null."""
    import pyarrow as pa

    if "" in texts:
        return pa.array([text or None for text in texts], pa.string())
    return pa.array(texts, pa.string())
