"""Morphology on boolean pictures: opening by straight lines, connected components, dilation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ink = NDArray[np.bool_]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Runs:
    """Stretches of ink within rows, from the top, each row from the left. Ends are exclusive."""

    rows: Places
    starts: Places
    ends: Places

    def __len__(self) -> int:
        """Return the number of runs."""
        return len(self.rows)

    def where(self, chosen: NDArray[np.bool_]) -> Runs:
        """Return the runs that a mask chooses."""
        return Runs(self.rows[chosen], self.starts[chosen], self.ends[chosen])


def runs_of(ink: Ink) -> Runs:
    """
    Return the runs of a picture.

    >>> runs_of(np.array([[True, True, False, True]])).starts.tolist()
    [0, 3]
    """
    height, width = ink.shape
    framed = np.zeros((height, width + 2), bool)
    framed[:, 1:-1] = ink
    edges = np.flatnonzero(framed[:, 1:] != framed[:, :-1])
    rows, starts = np.divmod(edges[::2], width + 1)
    return Runs(rows, starts, edges[1::2] - rows * (width + 1))


def opened(ink: Ink, length: int) -> Runs:
    """
    Return the opening of a picture by a level line, as runs.

    Opening by a line keeps the runs that are at least as long as the line (P. Soille,
    Morphological Image Analysis, 2nd edition 2003, chapter 4). Outside of the
    picture is paper.
    """
    runs = runs_of(ink)
    return runs.where(runs.ends - runs.starts >= length)


def components(runs: Runs) -> Places:
    """
    Return the number of each run's component, from 0, in the order of their first runs.

    Runs touch if they are in neighboring rows and share a column or a corner, as in L. He, Y. Chao
    and K. Suzuki, A Run-Based Two-Scan Labeling Algorithm (IEEE Transactions on Image Processing
    17(5), 2008). What touches is joined at once rather than run by run, by hooking and pointer
    jumping: Y. Shiloach and U. Vishkin, An O(log n) Parallel Connectivity Algorithm (Journal of
    Algorithms 3(1), 1982).
    """
    upper, lower = _touching(runs)
    roots = np.arange(len(runs))
    while True:
        low = np.minimum(roots[upper], roots[lower])
        high = np.maximum(roots[upper], roots[lower])
        apart = low != high
        if not apart.any():
            return np.unique(roots, return_inverse=True)[1]
        np.minimum.at(roots, high[apart], low[apart])
        while not np.array_equal(further := roots[roots], roots):
            roots = further


def _touching(runs: Runs) -> tuple[Places, Places]:
    """Return pairs of runs in neighboring rows that touch: the upper ones, and the lower ones."""
    span = int(runs.ends.max(initial=0)) + 1
    below = (runs.rows + 1) * span
    first = np.searchsorted(runs.rows * span + runs.ends, below + runs.starts, side="left")
    behind = np.searchsorted(runs.rows * span + runs.starts, below + runs.ends, side="right")
    counts = np.maximum(behind - first, 0)
    upper = np.repeat(np.arange(len(runs)), counts)
    within = np.arange(len(upper)) - np.repeat(np.cumsum(counts) - counts, counts)
    return upper, first[upper] + within


def boxes_of(runs: Runs, labels: Places) -> Places:
    """Return left, top, right and bottom of each component, the last two exclusive."""
    count = int(labels.max(initial=-1)) + 1
    boxes = np.zeros((count, 4), np.intp)
    boxes[:, :2] = np.iinfo(np.intp).max
    np.minimum.at(boxes[:, 0], labels, runs.starts)
    np.minimum.at(boxes[:, 1], labels, runs.rows)
    np.maximum.at(boxes[:, 2], labels, runs.ends)
    np.maximum.at(boxes[:, 3], labels, runs.rows + 1)
    return boxes


def dilated(ink: Ink, *, height: int, width: int) -> Ink:
    """
    Return where a rectangle around a pixel holds ink; where its sides are even, it leans up left.

    Each side is built from halves of itself: D. Coltuc and I. Pitas, On Fast Running Max-Min
    Filtering (IEEE Transactions on Circuits and Systems II 44(8), 1997).
    """
    return _spread(_spread(ink, width).T, height).T


def _spread(ink: Ink, length: int) -> Ink:
    """Return where a level line around a pixel holds ink."""
    before = length // 2
    spread = np.pad(ink, ((0, 0), (before, length - 1 - before)))
    reached = 1
    while reached < length:
        step = min(reached, length - reached)
        spread = spread[:, :-step] | spread[:, step:]
        reached += step
    return spread
