"""What a page shows of a table's titles; the layout stage uses it to find the header."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from tabular.reading.layout import SetApart, Span, header_of
from tabular.reading.pdf.grids.content import is_year, kind_of
from tabular.reading.pdf.grids.grid import Row

MOST_HEADER_ROWS = 8
TYPED = {"number", "date"}
BOLDER = 150  # of fonts: 400 is plain, 700 bold; some files call a semi-bold 600


def header_height(rows: Sequence[Row], rules: Sequence[float] = ()) -> int:
    """Return the number of leading rows that name columns: 0 if the first row is already data."""
    if not rows:
        return 0
    header = header_of([row.cells for row in rows], spans_of(rows), set_apart(rows, rules))
    return max(header.rows, default=-1) + 1


def spans_of(rows: Sequence[Row]) -> tuple[Span, ...]:
    """Return the cells that span several columns, by the numbers of their rows."""
    return tuple(
        Span(index, first, index, last)
        for index, row in enumerate(rows)
        for first, last in row.spans
    )


def set_apart(rows: Sequence[Row], rules: Sequence[float] = ()) -> SetApart | None:
    """
    Return which leading rows the page marks as titles, by a line below them or a heavier font.

    rules: heights of the long lines drawn across the table, if rows have none of their own.
    """
    ruled = _rows_above_rule(rows, rules)
    if ruled is not None:
        return SetApart(ruled, "a line is drawn below")
    bold = _heavier_rows(rows)
    return SetApart(bold, "in a heavier font than the rows below") if bold else None


def _heavier_rows(rows: Sequence[Row]) -> int:
    """Return the number of first rows in a heavier font than all others."""
    weights = [row.weight for row in rows]
    if not weights or not all(weights):
        return 0
    bold = [weight > min(weights) + BOLDER for weight in weights]
    height = next((index for index, is_bold in enumerate(bold) if not is_bold), 0)
    return height if height <= MOST_HEADER_ROWS and not any(bold[height:]) else 0


def _rows_above(rows: Sequence[Row], rule: float) -> list[Row]:
    """Return the rows above a line; rows of later pages may be as high, but are not above it."""
    return list(takewhile(lambda row: (row.top + row.bottom) / 2 < rule, rows))


def _names_what_is_open(upper: Row, rows: Sequence[Row]) -> bool:
    """Return whether one row between two lines names columns that the titles above do not."""
    if len(rows) != 1:
        return False
    is_open = any(
        cell and not title for title, cell in zip(upper.cells, rows[0].cells, strict=True)
    )
    kinds = {kind_of(cell) for cell in rows[0].cells if cell and not is_year(cell)}
    return is_open and not kinds & {*TYPED, "code"}


def _rows_above_rule(rows: Sequence[Row], rules: Sequence[float]) -> int | None:
    """Count the rows between the line on top of a table and the next, if they can be titles."""
    if not rows or len(rules) < 2:
        return None
    inner = [rule for rule in rules if rule > rows[0].bottom - 2]
    if not inner:
        return None
    above = _rows_above(rows, inner[0])
    if len(inner) > 1 and above:
        further = _rows_above(rows, inner[1])
        if _names_what_is_open(above[-1], further[len(above) :]):
            above = further
    typed = [cell for row in above for cell in row.cells if kind_of(cell) in TYPED]
    values = [cell for cell in typed if not is_year(cell) and not cell.isdigit()]
    fits = 0 < len(above) <= min(MOST_HEADER_ROWS, len(rows) / 2) and not values
    return len(above) if fits else None
