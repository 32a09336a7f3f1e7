"""Which rows of a table name its columns, and what the names are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tabular.reading.pdf.content import column_kinds, is_year, kind_of
from tabular.reading.pdf.grid import Row

MOST_HEADER_ROWS = 8
TYPED = {"number", "date"}
WORDS = {"text", "prose", "code"}
WORDED = 0.25  # share of the cells over typed columns that are words, in a header row


def header_height(rows: Sequence[Row], width: int, rules: Sequence[float] = ()) -> int:
    """
    Count the leading rows that name columns: 0 where the first row is already data.

    rules: heights of the long lines drawn across the table, where rows have none of their own.
    """
    ruled = _rows_above_rule(rows, rules)
    if ruled is not None:
        return ruled
    kinds = column_kinds(rows[1:], width)
    typed = [column for column, (kind, share) in enumerate(kinds) if kind in TYPED and share > 0.5]
    if not typed:
        return min(1 + _sub_titled(rows), len(rows) - 1)
    for index, row in enumerate(rows[:MOST_HEADER_ROWS]):
        if not _names(row, typed, first=index == 0):
            return index
        opens_group = row.filled == 1 or not any(row.cells[column] for column in typed)
        if index and opens_group and _named(rows[:index], width):
            return index
    return 1


def _rows_above_rule(rows: Sequence[Row], rules: Sequence[float]) -> int | None:
    """Count the rows between the line on top of a table and the next, if they can be titles."""
    if not rows or len(rules) < 2:
        return None
    inner = [rule for rule in rules if rule > rows[0].bottom - 2]
    if not inner:
        return None
    above = [row for row in rows if (row.top + row.bottom) / 2 < inner[0]]
    typed = [cell for row in above for cell in row.cells if kind_of(cell) in TYPED]
    values = [cell for cell in typed if not is_year(cell) and not cell.isdigit()]
    fits = 0 < len(above) <= min(MOST_HEADER_ROWS, len(rows) / 2) and not values
    return len(above) if fits else None


def _sub_titled(rows: Sequence[Row]) -> bool:
    """Say whether the first row has titles over several columns and the second names them."""
    over = [span for span in rows[0].spans if span[0] != span[1] and rows[0].cells[span[0]]]
    return (
        len(rows) > 2
        and len(over) > 0
        and rows[0].filled > 1
        and len(rows[1].spans) < len(rows[0].spans)
        and all(any(rows[1].cells[first : last + 1]) for first, last in over)
    )


def _names(row: Row, typed: Sequence[int], *, first: bool) -> bool:
    """Say whether a row's cells over columns of numbers or dates are names, not values."""
    kinds = [(kind_of(cell), cell) for column in typed if (cell := row.cells[column])]
    words = sum(1 for kind, _ in kinds if kind in WORDS)
    values = [cell for kind, cell in kinds if kind in TYPED]
    if not values:
        return True
    if all(map(is_year, values)):
        return first or words > 0 or len(values) > 1
    if len(values) > 2 and _counts_up(values):
        return True
    return words >= WORDED * len(kinds) and words > 1


def _counts_up(values: Sequence[str]) -> bool:
    """Say whether the values are 1, 2, 3 and so on: numbered columns, grades, months."""
    if not all(value.isdigit() for value in values):
        return False
    numbers = [int(value) for value in values]
    return all(after == before + 1 for before, after in pairwise(numbers))


def _named(rows: Sequence[Row], width: int) -> bool:
    return sum(1 for name in joined_names(rows, width) if name) >= 0.8 * width


def joined_names(rows: Sequence[Row], width: int) -> list[str]:
    """Join header rows column by column; a title over several columns counts for each below."""
    names: list[list[str]] = [[] for _ in range(width)]
    for index, row in enumerate(rows):
        cells = list(row.cells)
        below = rows[index + 1 :]
        for first, last in row.spans:
            for column in range(first + 1, last + 1):
                if any(lower.cells[column] for lower in below):
                    cells[column] = cells[column] or cells[first]
        for column, cell in enumerate(cells):
            if cell and (not names[column] or names[column][-1] != cell):
                names[column].append(cell)
    return [" ".join(parts) for parts in names]
