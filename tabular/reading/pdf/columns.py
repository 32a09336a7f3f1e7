"""Where the columns of a block of lines are."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from itertools import pairwise

from tabular.reading.pdf.page import Box
from tabular.reading.pdf.segments import Line, Segment

OVERLAP = 1.0  # points that segments of neighbouring columns may overlap
SAMPLE = 120  # lines looked at to see whether a segment lies over columns
STRAY = 0.06  # share of lines whose segments may run into the next column


def column_edges(lines: list[Line], *, lone: bool = False) -> list[float]:
    """
    Give the borders of the columns, from the left; one more than columns.

    lone: lines of a single segment count too, which prose would spoil.

    1. Leave out segments that lie over two or more segments of most other lines: titles over
       columns, prose.
    2. What is left falls into bands of overlapping segments: the columns.
    3. A band that holds two segments in many lines is parted where the fewest segments cross.
    """
    wide = [line for line in lines if lone or len(line.segments) > 1] or lines
    gaps = sorted(_middle_gap(a, b) for line in wide for a, b in pairwise(line.segments))
    sample = wide[:: len(wide) // SAMPLE + 1]
    plain = [
        [segment for segment in line.segments if not _spanning(segment, gaps, sample)]
        for line in wide
    ]
    spans = sorted((s.box.x0, s.box.x1) for line in plain for s in line)
    bands = _bands(spans)
    bands = [part for band in bands for part in _parted(band, plain)]
    if not bands:
        return []
    middles = [(a[1] + b[0]) / 2 for a, b in pairwise(bands)]
    return [bands[0][0] - 1, *middles, bands[-1][1] + 1]


def _middle_gap(left: Segment, right: Segment) -> float:
    return (left.box.x1 + right.box.x0) / 2


def _spanning(segment: Segment, gaps: list[float], lines: list[Line]) -> bool:
    # Nearly every segment of a table lies over no gap of another line: no need to look closer.
    if bisect_left(gaps, segment.box.x0) == bisect_right(gaps, segment.box.x1):
        return False
    several = single = 0
    for line in lines:
        under = sum(1 for other in line.segments if _common(segment.box, other.box) > 2 * OVERLAP)
        several += under > 1
        single += under == 1
    return several >= max(2, single) if several else False


def _common(one: Box, other: Box) -> float:
    return min(one.x1, other.x1) - max(one.x0, other.x0)


def _bands(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    bands: list[tuple[float, float]] = []
    for start, end in spans:
        if bands and start < bands[-1][1] - OVERLAP:
            bands[-1] = (bands[-1][0], max(bands[-1][1], end))
        elif bands and start < bands[-1][1]:
            bands.append((bands[-1][1], max(end, bands[-1][1])))
        else:
            bands.append((start, end))
    return bands


def _parted(band: tuple[float, float], lines: list[list[Segment]]) -> list[tuple[float, float]]:
    inside = [
        [s for s in line if s.box.x0 >= band[0] - OVERLAP and s.box.x1 <= band[1] + OVERLAP]
        for line in lines
    ]
    held = [line for line in inside if line]
    double = [line for line in held if len(line) > 1]
    if len(double) < max(2, 0.3 * len(held)):
        return [band]
    cut = _thinnest(double, [s for line in held for s in line])
    crossing = sum(1 for line in held for s in line if s.box.x0 < cut - 1 < cut + 1 < s.box.x1)
    if crossing > max(1, STRAY * len(held)):
        return [band]
    return [
        *_parted((band[0], cut), lines),
        *_parted((cut, band[1]), lines),
    ]


def _thinnest(double: list[list[Segment]], segments: list[Segment]) -> float:
    places = sorted(
        (a.box.x1 + b.box.x0) / 2 for line in double for a, b in itertools.pairwise(line)
    )
    return min(
        places, key=lambda place: sum(1 for s in segments if s.box.x0 + 1 < place < s.box.x1 - 1)
    )


def occupied(box: Box, edges: list[float]) -> tuple[int, int]:
    """Give the first and last column a box reaches into by more than a hair."""
    reached = [
        index
        for index in range(len(edges) - 1)
        if min(box.x1, edges[index + 1]) - max(box.x0, edges[index])
        > min(2 * OVERLAP, 0.4 * box.width)
    ]
    if reached:
        return reached[0], reached[-1]
    middle = (box.x0 + box.x1) / 2
    nearest = min(range(len(edges) - 1), key=lambda i: abs((edges[i] + edges[i + 1]) / 2 - middle))
    return nearest, nearest


def fits(line: Line, edges: list[float]) -> bool:
    """Say whether a line's segments each have a column of their own."""
    homes = [occupied(segment.box, edges) for segment in line.segments]
    inside = all(edges[0] - 3 <= s.box.x0 and s.box.x1 <= edges[-1] + 3 for s in line.segments)
    return inside and all(a[1] < b[0] for a, b in itertools.pairwise(homes))
