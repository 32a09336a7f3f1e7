"""What kind of text a cell holds, and how much a grid looks like a table by its contents."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from tabular.reading.pdf.grid import Grid, Row

NUMBER = re.compile(
    r"""[-+−–(]?\s?(?:[$€£¥₹*<>≈~±]\s?){0,3}[-+−–]?
        (?:\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d+)?|\d[\d.,]*|[.,]\d+)
        \)?\s?(?:%|‰|€|\$|£|EUR|USD|CHF|GBP|[a-zA-Z]{1,3}|[*†‡]+|\(\w\))?-?\)?""",
    re.VERBOSE,
)
DATE = re.compile(
    r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}"
    r"|\d{1,2}\.?[ -][A-Za-zÀ-ÿ]{3,9}\.?[ -]\d{2,4}"
)
YEAR = re.compile(r"(?:19|20)\d\d(?:[-–/](?:19|20)?\d\d)?")
MARK = re.compile(r"[-–—*.x()?/]{1,5}|n\.?/?a\.?|nil|none|\(?[xXzZ]\)?", re.IGNORECASE)
CODE = re.compile(r"(?=\S*\d)[\w./#\-]+")
PROSE_WORDS = 12
EMPTIEST = 0.25  # share of the slots a table fills at least; a chart fills fewer


def kind_of(cell: str) -> str:
    """
    Name the kind of a cell's text.

    >>> [kind_of(cell) for cell in ("1,200.50", "03.08.2026", "n/a", "X892-84", "Oak hinge", "")]
    ['number', 'date', 'mark', 'code', 'text', '']
    """
    if not cell:
        return ""
    if DATE.fullmatch(cell):
        return "date"
    if len(cell) < 40 and NUMBER.fullmatch(cell):
        return "number"
    if MARK.fullmatch(cell):
        return "mark"
    if CODE.fullmatch(cell):
        return "code"
    return "prose" if cell.count(" ") >= PROSE_WORDS else "text"


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
