"""Rows of Arrow arrays: where a condition holds, and replacing values there."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.protocol.arrow import keep_pandas_out

Rows = NDArray[np.int64]
COMPARISONS: dict[str, Callable[[Any, Any], pa.Array]] = {
    "eq": pc.equal,
    "ne": pc.not_equal,
    "gt": pc.greater,
    "gte": pc.greater_equal,
    "lt": pc.less,
    "lte": pc.less_equal,
}

keep_pandas_out()


def where(mask: pa.Array) -> Rows:
    """Return the positions where a boolean array is true; null counts as false."""
    filled = pc.fill_null(mask, False) if mask.null_count else mask
    return np.flatnonzero(filled.to_numpy(zero_copy_only=False)).astype(np.int64, copy=False)


def replaced(values: pa.Array, rows: Rows, by: pa.Array) -> pa.Array:
    """Return values with ``by`` in the given rows. values: n; rows and by: m each."""
    mask = np.zeros(len(values), dtype=bool)
    mask[rows] = True
    return pc.replace_with_mask(values, pa.array(mask), by)
