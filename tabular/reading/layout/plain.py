"""
The plain case: the first full line has a distinct name for every column of the rectangle below.

It is tried before cleverer methods, which rows of blanks, placeholders or words mislead. Evidence
against it: a first line with values, or with texts that occur again below.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tabular.reading.cells import Look
from tabular.reading.layout.grid import NAMES, TEXT, Grid
from tabular.reading.layout.header_signs import text_score
from tabular.reading.layout.profile import Profile

_STRAY = 0.05  # share of the rows that may be longer than the line of names
_LOOKED_AT = 200  # rows that show which columns are used
_NEEDED = 3  # values of a column needed to say that the first line is one of them, too


@dataclass(frozen=True, slots=True)
class Plain:
    """The line of names, and its confidence."""

    row: int
    score: float
    reason: str


def plain_header(grid: Grid) -> Plain | None:
    """
    Return the names in the grid's first full line, or None if evidence contradicts it.

    Only sparse lines may be above that line: titles, notes, pairs.
    """
    if not grid.dense_rows:
        return None
    first = grid.dense_rows[0]
    below = [row for row in range(first + 1, grid.bottom) if not grid.is_blank(row)]
    if any(grid.look(first, column) not in NAMES for column in grid.filled(first)):
        return None
    profile = Profile.of(grid, below)
    if below and _continues(grid, first, below, profile):
        return None
    if _are_distinct(grid, first) and _covers(grid, first, below):
        return _full(grid, first, below, profile)
    return _with_blanks(grid, first, below, profile)


def _full(grid: Grid, first: int, below: Sequence[int], profile: Profile) -> Plain | None:
    """Judge a line with a distinct name for every column."""
    if not below:
        return Plain(first, 0.7, "the only line, and its texts could be names")
    if _opens_higher_header(grid, below, profile):
        return None
    if any(look not in {Look.CODE, Look.FLAG} for look in profile.looks.values()):
        reason = "distinct texts in the first line, above columns of numbers, dates or codes"
        return Plain(first, 0.95, reason)
    reason = "the first line of a table of text, with names that appear nowhere below"
    return Plain(first, text_score(grid, first, below, profile), reason)


def _with_blanks(grid: Grid, first: int, below: Sequence[int], profile: Profile) -> Plain | None:
    """Judge a line of names that leaves some columns unnamed, or repeats a name."""
    used = grid.used_columns(below[:_LOOKED_AT])
    names = {grid.cell(first, column).strip().casefold() for column in grid.filled(first)}
    unnamed = set(used) - set(grid.filled(first))
    if not below or _opens_higher_header(grid, below, profile):
        return None
    if len(used) < 3 or len(unnamed) * 3 > len(used) or len(names) * 2 < len(used):
        return None
    fits = [profile.fit(grid, row) for row in below[:3]]
    if fits[0] == 0 or not any(fits):
        return None
    reason = "names in the first line, above values; some are blank or repeated"
    return Plain(first, 0.85, reason)


def _are_distinct(grid: Grid, row: int) -> bool:
    texts = [grid.cell(row, column).strip().casefold() for column in grid.filled(row)]
    looks = {grid.look(row, column) for column in grid.filled(row)}
    return len(set(texts)) == len(texts) and looks != {Look.PROSE} and not looks.isdisjoint(TEXT)


def _covers(grid: Grid, first: int, below: Sequence[int]) -> bool:
    """Return whether almost no row extends beyond the columns that the first line names."""
    names = set(grid.filled(first))
    beyond = Counter(column for row in below for column in grid.filled(row))
    strays = max((count for column, count in beyond.items() if column not in names), default=0)
    return strays <= _STRAY * len(below)


def _continues(grid: Grid, first: int, below: Sequence[int], profile: Profile) -> bool:
    """
    Return whether the first line looks like the lines below, or one of its texts occurs there.
    """
    names = {column: grid.cell(first, column).strip() for column in grid.filled(first)}
    repeated = {
        row for row in below if all(grid.cell(row, c).strip() == names[c] for c in names)
    }  # the whole line again is a repeated header
    for column, name in names.items():
        look = grid.look(first, column)
        seen = [row for row in below[:500] if row not in repeated and grid.cell(row, column)]
        if any(grid.cell(row, column).strip() == name for row in seen):
            return True
        if profile.looks.get(column) is look and len(seen) >= _NEEDED:
            return True
    return False


def _opens_higher_header(grid: Grid, below: Sequence[int], profile: Profile) -> bool:
    """Return whether the second line also names columns of numbers or dates."""
    second, rest = below[0], below[1:]
    strong = [c for c, look in profile.looks.items() if look not in {Look.CODE, Look.FLAG}]
    named = [column for column in strong if grid.look(second, column) in TEXT]
    empty = [column for column in strong if grid.look(second, column) is Look.EMPTY]
    if len(rest) < 2 or len(named) < 2 or len(named) + len(empty) < len(strong):
        return False
    return any(grid.look(row, column) not in TEXT for row in rest[:3] for column in named)
