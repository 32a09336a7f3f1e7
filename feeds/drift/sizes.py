"""How large the numbers of a column are, compared as histograms over powers of ten."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable

from feeds.drift.picture import BINS, Numbers

Sizes = Counter[int]


def sizes_of(pictures: Iterable[Numbers]) -> Sizes:
    """Return one histogram of several, as if they were one column."""
    sizes: Sizes = Counter()
    for numbers in pictures:
        sizes.update(dict(numbers.sizes))
    return sizes


def distance(before: Sizes, after: Sizes) -> float:
    """
    Return how far apart the numbers are, in powers of ten (the Wasserstein distance).

    >>> distance(Counter({0: 5}), Counter({40: 5}))
    2.0
    """
    totals = before.total(), after.total()
    if not all(totals):
        return 0.0
    bins = sorted(before.keys() | after.keys())
    apart = share = 0.0
    for low, high in itertools.pairwise(bins):
        share += before[low] / totals[0] - after[low] / totals[1]
        apart += abs(share) * (high - low)
    return apart / BINS


def overlap(before: Numbers, after: Numbers) -> float:
    """Return the share of equally large numbers, in bins of half a power of ten."""
    shares = [
        {size: count / total for size, count in sizes.items()}
        for sizes in map(_coarse, (before, after))
        if (total := sizes.total())
    ]
    if len(shares) < 2:
        return 0.0
    return sum(min(share, shares[1].get(size, 0.0)) for size, share in shares[0].items())


def _coarse(numbers: Numbers) -> Sizes:
    sizes: Sizes = Counter()
    for bin_, count in numbers.sizes:
        sizes[bin_ * 2 // BINS] += count
    return sizes


def typical(sizes: Sizes) -> float:
    """
    Return the median absolute value.

    >>> round(typical(Counter({20: 1, 40: 1, 60: 1})))
    106
    """
    left = sizes.total() / 2
    for bin_ in sorted(sizes):
        left -= sizes[bin_]
        if left <= 0:
            return float(10 ** ((bin_ + 0.5) / BINS))
    return 0.0


def deviation(sizes: Sizes) -> float:
    """Return the standard deviation, in powers of ten."""
    total = sizes.total()
    if not total:
        return 0.0
    mean = sum(bin_ * count for bin_, count in sizes.items()) / total
    square = sum(count * (bin_ - mean) ** 2 for bin_, count in sizes.items()) / total
    return math.sqrt(square) / BINS


def factor(before: Sizes, after: Sizes) -> float:
    """Return by how much the numbers grew: a power of ten if one is within a quarter."""
    ratio = typical(after) / typical(before)
    power = float(10 ** round(math.log10(ratio)))
    return power if 0.75 <= ratio / power <= 1.33 else ratio
