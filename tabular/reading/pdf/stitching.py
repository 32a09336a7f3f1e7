"""Join grids on consecutive pages into one table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from tabular.reading.pdf.grids.aligned import read_by
from tabular.reading.pdf.grids.content import column_kinds, kind_of
from tabular.reading.pdf.grids.grid import Grid, Row, lines_of, put_below
from tabular.reading.pdf.heading import header_height
from tabular.reading.pdf.pages.page import Page
from tabular.reading.pdf.pages.running_lines import TIME
from tabular.reading.pdf.remnant import remnant

KEYED = 0.9  # share of the rows that fill the first column if it identifies rows
EDGE_SLACK = 6.0  # points between borders of the same column on two pages
CONTINUED = re.compile(
    r"contin|cont['’.]|fortsetzung|fortgesetzt|suite|segue|continúa|continua|vervolg|cd\.|ciąg",
    re.IGNORECASE,
)
PAGE_PHRASE = re.compile(
    r"\b(?:page|seite|blatt|sheet|pagina|página|strona|p\.|s\.)\s*(?:no\.?|nr\.?)?\s*\d{1,4}"
    r"(?:\s*(?:of|von|de|di|van|z|/)\s*\d{1,4})?|\b\d{1,4}\s*(?:of|von|van|/)\s*\d{1,4}\b",
    re.IGNORECASE,
)
MARKS = ".,;:|()[]-–—•·/"


@dataclass(frozen=True, slots=True)
class Stitched:
    """Grids of one table, in page order."""

    grids: tuple[Grid, ...]

    @property
    def rows(self) -> list[Row]:
        """All rows in order; a row split by the end of a page is one."""
        rows = _with_edges(self.grids[0])
        for grid in self.grids[1:]:
            below = _with_edges(grid)
            titles = _repeated_titles(rows, below)
            if titles < len(below) and _cut_by_page(rows[-1], below[titles], rows):
                rows[-1] = _one_row(rows[-1], below.pop(titles))
            rows += below
        return rows

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.grids[0].width

    @property
    def score(self) -> float:
        """The sum of the scores."""
        return sum(grid.score for grid in self.grids)

    @property
    def confidence(self) -> float:
        """The score per filled cell, from 0 to 1."""
        filled = sum(row.filled for row in self.rows)
        return round(min(self.score / filled, 1.0), 2) if filled else 0.0

    def range(self, pages: Sequence[Page]) -> str:
        """Return the boxes on the pages of the document, as ``p1:72,90,523,700 p2:...``."""
        return " ".join(
            f"p{grid.page}:{x0:.0f},{y0:.0f},{x1:.0f},{y1:.0f}"
            for grid in self.grids
            for box in [grid.box]
            for x0, y0, x1, y1 in [pages[grid.page - 1].shown((box.x0, box.y0, box.x1, box.y1))]
        )


def _with_edges(grid: Grid) -> list[Row]:
    return [replace(row, edges=grid.edges) for row in grid.rows]


def stitched(pages: list[tuple[Page, list[Grid]]]) -> list[Stitched]:
    """
    Join the last grid of a page and the first of the next.

    Their columns must agree, no other text may be between them, and the second has no titles of its
    own unless they repeat the first's.
    """
    tables: list[list[Grid]] = []
    open_end: list[Grid] | None = None
    titles = ""
    for page, grids in pages:
        ordered = sorted(grids, key=lambda grid: grid.box.y0)
        goes_on = False
        if ordered and open_end:
            goes_on = _continues(open_end, titles, ordered[0], page)
            alike = None if goes_on else read_by(open_end[-1].edges, ordered[0], page)
            if alike and _continues(open_end, titles, alike, page):
                goes_on, ordered[0] = True, alike
        if open_end and not goes_on:
            end = remnant(page, open_end, ordered[0].box.y0 if ordered else page.height)
            open_end += [end] if end else []
        for index, grid in enumerate(ordered):
            if index == 0 and open_end and goes_on:
                open_end.append(grid)
            else:
                open_end, titles = [grid], title_of(grid, page)
                tables.append(open_end)
        if not ordered:
            open_end = None
    return [Stitched(tuple(grids)) for grids in tables]


def _continues(grids: list[Grid], titles: str, below: Grid, page: Page) -> bool:
    first, above = grids[0], grids[-1]
    if above.width != below.width or below.page != above.page + 1:
        return False
    title = title_of(below, page)
    height = _height_of_own(below, first)
    if not adds_nothing(title, titles) and not CONTINUED.search(title):
        # Values alone, below a text: no table of its own begins without naming its columns.
        values = height == 0 and _is_typed(first) and _begins_with_values(below, above)
        return values and same_columns(above.edges, below.edges)
    if height > 0 and same_text(below.rows[0], first.rows[0]):
        return True
    top = below.rows[0]
    is_end = _cut_by_page(above.rows[-1], top, list(above.rows))
    is_body = height == 0 or not _is_typed(first) or is_end or _begins_with_values(below, above)
    return is_body and same_columns(above.edges, below.edges)


def _height_of_own(below: Grid, first: Grid) -> int:
    """Count the rows that name a grid's columns, without rows that leave named columns empty."""
    height = header_height(below.rows, below.parting_rules)
    named = range(header_height(first.rows, first.parting_rules))
    wanted = {column for row in named for column, cell in enumerate(first.rows[row].cells) if cell}
    held = {column for row in below.rows[:height] for column, cell in enumerate(row.cells) if cell}
    return height if len(below.rows) > height and wanted <= held else 0


def _begins_with_values(below: Grid, above: Grid) -> bool:
    """Return whether a grid begins with values, at most the end of a wrapped cell before them."""
    ends = sum(1 for _ in takewhile(lambda row: row.filled == 1, below.rows))
    return ends < len(below.rows) and _fits_kinds(below.rows[ends], above)


def _fits_kinds(row: Row, above: Grid) -> bool:
    """Return whether a row has the codes, numbers or dates of the columns of the grid above."""
    kinds = column_kinds(above.rows[1:], above.width)
    pairs = [
        (kind_of(cell), kind) for cell, (kind, _) in zip(row.cells, kinds, strict=True) if cell
    ]
    values = [(own, usual) for own, usual in pairs if usual in {"number", "date", "code"}]
    return bool(values) and all(own == usual for own, usual in values)


def _is_typed(grid: Grid) -> bool:
    height = header_height(grid.rows, grid.parting_rules)
    return header_height(grid.rows[height:]) == 0


def begins_apart(table: Stitched, other: Stitched) -> bool:
    """Return whether another table has the same columns on the page after a table's last."""
    last, first = table.grids[-1], other.grids[0]
    return (
        first.page == last.page + 1
        and first.width == last.width
        and same_columns(last.edges, first.edges)
    )


def title_of(grid: Grid, page: Page) -> str:
    """Return all text above a grid on its page."""
    above = [word for word in page.words if word.upright and word.box.middle[1] < grid.box.y0 - 1]
    return " ".join(word.text for line in lines_of(above) for word in line)


def adds_nothing(title: str, known: str) -> bool:
    """Return whether a text has only known words, page numbers and times of day."""
    words = {word.strip(MARKS).casefold() for word in known.split()}
    texts = PAGE_PHRASE.sub(" ", TIME.sub(" ", title)).split()
    return all(not word.strip(MARKS) or word.strip(MARKS).casefold() in words for word in texts)


def same_columns(above: tuple[float, ...], below: tuple[float, ...]) -> bool:
    """Return whether each column's middle is within the same column of the other page."""
    return all(_middles_within(first, other) for first, other in ((above, below), (below, above)))


def _middles_within(edges: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return all(
        other[index] - EDGE_SLACK <= (low + high) / 2 <= other[index + 1] + EDGE_SLACK
        for index, (low, high) in enumerate(pairwise(edges))
    )


def _repeated_titles(rows: list[Row], below: list[Row]) -> int:
    """Return how many of a page's first rows are the same as the table's."""
    pairs = zip(rows, below, strict=False)
    return sum(1 for _ in takewhile(lambda pair: same_text(*pair), pairs))


def _cut_by_page(last: Row, first: Row, rows: list[Row]) -> bool:
    """Return whether a page's first row is the end of the row before: texts only, and no key."""
    keyed = sum(bool(row.cells[0]) for row in rows)
    texts = {column for column, cell in enumerate(first.cells) if cell}
    before = {column for column, cell in enumerate(last.cells) if cell}
    kinds = column_kinds(rows, len(first.cells))
    kind_by_column = {column: kind_of(first.cells[column]) for column in texts}
    values = any(
        kind in {"number", "date"} or (kind == "code" == kinds[column][0])
        for column, kind in kind_by_column.items()
    )
    return 0 not in texts and texts < before and not values and keyed >= KEYED * len(rows)


def _one_row(upper: Row, lower: Row) -> Row:
    joined = replace(put_below(upper, lower), bottom=upper.bottom)
    above, below = upper.taken_apart, lower.taken_apart
    if not _reads_on(upper, lower):
        return replace(joined, pieces=(*above, *below))
    if len(above) == len(below) == 1:
        return joined
    return replace(joined, pieces=(*above[:-1], _one_row(above[-1], below[0]), *below[1:]))


def _reads_on(upper: Row, lower: Row) -> bool:
    """Return whether every text of a page's first row begins like the end of the one above."""
    pairs = zip(upper.cells, lower.cells, strict=True)
    return all(below[0].islower() for _, below in pairs if below)


def same_text(first: Row, other: Row) -> bool:
    """Return whether two rows have the same text, ignoring blanks."""
    return [re.sub(r"\s", "", cell) for cell in first.cells] == [
        re.sub(r"\s", "", cell) for cell in other.cells
    ]
