"""Lines below a table that are not its rows: after a blank row or a total, rows look like rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain

from tabular.reading.cells import Look
from tabular.reading.layout.closing import is_closing, is_labelled
from tabular.reading.layout.grid import Grid
from tabular.reading.layout.profile import Profile

_ALWAYS = 0.95  # share of rows that fill a column without which no row is one
_FEWEST = 2  # such columns, and rows above a gap
_SAMPLE = 200
_FILLED = 0.5  # of the columns that are always filled: a row that has no more of them is none
_MARKS = frozenset(":：%")  # of a label that names no row
_FITTING = 0.5  # of the cells in columns of numbers, dates or codes


def end_before_break(
    grid: Grid, body: Sequence[int], end: int, says_total: Callable[[int], bool]
) -> int:
    """
    Return the number of leading rows before the first break that only other lines follow.

    A break is a blank row, a total, or a line whose words close a document. An invoice goes on
    below its items: "VAT:", an amount, terms of payment, a web address. None of that looks like an
    item, which fills the same columns with the same kinds of values.

    body: rows that are not blank, in order. end: how many of them may be data.
    """
    above, rows = _Above(grid, body), body[:end]
    last_of_block = None
    for place in range(1, end):
        is_told = _is_told(grid, rows, place, says_total)
        is_gap = place >= _FEWEST and body[place] - body[place - 1] > 1
        if not is_told and not is_gap:
            continue
        above.move_to(place)
        if not above.is_regular():
            continue
        if not says_total(body[place]) and above.has_key(body[place]):
            is_told = False
            if not is_gap:
                continue
        if not is_told:
            if last_of_block is None:
                last_of_block = _last_of_block(grid, rows)
            if last_of_block > place:
                continue
        # The last line first: below a break inside a table, it usually looks like a row.
        below = chain((end - 1,), range(place, end))
        if all(says_total(body[at]) or above.differs(body[at]) for at in below):
            return place
    return end


def _is_told(
    grid: Grid, rows: Sequence[int], place: int, says_total: Callable[[int], bool]
) -> bool:
    """Return whether the words of a row begin what is below the rows of a table."""
    row, is_last = rows[place], place + 1 == len(rows)
    if is_closing(grid, row):
        return True
    return not is_last and (says_total(row) or is_labelled(grid, row))  # alone, it must add up


def _last_of_block(grid: Grid, rows: Sequence[int]) -> int:
    """
    Return the place of the last row that fills the same columns as the row right above it.

    Lines of a table do that, unless they are labelled. Return 0 if there is none.
    """
    for place in range(len(rows) - 1, 0, -1):
        before, row = rows[place - 1], rows[place]
        filled = grid.filled(row)
        is_same = row - before == 1 and len(filled) > 1 and filled == grid.filled(before)
        if is_same and not any(grid.cell(row, column).rstrip().endswith(":") for column in filled):
            return place
    return 0


class _Above:
    """How the rows above a break look, counted as the break moves down."""

    def __init__(self, grid: Grid, body: Sequence[int]) -> None:
        self._grid = grid
        self._body = body
        self._start = self._end = 0  # of the rows counted
        self._columns = range(grid.left, grid.right)
        self._filled: Counter[int] = Counter()
        self._looks: dict[int, Counter[Look]] = {column: Counter() for column in self._columns}
        self._always: list[int] = []
        self._profile: Profile | None = None

    def move_to(self, place: int) -> None:
        """Count the last rows above a place of the body. Places are visited from the top down."""
        start = max(0, place - _SAMPLE)
        if start >= self._end:
            self._filled.clear()
            for counts in self._looks.values():
                counts.clear()
            self._start = self._end = start
        for row in self._body[self._end : place]:
            self._count(row, 1)
        for row in self._body[self._start : start]:
            self._count(row, -1)
        self._start, self._end = start, place
        least = _ALWAYS * (place - start)
        self._always = [column for column in self._columns if self._filled[column] >= least]
        self._profile = None

    def _count(self, row: int, by: int) -> None:
        for column in self._grid.filled(row):
            self._filled[column] += by
            self._looks[column][self._grid.look(row, column)] += by

    @property
    def profile(self) -> Profile:
        """The usual looks of the rows above."""
        if self._profile is None:
            self._profile = Profile.of_counts(self._looks)
        return self._profile

    def is_regular(self) -> bool:
        """Return whether enough columns are always filled, one of them with values of a type."""
        return len(self._always) > _FEWEST and any(
            column in self.profile.looks for column in self._always
        )

    def differs(self, row: int) -> bool:
        """
        Return whether a row lacks most of the columns that all others fill, or their kinds.

        Of a row that only lacks some, the words tell.
        """
        grid = self._grid
        filled = [column for column in self._always if grid.cell(row, column).strip()]
        if len(filled) <= _FILLED * len(self._always):
            return True
        is_told = is_closing(grid, row) or is_labelled(grid, row)
        if is_told and len(filled) < len(self._always) and not self.has_key(row):
            return True
        if self._always[0] in filled:
            return False
        fit = self.profile.fit(grid, row)
        return fit is not None and fit < _FITTING

    def has_key(self, row: int) -> bool:
        """Return whether a row may be named by its first cell: ``Tax`` in a report with amounts."""
        grid, key = self._grid, self._always[0]
        if key in self.profile.looks or len(grid.filled(row)) < 2 or grid.filled(row)[0] != key:
            return False
        return (
            not _MARKS & set(grid.cell(row, key)) and (self.profile.fit(grid, row) or 0) >= _FITTING
        )
