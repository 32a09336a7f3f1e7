"""Headers made of numbers: years, days, or a count, above values that do not go on with it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from tabular.reading.cells import Look
from tabular.reading.layout.grid import TEXT, TYPED, Grid


def counts_on(grid: Grid, row: int, dense: Sequence[int]) -> bool:
    """Say whether a row of numbers is a header: years or a count, unlike what stands below."""
    columns = [
        column for column in grid.filled(row) if grid.look(row, column) in {Look.NUMBER, Look.DATE}
    ]
    labels = [column for column in grid.filled(row) if grid.look(row, column) in TEXT]
    whole = wholes(grid, row, columns)
    if not whole or len(whole) < len(columns) or len(whole) != len(set(whole)):
        return False
    if len(labels) * 3 > len(whole) + 3 and len(whole) < 2:
        return False
    years = all(1800 <= number <= 2200 for number in whole)
    counting = len(whole) >= 3 and len(_steps(whole)) == 1
    if not (years and (len(whole) > 1 or labels)) and not counting:
        return False
    if any(grid.look(row, column) in TYPED for column in labels):
        return False
    if any(len(grid.filled(above)) >= len(grid.filled(row)) for above in dense if above < row):
        return False
    below = [later for later in dense if later > row][:20]
    return bool(below) and not _continues(grid, columns, below, years=years)


def _continues(grid: Grid, columns: Sequence[int], below: Sequence[int], *, years: bool) -> bool:
    """Say whether the rows below hold the same kind of numbers, so that the row is data."""
    if not years:
        return any(len(_steps(wholes(grid, row, columns))) == 1 for row in below[:5])
    numbers = [number for row in below for number in wholes(grid, row, columns[:20])]
    same = sum(1800 <= number <= 2200 for number in numbers)
    seen = sum(_number(grid.cell(row, c)) is not None for row in below for c in columns[:20])
    return seen == 0 or same * 2 > seen


def wholes(grid: Grid, row: int, columns: Sequence[int]) -> list[int]:
    """Give the whole numbers among some cells of a row."""
    numbers = [_number(grid.cell(row, column)) for column in columns]
    return [int(number) for number in numbers if number is not None and number == int(number)]


def _steps(whole: Sequence[int]) -> set[int]:
    return {later - earlier for earlier, later in itertools.pairwise(whole)} - {0}


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip().replace(",", "").replace(" ", ""))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
