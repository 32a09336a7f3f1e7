"""Text next to a table that is not one of its rows, reported if it might be data."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from tabular.model.issue import Issue
from tabular.model.sentences import Sentence, counted
from tabular.model.table import Evidence, SkippedRow
from tabular.reading.layout.footer import is_total
from tabular.reading.layout.grid import Grid as TextGrid
from tabular.reading.pdf.grids.columns import Line, fits, occupied, text_lines, texts_of
from tabular.reading.pdf.grids.content import column_kinds, kind_of
from tabular.reading.pdf.grids.grid import Grid, Row
from tabular.reading.pdf.pages.page import Page, Word, around
from tabular.reading.pdf.stitching import Stitched, adds_nothing, begins_apart, title_of

SLACK = 2.0  # points around a row that its words may reach
VALUES = {"number", "date", "code"}
NEAR = 1.0  # line heights: a line this near below the last row may belong to it
HEADING_WORDS = 8  # a segment with more words is prose
SHOWN_LINES = 5
SHOWN_CHARACTERS = 300
REPORTED_ROWS = 100


@dataclass(frozen=True, slots=True)
class _Place:
    """A line of text, its page, and whether it is between rows of the table."""

    line: Line
    page: int
    is_inside: bool

    @property
    def text(self) -> str:
        return " | ".join(texts_of(self.line))

    @property
    def box(self) -> tuple[float, ...]:
        """Left, top, right and bottom in points from the page's upper left corner."""
        box = around([segment.box for segment in self.line.segments])
        return tuple(round(side, 1) for side in (box.x0, box.y0, box.x1, box.y1))


@dataclass(frozen=True, slots=True)
class SkippedLines:
    """Lines that are not part of a table, by how much they look like it."""

    rows: tuple[_Place, ...]  # with values of the table's kinds in their columns
    inside: tuple[_Place, ...]  # before the table's last row, or right below it
    around: tuple[_Place, ...]  # titles above and notes below
    apart: tuple[int, ...]  # pages on which a table of the same columns begins
    running_lines: int

    @property
    def _lines(self) -> list[_Place]:
        every = [*self.rows, *self.inside, *self.around]
        return sorted(every, key=lambda place: (place.page, place.line.top))

    @property
    def sizes(self) -> list[int]:
        """How many texts each line has."""
        return [len(place.line.segments) for place in self._lines]

    @property
    def doubtful(self) -> int:
        """How many issues' lines and pages there are."""
        return len(self.rows) + len(self.inside) + len(self.apart)

    def unmatched(self, first: int) -> Iterator[SkippedRow]:
        """Yield the lines with numbers from ``first`` on, after the rows of the table."""
        for number, place in enumerate(self._lines, start=first):
            cells = tuple(texts_of(place.line))
            yield SkippedRow(number, "unmatched", cells, place.page, place.box)

    def restored(
        self, numbers: Collection[int], first: int, table: Stitched
    ) -> Iterator[tuple[int, Row]]:
        """Yield the lines with these numbers as rows, by the columns of the table."""
        for number, place in enumerate(self._lines, start=first):
            if number in numbers:
                yield number, _row(place, list(table.grids[-1].edges))

    def issues(self) -> Iterator[Issue]:
        """Yield issues for lines that might be data."""
        for place in self.rows[:REPORTED_ROWS]:
            yield Issue(
                "row_left_out",
                severity="warning",
                message=Sentence(
                    "A line on page {n1} looks like a row, but is separate from the table; it was "
                    "not read.",
                    n1=str(place.page),
                ),
                value=place.text[:SHOWN_CHARACTERS],
            )
        for page in self.apart:
            yield Issue(
                "table_apart",
                severity="warning",
                message=Sentence(
                    "A table with the same columns begins on page {n1} below a title of its own; "
                    "its rows are not part of this table.",
                    n1=str(page),
                ),
            )
        if self.inside:
            pages = sorted({place.page for place in self.inside})
            yield Issue(
                "text_left_out",
                severity="warning",
                message=Sentence(
                    "Text between rows of the table, or right below it, was not read: {A}, the "
                    "first on page {n1}.",
                    A=_counted(self.inside),
                    n1=str(pages[0]),
                ),
                value=_shown(self.inside),
            )

    def evidence(self) -> Iterator[Evidence]:
        """Yield the text around the table as evidence."""
        if self.running_lines:
            reason = Sentence(
                "{LINES} that pages repeat, or that number them",
                LINES=counted(self.running_lines, "line"),
            )
            yield Evidence("running lines", reason)
        if self.around:
            yield Evidence("left out", f"{_counted(self.around)}: {_shown(self.around)}")


def left_out(table: Stitched, tables: Sequence[Stitched], pages: Sequence[Page]) -> SkippedLines:
    """Sort the lines within a table's width, on its pages and the one after."""
    first, last = table.grids[0], table.grids[-1]
    above = title_of(first, pages[first.page - 1])
    kinds = [kind for kind, _ in column_kinds(table.rows[1:], table.width)]
    rows, inside, around = [], [], []
    for page in pages[first.page - 1 : last.page + 1]:
        own = [grid for grid in table.grids if grid.page == page.number] or [last]
        edges, end = list(own[-1].edges), own[-1].rows[-1].bottom
        for line in _free_lines(page, tables):
            if line.segments[-1].box.x1 < edges[0] or line.segments[0].box.x0 > edges[-1]:
                continue
            begun = page.number > first.page or line.top > first.box.y0
            goes_on = page.number == last.page and _goes_on(line, end, edges)
            end = line.bottom if goes_on else end
            place = _Place(line, page.number, goes_on or (begun and _is_before(page, line, last)))
            if begun and _is_row(line, edges, kinds):
                rows.append(place)
            elif place.is_inside and not adds_nothing(place.text, above):
                inside.append(place)
            else:
                around.append(place)
    running = sum(page.running_lines for page in pages[first.page - 1 : last.page])
    apart = tuple(other.grids[0].page for other in tables if begins_apart(table, other))
    return SkippedLines(tuple(rows), tuple(inside), tuple(around), apart, running)


def _goes_on(line: Line, end: float, edges: list[float]) -> bool:
    """Return whether a line is right below the last one, each short text within one column."""
    homes = [occupied(segment.box, edges) for segment in line.segments]
    is_short = all(len(segment.words) <= HEADING_WORDS for segment in line.segments)
    within = is_short and fits(line, edges) and all(first == last for first, last in homes)
    return within and line.top < end + NEAR * line.height and line.bottom > end + SLACK


def _is_before(page: Page, line: Line, last: Grid) -> bool:
    return (page.number, line.top) < (last.page, last.rows[-1].top)


def _free_lines(page: Page, tables: Sequence[Stitched]) -> list[Line]:
    """Return the lines of text outside all tables of the page."""
    grids = [grid for table in tables for grid in table.grids if grid.page == page.number]
    held = [[(row, "".join(row.cells).replace(" ", "")) for row in grid.rows] for grid in grids]
    return text_lines(
        word
        for word in page.words
        if not any(_holds(grid, rows, word) for grid, rows in zip(grids, held, strict=True))
    )


def _holds(grid: Grid, rows: Sequence[tuple[Row, str]], word: Word) -> bool:
    """Return whether a word is within a row of a grid, and in its text."""
    x, y = word.box.middle
    return grid.box.x0 - SLACK <= x <= grid.box.x1 + SLACK and any(
        row.top - SLACK <= y <= row.bottom + SLACK and word.text in text for row, text in rows
    )


def _is_row(line: Line, edges: list[float], kinds: Sequence[str]) -> bool:
    """Return whether a line fills half the columns with fitting values but is not a total."""
    is_short = all(len(segment.words) <= HEADING_WORDS for segment in line.segments)
    if len(line.segments) < max(2, len(kinds) / 2) or not is_short or not fits(line, edges):
        return False
    cells = [""] * len(kinds)
    for segment, text in zip(line.segments, texts_of(line), strict=True):
        cells[occupied(segment.box, edges)[0]] = text
    own = [(kind_of(cell), kind) for cell, kind in zip(cells, kinds, strict=True) if cell]
    values = [(kind, usual) for kind, usual in own if kind in VALUES]
    grid = TextGrid.whole([cells])
    is_alike = bool(values) and all(kind == usual for kind, usual in values)
    return is_alike and not is_total(grid, 0, tuple(range(len(cells))))


def _row(place: _Place, edges: list[float]) -> Row:
    cells = [""] * (len(edges) - 1)
    for segment, text in zip(place.line.segments, texts_of(place.line), strict=True):
        column = occupied(segment.box, edges)[0]
        cells[column] = f"{cells[column]} {text}".strip()
    row = Row(tuple(cells), place.line.top, place.line.bottom, place.page)
    return replace(row, edges=tuple(edges))


def _counted(places: Sequence[_Place]) -> str:
    return counted(len(places), "line")


def _shown(places: Sequence[_Place]) -> str:
    text = " / ".join(place.text for place in places[:SHOWN_LINES])
    more = " ..." if len(places) > SHOWN_LINES or len(text) > SHOWN_CHARACTERS else ""
    return text[:SHOWN_CHARACTERS] + more
