"""Choose which candidate grids of a page are its tables, without captions and charts."""

from __future__ import annotations

from dataclasses import replace

from tabular.reading.pdf.grids.aligned import aligned_grids
from tabular.reading.pdf.grids.content import EMPTIEST, content_score
from tabular.reading.pdf.grids.grid import Grid, Row
from tabular.reading.pdf.grids.ruled import ruled_grids
from tabular.reading.pdf.pages.page import Box, Page

CHART_SLOTS = 6  # slots of an empty lattice that is the frame of a chart
AXIS = 36.0  # points around a chart that hold the labels of its axes
NEARLY_ALL = 0.8  # share of the columns that a caption covers


def trimmed(grid: Grid) -> Grid:
    """Return the grid without empty rows and, at both ends, rows of one text over all columns."""
    rows = [row for row in grid.rows if row.filled]
    while len(rows) > 2 and _is_caption(rows[0], grid.width):
        rows.pop(0)
    while len(rows) > 2 and _is_caption(rows[-1], grid.width):
        rows.pop()
    return replace(grid, rows=tuple(rows))


def _is_caption(row: Row, width: int) -> bool:
    if row.filled != 1 or width < 3:
        return False
    return any(
        row.cells[first] and last - first + 1 >= NEARLY_ALL * width for first, last in row.spans
    )


def is_chart(grid: Grid) -> bool:
    """Return whether an almost empty lattice frames a drawing."""
    slots = grid.width * len(grid.rows)
    return slots >= CHART_SLOTS and sum(row.filled for row in grid.rows) < EMPTIEST * slots


def chart_box(grid: Grid) -> Box:
    """Return a chart's box with the labels of its axes."""
    box = grid.box
    return Box(box.x0 - AXIS, box.y0 - AXIS / 2, box.x1 + AXIS, box.y1 + AXIS)


WEAKEST = 3.0  # content score below which a grid is not a table
POOR = 0.6  # content score per cell below which a drawn grid is compared with its text
AS_GOOD = 0.9  # times the score of the text alone that lines in a picture must reach
BETTER = 1.15  # times the score of a drawn grid that its text alone must reach to replace it


def grids_of(page: Page) -> list[Grid]:
    """Return a page's best grids that do not overlap, by its lines or those of its picture."""
    grids = _grids(page)
    if not page.pictured_across or not page.pictured_down:
        return grids
    by_picture = _grids(
        replace(page, horizontals=page.pictured_across, verticals=page.pictured_down)
    )
    return by_picture if _total(by_picture) >= AS_GOOD * _total(grids) else grids


def _total(grids: list[Grid]) -> float:
    return sum(grid.score for grid in grids)


def _grids(page: Page) -> list[Grid]:
    drawn = [scored(grid) for grid in ruled_grids(page)]
    kept = [grid for grid in drawn if grid.score > WEAKEST]
    charts = [chart_box(grid) for grid in drawn if grid not in kept and is_chart(grid)]
    tables = [table for grid in kept for table in _best(grid, page)]
    taken = [grid.box for grid in kept] + charts
    aligned = [scored(grid) for grid in aligned_grids(page, taken)]
    return tables + [grid for grid in aligned if grid.score > WEAKEST]


def scored(grid: Grid) -> Grid:
    """Return the grid without captions and empty rows, scored by its contents."""
    whole = trimmed(grid)
    return replace(whole, score=content_score(whole))


def _best(grid: Grid, page: Page) -> list[Grid]:
    """Read the text inside a poor drawn grid by its columns too, and return what scores better."""
    cells = sum(row.filled for row in grid.rows)
    if grid.score >= POOR * cells:
        return [grid]
    words = tuple(word for word in page.words if grid.box.holds(*word.box.middle, slack=1.0))
    rivals = [scored(rival) for rival in aligned_grids(replace(page, words=words), [])]
    if sum(rival.score for rival in rivals) > BETTER * grid.score:
        return [rival for rival in rivals if rival.score > WEAKEST]
    return [grid]
