"""A stable 64-bit hash of columns, for uniqueness groups.

Not cryptographic: equal hashes require comparing the values. Zero means "not part of it".
"""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

BETWEEN = "\x1f"  # the values of a list
Hashes = NDArray[np.uint64]

_PRIMES = tuple(np.uint64(p) for p in (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9))


def hash_rows(columns: Sequence[pa.Array]) -> Hashes:
    """
    Hash the rows over some columns.

    columns: k typed arrays of n values. Returns n uint64; 0 if every part is null.
    """
    total = np.zeros(len(columns[0]), np.uint64)
    blank = np.ones(len(total), dtype=bool)
    for column in columns:
        missing = column.is_null().to_numpy(zero_copy_only=False)
        part = _hash_texts(as_texts(column))
        part[missing] = 0
        blank &= missing
        total = _mixed(total * _PRIMES[0] + part)
    total[total == 0] = 1
    total[blank] = 0
    return total


def as_texts(column: pa.Array) -> pa.Array:
    """Return texts that are equal for equal values. column: n values. Returns n strings."""
    if pa.types.is_string(column.type):
        return column
    if pa.types.is_list(column.type):
        return pc.binary_join(pc.cast(column, pa.list_(pa.string())), BETWEEN)
    return pc.cast(column, pa.string())


def read_aloud(text: str | None) -> str | None:
    """
    Format an ``as_texts`` text for users: the values of a list separated.

    >>> read_aloud("1\\x1f2")
    '1, 2'
    """
    return None if text is None else text.replace(BETWEEN, ", ")


def shown_in_issues(column: pa.Array) -> pa.Array:
    """Return values as issues show them. column: n values. Returns n strings."""
    return pc.replace_substring(as_texts(column), BETWEEN, ", ")


def _hash_texts(texts: pa.Array) -> Hashes:
    """Mix eight bytes at a time, all rows at once."""
    _, bounds, letters = texts.buffers()
    offsets = np.frombuffer(bounds, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    starts, lengths = offsets[:-1].astype(np.int64), np.diff(offsets)
    payload = np.frombuffer(letters or b"", np.uint8)
    padded = np.concatenate([payload, np.zeros(8, np.uint8)])
    words = np.lib.stride_tricks.as_strided(
        padded[:8].view(np.uint64), (len(payload) + 1,), (1,), writeable=False
    )
    return _mix_words(words, starts, lengths)


def _mix_words(words: Hashes, starts: NDArray[np.int64], lengths: NDArray[np.int32]) -> Hashes:
    total = (lengths.astype(np.uint64) + np.uint64(1)) * _PRIMES[2]
    rows = np.flatnonzero(lengths > 0)
    done = 0
    while len(rows):
        word = words[starts[rows] + done]
        left = (lengths[rows] - done).clip(max=8).astype(np.uint64)
        word &= _MASKS[left]
        total[rows] = _mixed((total[rows] ^ word) * _PRIMES[1])
        done += 8
        rows = rows[lengths[rows] > done]
    return total


_MASKS = np.array([(1 << (8 * n)) - 1 for n in range(9)], np.uint64)


def _mixed(words: Hashes) -> Hashes:
    words = words ^ (words >> np.uint64(29))
    words = words * _PRIMES[0]
    mixed: Hashes = words ^ (words >> np.uint64(32))
    return mixed
