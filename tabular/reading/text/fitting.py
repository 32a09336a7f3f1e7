"""
Fit odd rows into the table: a cell too many or too few, and where.

Nothing but an empty cell is ever dropped, and whatever is moved is reported.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tabular.model.issue import Issue
from tabular.model.sentences import Sentence
from tabular.reading.layout.grid import Grid
from tabular.reading.layout.profile import Profile
from tabular.reading.text.records import Record

REPORTED_ROWS = 10_000  # odd rows reported one by one; the rest are counted
_ESCAPED = re.compile(r"\\x[89a-f][0-9a-f]")
_CERTAIN = 0.95
_LEAST_ROWS = 5
_MESSAGES = {
    "broken_quotes": (
        "A quotation mark in this row does not enclose a cell; it was read as a character."
    ),
    "short_row": "The row has fewer cells than the table; the missing ones were left empty.",
    "long_row": "The row has more cells than the table; none were dropped.",
    "undecodable_bytes": (
        "Some bytes of this row are not valid in the encoding; they appear as \\xNN."
    ),
    "row_realigned": "The row has one empty cell too many; it was dropped to fit the columns.",
}


@dataclass(frozen=True, slots=True)
class Fitting:
    """What is known about the usual row, for judging the odd ones."""

    width: int
    profile: Profile | None = None

    @classmethod
    def of(cls, rows: Sequence[Sequence[str]], width: int) -> Fitting:
        """Learn from the rows that have the usual width."""
        usual = [row for row, cells in enumerate(rows) if len(cells) == width]
        if width < 2 or len(usual) < _LEAST_ROWS:
            return cls(width)
        grid = Grid(rows, 0, len(rows), 0, width)
        return cls(width, Profile.of(grid, usual[1:]))

    def fit(self, cells: list[str]) -> list[str] | None:
        """Return the row without its one extra empty cell, or None if that explains nothing."""
        if self.profile is None or len(cells) != self.width + 1:
            return None
        places = [place for place, text in enumerate(cells[:-1]) if not text.strip()]
        if not places:
            return None
        best = max(places, key=lambda place: self._score(cells[:place] + cells[place + 1 :]))
        shifted = cells[:best] + cells[best + 1 :]
        gain = self._score(shifted) - self._score(cells[: self.width])
        return shifted if gain > 0.2 else None

    def _score(self, cells: list[str]) -> float:
        if self.profile is None:
            return 0.0
        return self.profile.fit(Grid([cells], 0, 1, 0, self.width), 0) or 0.0


def fit_records(records: Sequence[Record], width: int, *, is_valid: bool) -> list[Issue]:
    """
    Fit the records' cells in place, and report every row that was changed.

    width: cells of the usual row. is_valid: every byte exists in the file's encoding.
    """
    issues = []
    fitting = Fitting.of([record.cells for record in records], width)
    for row, record in enumerate(records):
        if record.oddity:
            issues.append(odd_row(record.oddity, row))
        if not is_valid and has_undecodable(record.cells):
            issues.append(odd_row("undecodable_bytes", row))
        if len(record.cells) == width + 1 and (fitted := fitting.fit(record.cells)):
            record.cells = fitted
            issues.append(odd_row("row_realigned", row))
    return issues


def fit_header(records: Sequence[Record], header: int, width: int) -> bool:
    """
    Drop the one extra empty cell of a header row. Return whether there was one.

    Only if the body proves it: almost all its rows have one cell less, and some of them end with an
    empty cell, so the writer does not omit trailing cells.
    """
    cells = records[header].cells
    empty = [place for place, text in enumerate(cells) if not text.strip()]
    below = [record.cells for record in records[header + 1 :] if any(record.cells)]
    if len(cells) != width + 1 or len(empty) != 1 or len(below) < _LEAST_ROWS:
        return False
    usual = [row for row in below if len(row) == width]
    if len(usual) < _CERTAIN * len(below) or not any(not row[-1] for row in usual):
        return False
    del cells[empty[0]]
    return True


def has_undecodable(cells: Sequence[str]) -> bool:
    """Return whether bytes of a row could not be decoded (see ``open_lines``)."""
    return any("\\x" in text and _ESCAPED.search(text) for text in cells)


def odd_row(code: str, row: int, value: str | None = None) -> Issue:
    """Return the issue of a row that does not have the form of the table."""
    return Issue(code, "warning", row=row, message=_MESSAGES[code], value=value)


def capped(issues: list[Issue]) -> tuple[Issue, ...]:
    """Keep the first odd rows and count the others."""
    if len(issues) <= REPORTED_ROWS:
        return tuple(issues)
    more = len(issues) - REPORTED_ROWS
    message = Sentence("{n1} more rows have problems.", n1=str(more))
    return (*issues[:REPORTED_ROWS], Issue("more_odd_rows", "warning", message=message))
