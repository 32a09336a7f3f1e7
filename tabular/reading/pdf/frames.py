"""Frames: where a table is on its pages, as found or as a person draws it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from tabular.model.places import Frame
from tabular.reading.pdf.grids.choosing import scored
from tabular.reading.pdf.grids.columns import Line, text_lines
from tabular.reading.pdf.grids.content import parting_heights, row_ends, title_rules
from tabular.reading.pdf.grids.folding import folded
from tabular.reading.pdf.grids.grid import Grid
from tabular.reading.pdf.grids.strips import Strip, rows_of
from tabular.reading.pdf.grids.upper_titles import with_upper_titles_spread
from tabular.reading.pdf.pages.page import Box, Page, Word
from tabular.reading.pdf.stitching import Stitched

LEAST_PART = 2.0  # points of a word on each side of a border that cuts it


def frames_of(table: Stitched, pages: Sequence[Page]) -> tuple[Frame, ...]:
    """Return where a table is on each of its pages, as the page shows it."""
    return tuple(_frame_of(grid, pages[grid.page - 1]) for grid in table.grids)


def _frame_of(grid: Grid, page: Page) -> Frame:
    box, edges = grid.box, list(grid.edges)
    x0, x1 = min(box.x0, edges[0]), max(box.x1, edges[-1])
    left, top, right, bottom = page.shown((x0, box.y0, x1, box.y1))
    borders = [page.width - x for x in edges[::-1]] if page.is_mirrored else edges
    inner = tuple(round(x, 1) for x in borders[1:-1])
    sides = (round(left, 1), round(top, 1), round(right, 1), round(bottom, 1))
    return Frame(page.number, sides, (sides[0], *inner, sides[2]), page.turn)


def framed(frames: Sequence[Frame], pages: Sequence[Page]) -> Stitched | None:
    """
    Return the table that frames hold, in the order of pages; None if no text is in them.

    All frames have the same number of columns; a frame on a page that is not there holds nothing.
    """
    there = [frame for frame in frames if 0 < frame.page <= len(pages)]
    grids = [
        grid
        for frame in sorted(there, key=lambda frame: (frame.page, frame.box[1]))
        if (grid := _grid_in(frame, pages[frame.page - 1])) is not None
    ]
    return Stitched(tuple(grids)) if grids else None


def _grid_in(frame: Frame, page: Page) -> Grid | None:
    """Read the text in a frame by its columns."""
    box = Box(*page.shown(frame.box))
    edges = list(frame.columns)
    if page.is_mirrored:
        edges = [page.width - x for x in edges[::-1]]
    words = [word for word in page.words if box.holds(*word.box.middle)]
    lines = text_lines(part for word in words for part in _cut(word, edges[1:-1]))
    if not lines:
        return None
    strips = with_upper_titles_spread([_strip(line, edges) for line in lines])
    rows = tuple(
        rows_of(folded(strips, row_ends(box, page), parting_heights(box, page)), page.number)
    )
    rules = title_rules(box, page)
    return scored(Grid(page.number, box, "framed", rows, tuple(edges), rules=rules))


def _cut(word: Word, borders: Sequence[float]) -> Iterator[Word]:
    """Split a word that a border crosses."""
    for border in borders:
        if word.box.x0 + LEAST_PART < border < word.box.x1 - LEAST_PART:
            left, *rest = word.split(border)
            yield left
            for part in rest:
                yield from _cut(part, borders)
            return
    yield word


def _strip(line: Line, edges: Sequence[float]) -> Strip:
    cells: list[list[Word]] = [[] for _ in edges[1:]]
    for segment in line.segments:
        for word in segment.words:
            column = bisect_right(edges, word.box.middle[0]) - 1
            cells[min(max(column, 0), len(cells) - 1)].append(word)
    return Strip(cells, line.top, line.bottom)
