"""Which of the candidate grids of a page are its tables."""

from __future__ import annotations

from dataclasses import replace

from tabular.reading.pdf.aligned import aligned_grids
from tabular.reading.pdf.content import content_score
from tabular.reading.pdf.grid import Grid
from tabular.reading.pdf.page import Page
from tabular.reading.pdf.ruled import ruled_grids
from tabular.reading.pdf.trimming import chart_box, is_chart, trimmed

WEAKEST = 3.0  # content score below which a grid is no table
POOR = 0.6  # content score a cell below which a drawn grid has to stand up to its text
AS_GOOD = 0.9  # times the score of the text alone that lines in a picture must reach
BETTER = 1.15  # times the score of a drawn grid that its text alone must reach to replace it


def grids_of(page: Page) -> list[Grid]:
    """Give the best grids of a page that do not overlap, by its lines or its picture's."""
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
    """Give the grid without captions and empty rows, scored by its contents."""
    whole = trimmed(grid)
    return replace(whole, score=content_score(whole))


def _best(grid: Grid, page: Page) -> list[Grid]:
    """Read the text inside a poor drawn grid by its columns too, and take what scores better."""
    cells = sum(row.filled for row in grid.rows)
    if grid.score >= POOR * cells:
        return [grid]
    words = tuple(word for word in page.words if grid.box.holds(*word.box.middle, slack=1.0))
    rivals = [scored(rival) for rival in aligned_grids(replace(page, words=words), [])]
    if sum(rival.score for rival in rivals) > BETTER * grid.score:
        return [rival for rival in rivals if rival.score > WEAKEST]
    return [grid]
