"""The last rows of a table at the top of the next page, too few to be found by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile

from tabular.reading.pdf.grids.columns import Line, fits, occupied, text_lines, texts_of
from tabular.reading.pdf.grids.content import column_kinds, kind_of
from tabular.reading.pdf.grids.grid import Grid, Row, put_below
from tabular.reading.pdf.pages.page import Page, around

TOP = 0.4  # of the page's height: a continued table begins no lower, letterheads included
FAR = 6.0  # line heights: no table continues beyond such a gap
NEAR = 1.0  # line heights: the end of a cell is no farther below it
VALUES = {"number", "date", "code"}


def remnant(page: Page, grids: Sequence[Grid], bottom: float) -> Grid | None:
    """
    Return a page's first lines with values of the grids above, as rows of theirs, or None.

    grids: the table so far. bottom: where the page's own first grid begins. Anything above the
    first such line is a letterhead, or repeated titles.
    """
    above = grids[-1]
    if page.number != above.page + 1:
        return None
    lines = text_lines(word for word in page.words if word.box.y1 < bottom)
    edges = list(above.edges)
    body = [row for grid in grids for row in grid.rows][1:]
    kinds = [kind for kind, _ in column_kinds(body, above.width)]
    lines = list(dropwhile(lambda line: not _is_row(line, edges, kinds), lines))
    if not lines or lines[0].top > TOP * page.height:
        return None
    ends = [lines[0]]
    for line in takewhile(lambda line: _belongs(line, ends[-1], edges, kinds), lines[1:]):
        ends.append(line)
    rows: list[Row] = []
    for line in ends:
        row = _row(line, edges, page.number)
        if _is_row(line, edges, kinds):
            rows.append(row)
        else:
            rows[-1] = _folded(rows[-1], row)
    box = around([segment.box for line in ends for segment in line.segments])
    return Grid(page.number, box, above.method, tuple(rows), above.edges)


def _belongs(line: Line, above: Line, edges: list[float], kinds: list[str]) -> bool:
    """Return whether a line is a row, or the end of cells: each text within one column."""
    gap = line.top - above.bottom
    if _is_row(line, edges, kinds):
        return gap < FAR * line.height
    homes = [occupied(segment.box, edges) for segment in line.segments]
    wrapped = all(first == last and kinds[first] not in VALUES for first, last in homes)
    return wrapped and gap < NEAR * line.height and fits(line, edges)


def _folded(row: Row, end: Row) -> Row:
    return replace(put_below(row, end), pieces=(*(row.pieces or (row,)), end))


def _is_row(line: Line, edges: list[float], kinds: list[str]) -> bool:
    if not fits(line, edges) or 2 * len(line.segments) <= len(kinds):
        return False
    own = [
        (kind_of(text), kinds[occupied(segment.box, edges)[0]])
        for segment, text in zip(line.segments, texts_of(line), strict=True)
    ]
    values = [(kind, usual) for kind, usual in own if usual in VALUES]
    return bool(values) and all(kind == usual for kind, usual in values)


def _row(line: Line, edges: list[float], page: int) -> Row:
    cells = [""] * (len(edges) - 1)
    for segment, text in zip(line.segments, texts_of(line), strict=True):
        cells[occupied(segment.box, edges)[0]] = text
    return Row(tuple(cells), line.top, line.bottom, page)
