"""The layout stage's input and output: what is known beforehand, and one table in a grid."""

from __future__ import annotations

from dataclasses import dataclass, field

from tabular.model.table import Evidence, Skipped, SkipReason
from tabular.reading.layout.grid import Span
from tabular.reading.layout.profile import Profile


@dataclass(frozen=True, slots=True)
class SetApart:
    """Leading rows that the file marks as titles by more than their text: how many, and how."""

    rows: int
    how: str


@dataclass(frozen=True, slots=True)
class Hints:
    """What a format's reader knows besides the text of the cells."""

    merged: tuple[Span, ...] = ()
    shows_spans: bool = False  # True: titles reach only over merged ranges
    header_rows: tuple[int, ...] | None = None  # chosen by a user; () means no header
    set_apart: SetApart | None = None
    is_complete: bool = True  # False: the rows are the head of a longer table
    one_table: bool = False  # True: the rows were cut out as one table, do not split them


@dataclass(frozen=True, slots=True)
class Region:
    """
    One table in a grid.

    Rows and columns are numbers of the grid, 0-based. ``rows`` are the body's rows in order;
    ``places`` are the grid columns that ``columns`` name, in order.
    """

    header_rows: tuple[int, ...]
    columns: tuple[str, ...]
    places: tuple[int, ...]
    rows: tuple[int, ...]
    profile: Profile
    confidence: float = 1.0
    evidence: tuple[Evidence, ...] = ()
    document: dict[str, str] = field(default_factory=dict)
    units_row: int | None = None
    left_out: tuple[tuple[int, SkipReason], ...] = ()  # rows in order, each with its reason

    @property
    def skipped(self) -> Skipped:
        """The number of skipped rows, by kind."""
        return Skipped.of(reason for _, reason in self.left_out)

    @property
    def footers(self) -> tuple[int, ...]:
        """The rows below the body that belong to the table: notes and totals."""
        return tuple(row for row, reason in self.left_out if reason in {"footer", "total"})

    @property
    def top(self) -> int:
        """The first row of the table, its header included."""
        rows = (*self.header_rows, *self.rows[:1])
        return min(rows, default=0)

    @property
    def bottom(self) -> int:
        """The last row of the table."""
        rows = (*self.header_rows, *self.rows[-1:])
        return max(rows, default=0)

    @property
    def cells(self) -> int:
        """The number of cells in the body."""
        return len(self.rows) * len(self.places)
