"""Sheets of formats that calamine does not read: rows of texts in memory, held like its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tabular.model.limits import Limits
from tabular.reading.layout import Span
from tabular.reading.limiting import check_counts
from tabular.reading.workbook.package import SheetParts
from tabular.reading.workbook.sheet import Sheet


@dataclass(slots=True)
class HeldCells:
    """Rows of one width, as a calamine sheet gives them."""

    rows: Sequence[Sequence[str]]
    width: int

    @property
    def start(self) -> tuple[int, int]:
        """The first cell."""
        return 0, 0

    @property
    def end(self) -> tuple[int, int] | None:
        """The last cell, None where there is none."""
        return (len(self.rows) - 1, self.width - 1) if self.rows and self.width else None

    def iter_rows(self) -> Iterator[Sequence[str]]:
        """Give the rows, short ones filled up."""
        for row in self.rows:
            yield [*row, *[""] * (self.width - len(row))]


@dataclass(slots=True)
class SheetBuilder:
    """Collects the cells of a sheet as they come, within the limits."""

    name: str
    limits: Limits
    is_hidden: bool = False
    rows: list[list[str]] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    parts: SheetParts = field(default_factory=SheetParts)
    width: int = 0

    def put(self, row: int, column: int, text: str) -> None:
        """Put a text into a cell; LimitExceeded where it stands too far out."""
        self.reach(row, column)
        cells = self.rows[row]
        cells.extend([""] * (column + 1 - len(cells)))
        cells[column] = text

    def reach(self, row: int, column: int) -> None:
        """Make the sheet large enough for a cell; LimitExceeded where it must not be."""
        if row >= len(self.rows) or column >= self.width:
            self.width = max(self.width, column + 1)
            check_counts(max(row + 1, len(self.rows)), self.width, self.limits)
            self.rows.extend([] for _ in range(row + 1 - len(self.rows)))

    def sheet(self) -> Sheet:
        """Give the sheet."""
        return Sheet(
            name=self.name,
            cells=HeldCells(self.rows, self.width),
            is_hidden=self.is_hidden,
            parts=self.parts,
            spans=tuple(self.spans),
        )
