"""Lines below a table that are not its rows: after a blank row or a total, rows look like rows."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from tabular.reading.layout.grid import Grid
from tabular.reading.layout.profile import Profile

_ALWAYS = 0.95  # share of rows that fill a column without which no row is one
_FEWEST = 2  # such columns, and rows above a gap
_SAMPLE = 200
_BLOCK = 2  # lines that fill the same columns: a table of its own
_FILLED = 0.5  # of the columns that are always filled: a row that has no more of them is none
_FITTING = 0.5  # of the cells in columns of numbers, dates or codes


def end_before_break(
    grid: Grid, body: Sequence[int], end: int, says_total: Callable[[int], bool]
) -> int:
    """
    Return the number of leading rows before the first break that only other lines follow.

    A break is a blank row or a total. An invoice goes on below its items: "VAT:", an amount, terms
    of payment, a web address. None of that looks like an item, which fills the same columns with
    the same kinds of values.

    body: rows that are not blank, in order. end: how many of them may be data.
    """
    for place in range(1, end):
        is_total = says_total(body[place]) and place + 1 < end  # alone, it must add up
        if not is_total and (place < _FEWEST or body[place] - body[place - 1] == 1):
            continue
        above = _Above(grid, body[max(0, place - _SAMPLE) : place])
        if not above.is_regular or (
            not says_total(body[place]) and _is_block(grid, body[place:end])
        ):
            continue
        if all(says_total(row) or above.differs(row) for row in body[place:end]):
            return place
    return end


def _is_block(grid: Grid, rows: Sequence[int]) -> bool:
    """Return whether several lines in a row fill the same columns, as those of a table do."""
    run = 1
    for before, row in itertools.pairwise(rows):
        filled = grid.filled(row)
        is_same = len(filled) > 1 and filled == grid.filled(before) and row - before == 1
        is_labelled = any(grid.cell(row, column).rstrip().endswith(":") for column in filled)
        run = run + 1 if is_same and not is_labelled else 1
        if run >= _BLOCK:
            return True
    return False


class _Above:
    """How the rows above a break look."""

    def __init__(self, grid: Grid, rows: Sequence[int]) -> None:
        self.grid = grid
        self.profile = Profile.of(grid, rows)
        least = _ALWAYS * len(rows)
        self.always = [
            column
            for column in range(grid.left, grid.right)
            if sum(bool(grid.cell(row, column).strip()) for row in rows) >= least
        ]
        self.is_regular = len(self.always) > _FEWEST and any(
            column in self.profile.looks for column in self.always
        )

    def differs(self, row: int) -> bool:
        """Return whether a row lacks most of the columns that all others fill, or their kinds."""
        grid = self.grid
        filled = [column for column in self.always if grid.cell(row, column).strip()]
        if len(filled) <= _FILLED * len(self.always):
            return True
        fit = self.profile.fit(grid, row)
        return self.always[0] not in filled and fit is not None and fit < _FITTING
