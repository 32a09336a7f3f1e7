"""Rows with the same wide gap and the same edges, as a program prints them row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf
from statistics import median

from tabular.reading.pdf.grids.columns import Line
from tabular.reading.pdf.grids.strips import ROW_GAP
from tabular.reading.pdf.pages.page import Box

SAME_GAP = 0.12  # of a line's height
SAME_EDGE = 1.5  # points
OVERLAPPING = 0.15  # line heights: lines of two rows do not overlap by more
LATEST = 12  # previous lines whose gaps are compared


def follows_rows(above: Sequence[Line], line: Line) -> bool:
    """
    Return whether a line follows others in the way of their rows, so that it is one of them.

    It keeps the rows' gap, which is wider than in running text, and each of its segments begins,
    ends or is centred where one above does.
    """
    gap = _gap(above[-1], line)
    latest = above[-LATEST:]
    gaps = [_gap(upper, other) for upper, other in pairwise(latest)]
    usual = max((other for other in gaps if abs(other - gap) <= SAME_GAP), default=None)
    return (
        usual is not None
        and gap > ROW_GAP
        and gap <= max(gaps) + SAME_GAP
        and lies_below(above, line)
    )


def wraps_alike(above: Sequence[Line], line: Line) -> bool:
    """Return whether a line is as near as the lines within the cells above, and on their edges."""
    gap = _gap(above[-1], line)
    return gap < _inner_gap(above) + SAME_GAP / 2 and lies_below(above, line)


def leads_alike(line: Line, below: Sequence[Line]) -> bool:
    """
    Return whether a line is above others in the way of lines within their cells.

    One that reaches into the height of the next line is in a cell whose text is centred.
    """
    gap = _gap(line, below[0])
    is_near = gap < _inner_gap(below) + SAME_GAP / 2 or gap < -OVERLAPPING
    return is_near and lies_below(below, line)


def _inner_gap(lines: Sequence[Line]) -> float:
    """
    Return the widest gap within the rows of spaced lines; if there is none, no line is as near.
    """
    gaps = [_gap(above, other) for above, other in pairwise(lines)]
    if max(gaps, default=0.0) <= ROW_GAP:
        return -inf
    return max((gap for gap in gaps if gap < ROW_GAP), default=-inf)


def lies_below(above: Sequence[Line], line: Line) -> bool:
    """Return whether each segment of a line begins, ends or is centred where one above does."""
    boxes = [segment.box for other in above for segment in other.segments]
    return all(any(_aligned(segment.box, box) for box in boxes) for segment in line.segments)


def rows_alike(lines: Sequence[Line], known: Sequence[Line]) -> Iterator[Line]:
    """Yield the first lines of a page that keep the edges and the gaps of known rows."""
    widest = max(_gap(above, other) for above, other in pairwise(known))
    before: Line | None = None
    for line in lines:
        is_far = before is not None and _gap(before, line) > widest + SAME_GAP
        if is_far or not lies_below(known, line):
            return
        yield line
        before = line


def are_spaced(lines: Sequence[Line]) -> bool:
    """Return whether lines are farther apart than those of running text, but within cells."""
    gaps = [_gap(above, other) for above, other in pairwise(lines)]
    if not gaps or median(gaps) > ROW_GAP:
        return bool(gaps)
    return max(gaps) > ROW_GAP + SAME_GAP


def columns_of_one(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the runs of lines that are one column: one segment each, spaced, on one edge."""
    run: list[Line] = []
    for line in lines:
        if run and not (_is_single(line) and _near(run, line)):
            yield run
            run = []
        if _is_single(line):
            run.append(line)
    if run:
        yield run


def _near(run: Sequence[Line], line: Line) -> bool:
    box = line.segments[0].box
    gap = _gap(run[-1], line)
    return all(_aligned(box, other.segments[0].box) for other in run) and gap < 4 * ROW_GAP


def _is_single(line: Line) -> bool:
    return len(line.segments) == 1


def _gap(above: Line, line: Line) -> float:
    return (line.top - above.bottom) / max(line.height, 1.0)


def _aligned(first: Box, other: Box) -> bool:
    return (
        abs(first.x0 - other.x0) < SAME_EDGE
        or abs(first.x1 - other.x1) < SAME_EDGE
        or abs(first.middle[0] - other.middle[0]) < SAME_EDGE
    )
