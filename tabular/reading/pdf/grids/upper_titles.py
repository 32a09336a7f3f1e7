"""Titles above several columns: which ones each of them heads, by position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from tabular.reading.pdf.grids.content import is_year, kind_of
from tabular.reading.pdf.grids.grid import text_of
from tabular.reading.pdf.grids.strips import TITLE_LINES, Strip
from tabular.reading.pdf.pages.page import Box, Word, around

MOST_TITLES = 8  # in one line; more titles name one column each
OFF_CENTRE = 0.25  # of the width it heads: a title farther from its middle heads other columns
BEYOND = 0.5  # of the width it heads: so far the last title may reach beyond the last texts
SLACK = 3.0  # points that a title may reach beyond its columns
UNEVEN = 0.5  # points of cost for each column that one title heads more than another
VALUES = {"number", "date", "code"}


def with_upper_titles_spread(strips: Sequence[Strip]) -> list[Strip]:
    """
    Return the lines with each upper title over the columns it heads.

    A title is above the middle of its columns, begins where the first of them begins, or ends
    where the last one ends. Its columns are named in the line below, next to each other, and no
    other title of the line heads one of them. If no such division fits, the lines stay as they are.
    """
    spread = list(strips)
    names = _line_of_names(strips)
    extents = _extents(strips[names:])
    for index in range(names):
        spans = _spans(spread[index], strips[names], extents)
        if spans:
            spread[index] = _moved(spread[index], spans)
    return spread


def _line_of_names(strips: Sequence[Strip]) -> int:
    """Return the number of the last line above the first values, 0 if values come first."""
    for index, strip in enumerate(strips[: TITLE_LINES + 1]):
        texts = [text_of(words) for words in strip.cells if words]
        if any(kind_of(text) in VALUES and not is_year(text) for text in texts):
            return max(index - 1, 0)
    return 0


def _extents(strips: Sequence[Strip]) -> list[Box | None]:
    """Return the box around the texts of each column, None if it has none."""
    boxes: list[list[Box]] = [[] for _ in strips[0].cells]
    for strip in strips:
        merged = {column for first, last in strip.spans for column in range(first, last + 1)}
        for column, words in enumerate(strip.cells):
            if column not in merged:
                boxes[column] += [word.box for word in words]
    return [around(title_boxes) if title_boxes else None for title_boxes in boxes]


def _spans(upper: Strip, names: Strip, extents: Sequence[Box | None]) -> list[tuple[int, int]]:
    """Return the first and last column of each title of a line, or nothing if none fits."""
    titles = [around([word.box for word in words]) for words in upper.cells if words]
    named = [column for column in sorted(names.filled) if extents[column] is not None]
    below = [column for column in sorted(upper.filled) if column in names.filled]
    if not titles or len(titles) > MOST_TITLES or len(below) < len(titles):
        return []
    best: tuple[float, list[tuple[int, int]]] | None = None
    for parts in _divisions(named, len(titles)):
        cost = _cost(titles, parts, extents, names)
        if cost is not None and (best is None or cost < best[0]):
            best = cost, [(part[0], part[-1]) for part in parts]
    return best[1] if best and any(first < last for first, last in best[1]) else []


def _divisions(columns: Sequence[int], count: int) -> Iterator[list[Sequence[int]]]:
    """Yield divisions of the columns, from any first one to the last, into runs without gaps."""
    places = range(len(columns))
    for starts in combinations(places, count):
        yield [columns[a:b] for a, b in pairwise((*starts, len(columns)))]


def _cost(
    titles: Sequence[Box],
    parts: Sequence[Sequence[int]],
    extents: Sequence[Box | None],
    names: Strip,
) -> float | None:
    """Return how far titles are from heading these columns exactly, or None if too far."""
    cost = 0.0
    for title, part in zip(titles, parts, strict=True):
        whole = around([box for column in part if (box := extents[column]) is not None])
        before = max((box.x1 for box in extents[: part[0]] if box), default=None)
        after = min((box.x0 for box in extents[part[-1] + 1 :] if box), default=None)
        if before is not None and title.x0 < before - SLACK:
            return None
        is_alone = len(titles) == 1  # as a line above the table is
        beyond = SLACK if is_alone else BEYOND * whole.width
        if title.x1 > (whole.x1 + beyond if after is None else after + SLACK):
            return None
        # The borders of the cell are somewhere between its texts and those next to it.
        low = whole.middle[0] if before is None else (before + whole.x1) / 2
        high = whole.middle[0] if after is None else (whole.x0 + after) / 2
        centred = max(0.0, low - title.middle[0], title.middle[0] - high)
        begun, ended = abs(title.x0 - whole.x0), abs(title.x1 - whole.x1)
        is_begun = title.x0 <= whole.x0 + SLACK
        is_ended = title.x1 >= whole.x1 - SLACK and not is_alone
        if not is_begun and not is_ended and centred > OFF_CENTRE * whole.width:
            return None
        cost += min(centred, begun, ended)
    sizes = [len(part) for part in parts]
    named = {tuple(text_of(names.cells[column]) for column in part) for part in parts}
    is_repeated = len(parts) > 1 and len(named) == 1 and sizes[0] > 1
    return -1.0 if is_repeated else cost + UNEVEN * (max(sizes) - min(sizes))


def _moved(strip: Strip, spans: Sequence[tuple[int, int]]) -> Strip:
    """Return a line with its texts in the first columns of their spans."""
    cells: list[list[Word]] = [[] for _ in strip.cells]
    filled = (words for words in strip.cells if words)
    for (first, _), words in zip(spans, filled, strict=True):
        cells[first] = words
    merged = tuple(span for span in spans if span[0] < span[1])
    return replace(strip, cells=cells, spans=merged)
