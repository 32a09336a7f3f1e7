"""Which rows of a table name its columns, and what the names are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tabular.reading.pdf.content import column_kinds, is_year, kind_of
from tabular.reading.pdf.grid import Row

MOST_HEADER_ROWS = 8
TYPED = {"number", "date"}
WORDS = {"text", "prose", "code"}
BOLDER = 150  # of fonts: 400 is plain, 700 bold; some files call a semi-bold 600
WORDED = 0.25  # share of the cells over typed columns that are words, in a header row


@dataclass(frozen=True, slots=True)
class Titles:
    """The rows that name the columns, why these, and how surely (0 to 1)."""

    rows: tuple[int, ...]
    reason: str
    score: float


def header_height(rows: Sequence[Row], width: int, rules: Sequence[float] = ()) -> int:
    """Count the leading rows that name columns: 0 where the first row is already data."""
    return len(find_titles(rows, width, rules).rows)


def find_titles(rows: Sequence[Row], width: int, rules: Sequence[float] = ()) -> Titles:
    """
    Find the leading rows that name columns, none where the first row is already data.

    rules: heights of the long lines drawn across the table, where rows have none of their own.

    1. A line drawn below them, or a heavier font, sets titles apart.
    2. Above columns of numbers and dates, titles are what is neither.
    3. A first row of distinct texts in every column is the only one, if the next stands apart.
    """
    ruled = _rows_above_rule(rows, rules)
    if ruled is not None:
        return _first(ruled, "a line is drawn below", 0.95)
    bold = _heavier_rows(rows)
    if bold:
        return _first(bold, "in a heavier font than the rows below", 0.95)
    kinds = column_kinds(rows[1:], width)
    typed = [column for column, (kind, share) in enumerate(kinds) if kind in TYPED and share > 0.5]
    if not typed:
        height = min(1 + _sub_titled(rows), len(rows) - 1)
        return _first(height, "the first texts", 0.8 if _is_whole(rows[0], width) else 0.6)
    height = _above_values(rows, typed, width)
    if not height:
        return _first(0, "the first row holds values like the others", 0.8)
    return _first(height, "above the first row of values", 0.9)


def _first(height: int, reason: str, score: float) -> Titles:
    return Titles(tuple(range(height)), reason, score)


def _above_values(rows: Sequence[Row], typed: Sequence[int], width: int) -> int:
    for index, row in enumerate(rows[:MOST_HEADER_ROWS]):
        if not _names(row, typed, first=index == 0):
            return index
        if index and row.is_apart and _is_whole(rows[0], width) and not _sub_titled(rows):
            return 1
        opens_group = row.filled == 1 or not any(row.cells[column] for column in typed)
        if index and opens_group and _named(rows[:index], width):
            return index
    return 1


def _is_whole(row: Row, width: int) -> bool:
    """Say whether a row holds a text of its own in every column, and no value."""
    texts = [cell for cell in row.cells if cell and kind_of(cell) not in TYPED]
    return len({text.casefold() for text in texts}) == width


def _heavier_rows(rows: Sequence[Row]) -> int:
    """Count the first rows in a heavier font than all others."""
    weights = [row.weight for row in rows]
    if not weights or not all(weights):
        return 0
    bold = [weight > min(weights) + BOLDER for weight in weights]
    height = next((index for index, is_bold in enumerate(bold) if not is_bold), 0)
    return height if height <= MOST_HEADER_ROWS and not any(bold[height:]) else 0


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
