"""Texts as matrices of bytes, for arithmetic on their characters."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.values.arrays import Rows

Bytes = NDArray[np.uint8]


def by_length(texts: pa.Array, rows: Rows) -> Iterator[tuple[Rows, Bytes]]:
    """
    Group ASCII texts by length.

    texts: n strings. rows: the m rows to look at, none of them null. Yields rows and their
    characters, one matrix of (rows, length) bytes per length.
    """
    chosen = texts if len(rows) == len(texts) else texts.take(pa.array(rows))
    lengths = pc.binary_length(chosen).to_numpy(zero_copy_only=False)
    for length in np.unique(lengths):
        at = np.flatnonzero(lengths == length)
        fixed = pc.cast(chosen.take(pa.array(at)), pa.binary()).cast(pa.binary(int(length)))
        payload = np.frombuffer(fixed.buffers()[1], np.uint8)
        start = fixed.offset * length
        matrix = payload[start : start + len(at) * length].reshape(len(at), length)
        yield rows[at], matrix
