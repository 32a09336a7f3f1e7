"""
What is usual, from few and unequal examples: a range that ordinary next values are in.

Its center is the median of the last ones, which one odd file does not move and which follows a
season. It reaches to where the trend leads.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

DEVIATIONS = 6.0  # that an ordinary value is from the center at most
NORMAL = 1.4826  # the standard deviation over the median absolute one, of normal noise
RECENT = 5  # examples that the center is of
WIDER = {1: 1.6, 2: 1.15, 3: 1.1}  # by the number of examples: few show little of what is usual
TREND_FROM = 4  # examples


@dataclass(frozen=True, slots=True)
class Usual:
    """The range of ordinary values, and its center."""

    low: float
    center: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def usual(examples: Sequence[float], *, floor: float) -> Usual:
    """
    Return the range of the next value. examples: the oldest first. floor: its least half width.

    >>> usual([10, 10, 10, 10, 10], floor=3)
    Usual(low=7.0, center=10, high=13.0)
    """
    center = median(examples[-RECENT:])
    step, middle = _trend(examples), (len(examples) - 1) / 2
    level = median(examples)
    noise = median(abs(x - level - step * (at - middle)) for at, x in enumerate(examples))
    width = max(floor, DEVIATIONS * NORMAL * noise) * WIDER.get(len(examples), 1.0)
    ahead = center + step * (min(RECENT, len(examples)) + 1) / 2
    return Usual(min(center, ahead) - width, center, max(center, ahead) + width)


def _trend(examples: Sequence[float]) -> float:
    """Return the median step from example to example."""
    if len(examples) < TREND_FROM:
        return 0.0
    return median(after - before for before, after in itertools.pairwise(examples))
