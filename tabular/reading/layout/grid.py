"""A grid of text cells, and cheap queries on it for the layout stage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from tabular.reading.cells import Look, value_look

TYPED = frozenset({Look.NUMBER, Look.DATE, Look.TIME, Look.ADDRESS, Look.CODE, Look.FLAG})
TEXT = frozenset({Look.WORD, Look.PROSE})
NAMES = TEXT | {Look.CODE, Look.FLAG}  # how a column's name may look: T01_r1, no


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
        """Return a window on all cells."""
        return cls(rows, 0, len(rows), 0, max(map(len, rows), default=0))

    def window(
        self,
        *,
        top: int | None = None,
        bottom: int | None = None,
        left: int | None = None,
        right: int | None = None,
    ) -> Grid:
        """Return a narrower window."""
        return Grid(
            self.rows,
            self.top if top is None else top,
            self.bottom if bottom is None else bottom,
            self.left if left is None else left,
            self.right if right is None else right,
        )

    def cell(self, row: int, column: int) -> str:
        """Return the text of a cell; a cell beyond a short row is empty."""
        cells = self.rows[row]
        return cells[column] if column < len(cells) else ""

    def look(self, row: int, column: int) -> Look:
        """Return how a cell looks; a cell that only says "no value" looks empty."""
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
        """Return the columns of a row that have text."""
        return self.filled_columns[row]

    def is_blank(self, row: int) -> bool:
        """Return whether a row has no text."""
        return not self.filled_columns[row]

    @cached_property
    def usual_width(self) -> int:
        """
        The number of filled cells in a typical row of the main table.

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
        """Rows filled at least half as well as the typical row."""
        least = max(min(2, self.usual_width), (self.usual_width + 1) // 2)
        return tuple(
            row for row, filled in self.filled_columns.items() if len(filled) >= max(1, least)
        )

    def used_columns(self, rows: Iterable[int]) -> tuple[int, ...]:
        """Return the columns in which any of the rows has text."""
        used: set[int] = set()
        for row in rows:
            used.update(self.filled_columns[row])
        return tuple(sorted(used))
