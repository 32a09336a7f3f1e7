"""How the columns of a table's body usually look, and how well a row fits that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tabular.reading.cells import Look
from tabular.reading.layout.grid import TYPED, Grid

_SAMPLE = 200
_TYPED_SHARE = 0.6
_AMBIGUOUS = frozenset({Look.CODE, Look.FLAG})  # hard to tell from words:
_PURE_SHARE = 0.9  # only a pure column counts


@dataclass(frozen=True, slots=True)
class Profile:
    """The usual look of each column that has one."""

    looks: dict[int, Look]  # typed columns only
    shares: dict[int, float]  # share of the informative cells that have this look

    @classmethod
    def of(cls, grid: Grid, rows: Sequence[int]) -> Profile:
        """Return the profile of the rows, or of a sample spread over them if there are many."""
        step = max(1, len(rows) // _SAMPLE)
        sample = rows[::step]
        columns = range(grid.left, grid.right)
        return cls.of_counts(
            {column: Counter(grid.look(row, column) for row in sample) for column in columns}
        )

    @classmethod
    def of_counts(cls, counts_of: Mapping[int, Counter[Look]]) -> Profile:
        """Return the profile of columns, given how often each look occurs in them."""
        looks: dict[int, Look] = {}
        shares: dict[int, float] = {}
        for column, counts in counts_of.items():
            seen = [(look, n) for look, n in counts.items() if n and look is not Look.EMPTY]
            if not seen:
                continue
            usual, count = max(seen, key=lambda item: (item[1], item[0] in TYPED))
            share = count / sum(n for _, n in seen)
            needed = _PURE_SHARE if usual in _AMBIGUOUS else _TYPED_SHARE
            if usual in TYPED and share >= needed:
                looks[column], shares[column] = usual, share
        return cls(looks, shares)

    def fit(self, grid: Grid, row: int) -> float | None:
        """
        Return the share of a row's informative cells in typed columns that have the usual look.

        None if the row has no such cell.
        """
        seen = fitting = 0.0
        for column, usual in self.looks.items():
            look = grid.look(row, column)
            if look is Look.EMPTY:
                continue
            weight = 0.5 if usual in _AMBIGUOUS else 1.0
            seen += weight
            fitting += weight * _alike(look, usual)
        return fitting / seen if seen else None


def _alike(look: Look, usual: Look) -> float:
    if look is usual:
        return 1.0
    if usual is Look.CODE and look in {Look.NUMBER, Look.DATE}:
        return 0.8
    if look is Look.CODE:
        return 0.3
    if usual is Look.NUMBER:  # a day above numbers is a name, a number among days a serial
        return 0.2 if look in {Look.DATE, Look.TIME} else 0.0
    return 0.7 if {look, usual} <= {Look.DATE, Look.TIME, Look.NUMBER} else 0.0
