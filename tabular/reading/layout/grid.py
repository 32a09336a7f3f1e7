"""A grid of text cells and the cheap questions the layout stage asks about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from tabular.reading.cells import Look, value_look

TYPED = frozenset({Look.NUMBER, Look.DATE, Look.TIME, Look.ADDRESS, Look.CODE, Look.FLAG})
TEXT = frozenset({Look.WORD, Look.PROSE})
NAMES = TEXT | {Look.CODE, Look.FLAG}  # what the name of a column may look like: T01_r1, no


@dataclass(frozen=True, slots=True)
class Span:
    """A merged range of cells, ends included."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True)
class Grid:
    """
    A window on a grid: rows ``top`` to ``bottom`` and columns ``left`` to ``right``, ends excluded.

    Row and column numbers are always those of the whole grid. Rows may be ragged.
    """

    rows: Sequence[Sequence[str]]
    top: int
    bottom: int
    left: int
    right: int

    @classmethod
    def whole(cls, rows: Sequence[Sequence[str]]) -> Grid:
        """Look at every cell."""
        return cls(rows, 0, len(rows), 0, max(map(len, rows), default=0))

    def window(
        self,
        *,
        top: int | None = None,
        bottom: int | None = None,
        left: int | None = None,
        right: int | None = None,
    ) -> Grid:
        """Narrow the window."""
        return Grid(
            self.rows,
            self.top if top is None else top,
            self.bottom if bottom is None else bottom,
            self.left if left is None else left,
            self.right if right is None else right,
        )

    def cell(self, row: int, column: int) -> str:
        """Give the text of a cell; beyond a short row it is empty."""
        cells = self.rows[row]
        return cells[column] if column < len(cells) else ""

    def look(self, row: int, column: int) -> Look:
        """Say how a cell looks; a cell that only says "no value" looks empty."""
        cells = self.rows[row]
        return value_look(cells[column]) if column < len(cells) else Look.EMPTY

    @cached_property
    def filled_columns(self) -> dict[int, tuple[int, ...]]:
        """The columns with text, for each row of the window."""
        left, right = self.left, self.right
        return {
            row: tuple(
                column
                for column, text in enumerate(self.rows[row][left:right], left)
                if text and not text.isspace()
            )
            for row in range(self.top, self.bottom)
        }

    def filled(self, row: int) -> tuple[int, ...]:
        """Name the columns of a row that hold text."""
        return self.filled_columns[row]

    def is_blank(self, row: int) -> bool:
        """Whether a row holds no text."""
        return not self.filled_columns[row]

    @cached_property
    def usual_width(self) -> int:
        """
        How many filled cells a row of the main table has.

        The number f with the largest area f x (rows with at least f filled cells).
        """
        counts = Counter(len(filled) for filled in self.filled_columns.values())
        best, area, rows = 0, 0, 0
        for width in sorted(counts, reverse=True):
            rows += counts[width]
            if width * rows > area:
                best, area = width, width * rows
        return best

    @cached_property
    def dense_rows(self) -> tuple[int, ...]:
        """Rows filled at least half as well as the usual row."""
        least = max(min(2, self.usual_width), (self.usual_width + 1) // 2)
        return tuple(
            row for row, filled in self.filled_columns.items() if len(filled) >= max(1, least)
        )

    def used_columns(self, rows: Iterable[int]) -> tuple[int, ...]:
        """Name the columns in which any of the rows has text."""
        used: set[int] = set()
        for row in rows:
            used.update(self.filled_columns[row])
        return tuple(sorted(used))
