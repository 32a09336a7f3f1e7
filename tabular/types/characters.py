"""Take single characters out of texts, all rows at once."""

from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray


def without(texts: pa.Array, characters: bytes) -> pa.Array:
    """
    Leave out some ASCII characters; twice as fast as a regular expression.

    texts: n strings. Returns n strings.

    >>> without(pa.array(["a b-c", None, ""]), b" -").to_pylist()
    ['abc', None, '']
    """
    _, offsets, payload = texts.buffers()
    if payload is None or not len(texts):
        return texts
    bounds = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    letters = np.frombuffer(payload, np.uint8)[bounds[0] : bounds[-1]]
    kept = _kept(characters)[letters]
    before = np.zeros(len(letters) + 1, np.int32)
    np.cumsum(kept, dtype=np.int32, out=before[1:])
    shorter = before[bounds - bounds[0]]
    return pa.StringArray.from_buffers(
        len(texts), pa.py_buffer(shorter), pa.py_buffer(letters[kept]), _validity(texts)
    )


@cache
def _kept(characters: bytes) -> NDArray[np.bool_]:
    kept = np.ones(256, dtype=bool)
    kept[list(characters)] = False
    return kept


def _validity(texts: pa.Array) -> pa.Buffer | None:
    return pc.is_valid(texts).buffers()[1] if texts.null_count else None
