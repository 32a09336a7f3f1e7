"""Tables with little evidence, read if nothing better is found: few columns, a single row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, takewhile

from tabular.reading.pdf.grids.aligned import blocks, box_of, grid_in, grid_of
from tabular.reading.pdf.grids.columns import Line, column_edges, fits, text_lines
from tabular.reading.pdf.grids.content import (
    is_list,
    kind_of,
    painted_bands,
    parting_heights,
    row_ends,
    title_rules,
)
from tabular.reading.pdf.grids.folding import folded
from tabular.reading.pdf.grids.grid import Grid, Row
from tabular.reading.pdf.grids.ruled import ruled_grids
from tabular.reading.pdf.grids.spacing import are_spaced, columns_of_one, rows_alike
from tabular.reading.pdf.grids.strips import Strip, rows_of
from tabular.reading.pdf.pages.page import Page, around
from tabular.reading.pdf.remnant import remnant
from tabular.reading.pdf.stitching import same_columns

SHORT = 6.0  # average words per cell in a table with so little evidence
BOLDER = 100  # of fonts: titles are heavier than values by this
LEAST_NAMED, LEAST_VALUES = 4, 2  # columns with titles, and values below these: a table of one row
NAMED_ROWS = 3  # upper titles, titles, values
SURENESS = 0.5  # score of a filled cell: such a table never beats a sure one


def with_spare(by_page: list[tuple[Page, list[Grid]]]) -> list[tuple[Page, list[Grid]]]:
    """
    Add the spare grids of pages that have no sure one.

    If no page has a sure one, all of them; else those with the columns of a grid on an adjacent
    page.
    """
    if not any(grids for _, grids in by_page):
        by_page = [(page, spare_grids(page)) for page, _ in by_page]
        widest = max((grid.width for _, grids in by_page for grid in grids), default=0)
        by_page = [
            (page, [g for g in grids if g.width > 1 or widest == 1]) for page, grids in by_page
        ]
    whole = list(by_page)
    for place in range(1, len(whole)):
        page, grids = whole[place]
        above, known = whole[place - 1]
        last = max(known, key=lambda grid: grid.box.y1, default=None)
        if not grids and last and not remnant(page, [last], page.height):
            whole[place] = page, _next_to(last, page) or _going_on(page, above, last)
    for place in range(len(whole) - 2, -1, -1):
        page, grids = whole[place]
        known = whole[place + 1][1]
        if not grids and known:
            whole[place] = page, _alike(spare_grids(page), min(known, key=lambda g: g.box.y0))
    return whole


def _next_to(last: Grid, page: Page) -> list[Grid]:
    """Return what continues a grid of the previous page; a single drawn row is enough."""
    if alike_grids := _alike(spare_grids(page), last):
        return alike_grids
    drawn = [grid for grid in map(_whole, ruled_grids(page)) if grid.rows]
    alike = _alike(drawn, last) if last.method == "ruled" else []
    return [replace(grid, score=SURENESS * _filled(grid)) for grid in alike]


def _alike(grids: list[Grid], beside: Grid) -> list[Grid]:
    return [
        grid
        for grid in grids
        if grid.width == beside.width and same_columns(grid.edges, beside.edges)
    ]


def _going_on(page: Page, above: Page, last: Grid) -> list[Grid]:
    """
    Read the first lines of a page by the columns of the previous page.

    They begin as high as on the previous page, and keep its edges and gaps; a single line is alone.
    """
    known = text_lines(word for word in above.words if last.box.holds(*word.box.middle))
    lines = text_lines(page.words)
    if last.method != "aligned" or not are_spaced(known) or not lines:
        return []
    top = min(word.box.y0 for word in above.words)
    if abs(lines[0].top - top) > lines[0].height:
        return []
    edges = list(last.edges)
    begun = list(takewhile(lambda line: fits(line, edges), rows_alike(lines, known)))
    if not begun or (len(begun) == 1 < len(lines)):
        return []
    grid = grid_in(begun, edges, page, settled=True)
    return [replace(grid, score=SURENESS * _filled(grid))]


def spare_grids(page: Page) -> list[Grid]:
    """Return possible tables on a page without a sure one."""
    drawn = [grid for grid in map(_whole, ruled_grids(page)) if len(grid.rows) > 1]
    taken = [grid.box for grid in drawn]
    words = [word for word in page.words if not any(box.holds(*word.box.middle) for box in taken)]
    lines = text_lines(words)
    spare = [grid for block in blocks(lines) if (grid := _several_columns(block, page))]
    if not drawn and not spare:
        spare = [grid for run in columns_of_one(lines) if (grid := _one_column(run, page))]
    return [replace(grid, score=SURENESS * _filled(grid)) for grid in [*drawn, *spare]]


def _whole(grid: Grid) -> Grid:
    return replace(grid, rows=tuple(row for row in grid.rows if row.filled))


def _filled(grid: Grid) -> int:
    return sum(row.filled for row in grid.rows)


def _several_columns(block: list[Line], page: Page) -> Grid | None:
    edges = column_edges(block, lone=True)
    if len(edges) < 3:
        return None
    whole = [grid_in(block, edges, page)] if all(fits(line, edges) for line in block) else []
    for grid in (*whole, grid_of(block, page)):
        if grid and len(grid.rows) > 1 and _is_proven(grid, block, page):
            return grid
    return None


def _is_proven(grid: Grid, block: Sequence[Line], page: Page) -> bool:
    if is_list(grid) or not _is_short(grid.rows):
        return False
    return (
        are_spaced(block)
        or len(grid.rules) > 0
        or _has_bold_titles(block)
        or _has_painted_titles(block, page)
        or _has_named_values(grid)
    )


def _has_named_values(grid: Grid) -> bool:
    """Return whether titles in many columns are above a row of values."""
    *titles, names, values = [row.cells for row in grid.rows[-NAMED_ROWS:]]
    kinds = [kind_of(cell) for cell in values]
    return (
        grid.width >= LEAST_NAMED
        and all(names)
        and all(kind_of(name) == "text" for name in (*names, *filter(None, chain(*titles))))
        and sum(kind in {"number", "date", "code"} for kind in kinds) >= LEAST_VALUES
    )


def _is_short(rows: Sequence[Row]) -> bool:
    cells = [cell for row in rows for cell in row.cells if cell]
    prose = any(kind_of(cell) == "prose" for cell in cells)
    return not prose and sum(cell.count(" ") + 1 for cell in cells) <= SHORT * len(cells)


def _has_bold_titles(block: Sequence[Line]) -> bool:
    weights = [
        [word.weight for segment in line.segments for word in segment.words] for line in block
    ]
    return min(weights[0]) >= BOLDER + max(max(line) for line in weights[1:])


def _has_painted_titles(block: Sequence[Line], page: Page) -> bool:
    """Return whether the first line alone is in a painted band."""
    bands = painted_bands(box_of(list(block)), page)
    return any(
        top < block[0].middle < bottom < block[1].middle and len(block[0].segments) > 1
        for top, bottom in bands
    )


def _one_column(run: list[Line], page: Page) -> Grid | None:
    box = around([line.segments[0].box for line in run])
    rules = title_rules(box, page)
    if len(run) < 2 or not (are_spaced(run) or rules):
        return None
    strips = [Strip([list(line.segments[0].words)], line.top, line.bottom) for line in run]
    rows = tuple(
        rows_of(folded(strips, row_ends(box, page), parting_heights(box, page)), page.number)
    )
    grid = Grid(page.number, box, "aligned", rows, (box.x0 - 1, box.x1 + 1), rules=rules)
    return grid if len(rows) > 1 and _is_short(rows) else None
