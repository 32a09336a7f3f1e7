"""
How many distinct values a column has, and a fair sample of them, in one pass and bounded memory.

The sample is the k least hashes (KMV, Bar-Yossef et al. 2002): equal values have equal hashes, so
the samples of two columns also show which share of their values is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabular.types.hashing import hash_rows

SIZE = 256  # hashes that are kept: the estimate is right within 6 %, one standard deviation
WHOLE = 1 << 32
_TRIED = 4_096  # rows that show whether a batch repeats its values
_MIX = tuple(np.uint64(prime) for prime in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB))

Hashes = NDArray[np.uint64]


@dataclass
class Sketch:
    """
    The distinct values of one column.

    least: the least hashes, ascending. content: the sum of all hashes, so in any order. texts: of a
    column of texts, those with the least hashes.
    """

    least: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))
    content: int = 0
    texts: dict[int, str] = field(default_factory=dict)

    def add(self, values: pa.Array) -> None:
        """Add a batch of values without nulls."""
        if not len(values):
            return
        distinct, hashes, counts = _counted(values)
        self.content = (self.content + int((hashes * counts).sum(dtype=np.uint64))) % (1 << 64)
        top = (hashes >> np.uint64(32)).astype(np.uint32)
        rows = np.flatnonzero(top < self.least[-1]) if len(self.least) == SIZE else None
        new, at = np.unique(top if rows is None else top[rows], return_index=True)
        self.least = np.union1d(self.least, new[:SIZE])[:SIZE]
        if pa.types.is_string(values.type):
            places = at[:SIZE] if rows is None else rows[at[:SIZE]]
            self.texts.update(
                zip(new[:SIZE].tolist(), distinct.take(pa.array(places)).to_pylist(), strict=True)
            )
            self.texts = {least: self.texts[least] for least in self.least.tolist()}

    @property
    def distinct(self) -> int:
        """How many distinct values there are: exact below SIZE, else estimated."""
        return distinct_of(self.least.tolist())


def distinct_of(least: Sequence[int]) -> int:
    """
    Return how many distinct values there are, by their least hashes.

    >>> distinct_of([5, 70, 900])
    3
    """
    if len(least) < SIZE:
        return len(least)
    return round((SIZE - 1) * WHOLE / max(1, least[-1]))


def share_known(sample: Sequence[int], earlier: Sequence[Sequence[int]]) -> float | None:
    """
    Return which share of a column's distinct values earlier ones had, or None if too few show it.

    >>> share_known([1, 2, 3, 4], [[1, 2], [2, 3]])
    0.75
    """
    full = [least[-1] for least in (sample, *earlier) if len(least) == SIZE]
    bound = min(full, default=WHOLE)
    within = {value for value in sample if value <= bound}
    if not within or (full and len(within) < _FEW):
        return None
    return len(within & {value for least in earlier for value in least}) / len(within)


_FEW = 30  # hashes below which a share is chance


def _counted(values: pa.Array) -> tuple[pa.Array, Hashes, Hashes]:
    """Return values, the hash of each, and how often it occurs; a value may appear repeatedly."""
    if pa.types.is_integer(values.type) or pa.types.is_floating(values.type):
        bits = values.to_numpy().astype(np.float64).view(np.uint64)
        return values, mixed(bits), np.ones(len(bits), np.uint64)
    tried = values[:_TRIED]
    if len(tried.unique()) * 4 < len(tried):
        encoded = values.dictionary_encode()
        counts = np.bincount(encoded.indices.to_numpy(), minlength=len(encoded.dictionary))
        distinct = encoded.dictionary
        return distinct, mixed(hash_rows([distinct])), counts.astype(np.uint64)
    return values, mixed(hash_rows([values])), np.ones(len(values), np.uint64)


def mixed(bits: Hashes) -> Hashes:
    """Return well mixed hashes of some bits (the finalizer of splitmix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * _MIX[0]
    bits = (bits ^ (bits >> np.uint64(27))) * _MIX[1]
    return bits ^ (bits >> np.uint64(31))
