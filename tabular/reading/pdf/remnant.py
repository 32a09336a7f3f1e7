"""The last rows of a table, alone on top of the next page: too few to be found by themselves."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from tabular.reading.pdf.columns import fits, occupied
from tabular.reading.pdf.content import column_kinds, kind_of
from tabular.reading.pdf.grid import Grid, Row
from tabular.reading.pdf.page import Page, around
from tabular.reading.pdf.segments import Line, text_lines, texts_of

TOP = 0.25  # of the page's height: a table that goes on begins no lower
MOST_ROWS = 3  # more rows are found as a grid of their own
VALUES = {"number", "date", "code"}


def remnant(page: Page, above: Grid, bottom: float) -> Grid | None:
    """Give the page's first lines as rows of the grid above, if they hold its kinds of values."""
    if page.number != above.page + 1:
        return None
    lines = text_lines(word for word in page.words if word.box.y1 < bottom)
    if not lines or lines[0].top > TOP * page.height:
        return None
    edges = list(above.edges)
    kinds = [kind for kind, _ in column_kinds(above.rows[1:], above.width)]
    if not _is_row(lines[0], edges, kinds):
        return None
    ends = list(takewhile(lambda line: _belongs(line, edges, kinds), lines))
    rows: list[Row] = []
    for line in ends:
        row = _row(line, edges, page.number)
        if _is_row(line, edges, kinds):
            rows.append(row)
        else:
            rows[-1] = _folded(rows[-1], row)
    if len(rows) > MOST_ROWS:
        return None
    box = around([segment.box for line in ends for segment in line.segments])
    return Grid(page.number, box, above.method, tuple(rows), above.edges)


def _belongs(line: Line, edges: list[float], kinds: list[str]) -> bool:
    """Say whether a line is a row, or the end of a cell: one text within one column."""
    first, last = occupied(line.segments[0].box, edges)
    wrapped = len(line.segments) == 1 and first == last and kinds[first] not in VALUES
    return _is_row(line, edges, kinds) or (wrapped and fits(line, edges))


def _folded(row: Row, end: Row) -> Row:
    cells = (f"{one} {other}".strip() for one, other in zip(row.cells, end.cells, strict=True))
    return replace(row, cells=tuple(cells), bottom=end.bottom)


def _is_row(line: Line, edges: list[float], kinds: list[str]) -> bool:
    if not fits(line, edges) or 2 * len(line.segments) <= len(kinds):
        return False
    own = [
        (kind_of(text), kinds[occupied(segment.box, edges)[0]])
        for segment, text in zip(line.segments, texts_of(line), strict=True)
    ]
    values = [(found, usual) for found, usual in own if usual in VALUES]
    return bool(values) and all(found == usual for found, usual in values)


def _row(line: Line, edges: list[float], page: int) -> Row:
    cells = [""] * (len(edges) - 1)
    for segment, text in zip(line.segments, texts_of(line), strict=True):
        cells[occupied(segment.box, edges)[0]] = text
    return Row(tuple(cells), line.top, line.bottom, page)
