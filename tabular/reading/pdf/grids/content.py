"""The kind of text in a cell, and how much aligned lines look like a table."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from tabular.reading.pdf.grids.grid import Grid, Row
from tabular.reading.pdf.pages.page import Box, Page
from tabular.values import Kind, judge

YEAR = re.compile(r"(?:19|20)\d\d(?:[-–/](?:19|20)?\d\d)?")
KINDS = {
    Kind.BLANK: "",
    Kind.NUMBER: "number",
    Kind.QUANTITY: "number",
    Kind.DATE: "date",
    Kind.PERIOD: "date",
    Kind.PLACEHOLDER: "mark",
    Kind.ERROR: "mark",
    Kind.CODE: "code",
    Kind.IP: "code",
}  # all others are text
RUNNING = 12  # blanks in a cell of running text: a long name has fewer
EMPTIEST = 0.25  # the least share of slots that a table fills; a chart fills fewer


def kind_of(cell: str) -> str:
    """
    Return the kind of a cell's text.

    >>> [kind_of(cell) for cell in ("1,200.50", "03.08.2026", "n/a", "X892-84", "Oak hinge", "")]
    ['number', 'date', 'mark', 'code', 'text', '']
    """
    judgement = judge(cell)
    if len(judgement.text) == 1 and judgement.boolean is not None and judgement.text.isalpha():
        return "mark"  # x: a tick in a form
    if judgement.kind in {Kind.WORD, Kind.PROSE} and cell.count(" ") >= RUNNING:
        return "prose"
    return KINDS.get(judgement.kind, "text")


def is_year(cell: str) -> bool:
    """Return whether a cell is a year or a span of years, as headers often are."""
    return YEAR.fullmatch(cell) is not None


def column_kinds(rows: Sequence[Row], width: int) -> list[tuple[str, float]]:
    """Return each column's main kind, and its share of the column's filled cells."""
    kinds = []
    for column in range(width):
        counts = Counter(kind for row in rows if (kind := kind_of(row.cells[column])))
        if marks := counts.pop("mark", 0):
            main = max(counts, key=counts.__getitem__) if counts else "mark"
            counts[main] += marks
        if not counts:
            kinds.append(("", 0.0))
            continue
        main, count = counts.most_common(1)[0]
        kinds.append((main, count / counts.total()))
    return kinds


def content_score(grid: Grid) -> float:
    """Score a grid: filled cells, times the share that is filled, times the columns' purity."""
    rows = [row for row in grid.rows if row.filled]
    if len(rows) < 2 or grid.width < 2:
        return 0.0
    filled = sum(row.filled for row in rows)
    columns = [c for c in range(grid.width) if any(row.cells[c] for row in rows)]
    if len(columns) < 2:
        return 0.0
    if filled < EMPTIEST * len(grid.rows) * grid.width:
        return 0.0
    fill = filled / (len(rows) * len(columns))
    body = rows[1:]
    purities = [purity for _, purity in column_kinds(body, grid.width) if purity]
    purity = sum(purities) / len(purities) if purities else 0.0
    cells = [cell for row in rows for cell in row.cells if cell]
    prose = sum(kind_of(cell) == "prose" for cell in cells) / len(cells)
    return filled * math.sqrt(fill) * purity * (1 - 0.7 * prose)


BULLET = re.compile(
    r"[•●○▪■□◦‣·❖➢✓*†‡§–—-]|[(\[]?(?:\d{1,2}|[a-zA-Z]|[ivx]+)[.)\]]|\d+(?:\.\d+)+\.?"
)
SECTION = re.compile(r"\d+(?:\.\d+)+\.?")
CAPTION = re.compile(
    r"(?:table|tabelle|tableau|tabla|tabella|tabel|figure|fig\.|abb\.|source|note)\b.*", re.I
)
TYPED = {"number", "date", "mark", "code"}
SAME_END = 2.0  # points: borders of painted rows nearer than this are one
TITLE_RULE = 0.6  # the least share of the grid's width that a line under titles covers


def looks_tabular(grid: Grid) -> bool:
    """
    Return whether a grid that was found by alignment alone looks like a table.

    A table has a column of numbers, dates or marks, or short texts in many columns, or lines drawn
    above and below its titles. Rows whose texts run over columns count against it.
    """
    rows = [row for row in grid.rows if row.filled]
    if len(rows) < 2 or is_list(grid) or _runs_over(grid):
        return False
    ruled = len(grid.rules) > 1
    kinds = column_kinds(rows[1:], grid.width)
    typed = [
        column
        for column, (kind, share) in enumerate(kinds)
        if kind in TYPED and share > 0.6 and _count(grid, column) >= min(3, len(rows))
    ]
    if len(typed) >= 2 or (typed and typed != [0]):
        return len(rows) > 2 or ruled
    words = [cell.count(" ") + 1 for row in rows for cell in row.cells if cell]
    short = sum(words) / len(words) <= 4 and max(words) < 15
    if ruled:
        return sum(words) / len(words) <= 8
    filled = sum(row.filled for row in rows) / (len(rows) * grid.width)
    return short and grid.width > 2 and len(rows) > 3 and filled > 0.6


def _count(grid: Grid, column: int) -> int:
    return sum(bool(row.cells[column]) for row in grid.rows)


def is_list(grid: Grid) -> bool:
    """Return whether the first column only numbers or marks the lines of a list."""
    firsts = [row.cells[0] for row in grid.rows if row.cells[0]]
    numbers = [
        list(map(int, re.findall(r"\d+", cell))) for cell in firsts if SECTION.fullmatch(cell)
    ]
    if numbers != sorted(numbers):
        return False
    marks = sum(bool(BULLET.fullmatch(cell) or CAPTION.fullmatch(cell)) for cell in firsts)
    return grid.width == 2 and 2 * marks >= len(firsts)


def _runs_over(grid: Grid) -> bool:
    over = sum(bool(row.spans) and row.filled < grid.width - 1 for row in grid.rows)
    prose = sum(kind_of(cell) == "prose" for row in grid.rows for cell in row.cells)
    cells = sum(row.filled for row in grid.rows)
    return over > 0.34 * len(grid.rows) or prose > 0.3 * cells


def title_rules(box: Box, page: Page) -> tuple[float, ...]:
    """Return the heights of the long lines drawn across a box, from the top."""
    wide = TITLE_RULE * box.width
    heights: list[float] = []
    for ruling in page.horizontals:
        common = min(ruling.end, box.x1) - max(ruling.start, box.x0)
        near = box.y0 - 8 <= ruling.at <= box.y1 + 8
        if common > wide and near and not (heights and ruling.at - heights[-1] < 3):
            heights.append(ruling.at)
    return tuple(heights)


def row_ends(box: Box, page: Page) -> tuple[float, ...]:
    """Return the heights at which painted or ruled rows of a box end, from the top."""
    heights = [*title_rules(box, page)]
    for band in painted_bands(box, page):
        heights += [y for y in band if box.y0 - 8 <= y <= box.y1 + 8]
    ends: list[float] = []
    for height in sorted(heights):
        if not ends or height - ends[-1] > SAME_END:
            ends.append(height)
    return tuple(ends)


def painted_bands(box: Box, page: Page) -> list[tuple[float, float]]:
    """
    Return the top and bottom of each painted band across a box, from the top.

    Programs paint a row as a whole or cell by cell.
    """
    widths: dict[tuple[int, int], float] = defaultdict(float)
    bands: dict[tuple[int, int], tuple[float, float]] = {}
    for fill in page.fills:
        if fill.height < box.height:
            place = round(fill.y0 / SAME_END), round(fill.y1 / SAME_END)
            widths[place] += max(0.0, min(fill.x1, box.x1) - max(fill.x0, box.x0))
            bands.setdefault(place, (fill.y0, fill.y1))
    return sorted(bands[place] for place, width in widths.items() if width > TITLE_RULE * box.width)


def parting_heights(box: Box, page: Page) -> tuple[float, ...]:
    """
    Return the heights at which something drawn parts the lines of a box, from the top.

    Two painted bands that touch part nothing: a program may paint each line of a row.
    """
    bands = painted_bands(box, page)
    ends = [
        end
        for place, band in enumerate(bands)
        for end, others in ((band[0], bands[:place]), (band[1], bands[place + 1 :]))
        if not any(other[0] - SAME_END < end < other[1] + SAME_END for other in others)
    ]
    return tuple(sorted((*title_rules(box, page), *ends)))
