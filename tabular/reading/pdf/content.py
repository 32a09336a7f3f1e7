"""What kind of text a cell holds, and how much a grid looks like a table by its contents."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from tabular.reading.pdf.grid import Grid, Row
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
EMPTIEST = 0.25  # share of the slots a table fills at least; a chart fills fewer


def kind_of(cell: str) -> str:
    """
    Name the kind of a cell's text.

    >>> [kind_of(cell) for cell in ("1,200.50", "03.08.2026", "n/a", "X892-84", "Oak hinge", "")]
    ['number', 'date', 'mark', 'code', 'text', '']
    """
    found = judge(cell)
    if len(found.text) == 1 and found.boolean is not None and found.text.isalpha():
        return "mark"  # x: a tick in a form
    if found.kind in {Kind.WORD, Kind.PROSE} and cell.count(" ") >= RUNNING:
        return "prose"
    return KINDS.get(found.kind, "text")


def is_year(cell: str) -> bool:
    """Say whether a cell holds a year or a span of years, as headers often do."""
    return YEAR.fullmatch(cell) is not None


def column_kinds(rows: Sequence[Row], width: int) -> list[tuple[str, float]]:
    """Give each column's main kind and the share of its filled cells that are of it."""
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
    prose = sum(1 for cell in cells if kind_of(cell) == "prose") / len(cells)
    return filled * math.sqrt(fill) * purity * (1 - 0.7 * prose)
