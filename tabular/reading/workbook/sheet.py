"""One sheet of a workbook, calamine's or held in memory: cells as text, merged ranges filled."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from tabular.model.problem import Limits
from tabular.reading.layout import Span
from tabular.reading.limiting import check_counts
from tabular.reading.workbook.package import SheetParts
from tabular.reading.workbook.texts import texts_of

CHUNK_ROWS = 500  # larger chunks keep more objects alive and cost the garbage collector more


@dataclass(slots=True)
class Sheet:
    """
    The cells of a sheet, held by calamine and returned as text.

    Rule for merged ranges: one that spans rows of a single column gives its value to each of them;
    one that spans columns keeps its value in its first cell.
    """

    name: str
    cells: Any  # python_calamine.CalamineSheet
    is_hidden: bool
    parts: SheetParts
    spans: tuple[Span, ...] = ()
    _columns: dict[int, list[Span]] = field(default_factory=dict)
    _errors: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Sort the spans that are filled, and the cells with an error, by column."""
        for row, place in sorted(self.parts.errors):
            self._errors.setdefault(place, []).append(row)
        for span in self.spans:
            if span.left == span.right and span.bottom > span.top:
                self._columns.setdefault(span.left, []).append(span)

    @property
    def rows(self) -> int:
        """The number of rows, counted from the sheet's first."""
        return self.cells.end[0] + 1 if self.cells.end else 0

    @property
    def columns(self) -> int:
        """The number of columns, counted from the sheet's first."""
        return self.cells.end[1] + 1 if self.cells.end else 0

    @property
    def merged_down(self) -> int:
        """The number of merged ranges that are filled."""
        return sum(map(len, self._columns.values()))

    def chunks(self) -> Iterator[list[Sequence[str]]]:
        """Yield the cells by columns, some thousand rows at a time, from the first row on."""
        if not self.cells.end:
            return
        offset = self.cells.start[1]
        rows = self.cells.iter_rows()
        start = 0
        carried: dict[int, str] = {}
        while chunk := list(islice(rows, CHUNK_ROWS)):
            height = len(chunk)
            blank = [""] * height
            columns: list[Sequence[str]] = [blank] * offset
            for place, column in enumerate(zip(*chunk, strict=True), offset):
                columns.append(self.parts.marks.applied(texts_of(column), place, start))
            for place, errors in self._errors.items():
                if place < len(columns):
                    columns[place] = _blanked(columns[place], errors, start)
            for place, spans in self._columns.items():
                if place < len(columns):
                    columns[place] = _filled(columns[place], spans, start, carried, place)
            yield columns
            start += height

    def head(self, rows: int) -> list[tuple[str, ...]]:
        """Return the first rows, and a few more."""
        first: list[tuple[str, ...]] = []
        for columns in self.chunks():
            first.extend(zip(*columns, strict=True))
            if len(first) >= rows:
                break
        return first

    def grid(self) -> list[tuple[str, ...]]:
        """Return all cells by rows."""
        return [row for columns in self.chunks() for row in zip(*columns, strict=True)]


def _blanked(texts: Sequence[str], errors: list[int], start: int) -> Sequence[str]:
    """Return the texts without error cells, for which some formats keep an old value."""
    first, last = bisect_left(errors, start), bisect_left(errors, start + len(texts))
    if first == last:
        return texts
    kept = list(texts)
    for row in errors[first:last]:
        kept[row - start] = ""
    return kept


def _filled(
    texts: Sequence[str], spans: list[Span], start: int, carried: dict[int, str], place: int
) -> list[str]:
    """Fill a column's merged ranges; a range may continue in the next chunk."""
    filled = list(texts)
    end = start + len(filled)
    for span in spans:
        if span.bottom < start or span.top >= end:
            continue
        key = span.top * 20_000 + place
        if span.top >= start:
            carried[key] = filled[span.top - start]
        for row in range(max(span.top, start), min(span.bottom + 1, end)):
            filled[row - start] = filled[row - start] or carried.get(key, "")
    return filled


@dataclass(slots=True)
class HeldCells:
    """Rows of one width, in the form of a calamine sheet."""

    rows: Sequence[Sequence[str]]
    width: int

    @property
    def start(self) -> tuple[int, int]:
        """The first cell."""
        return 0, 0

    @property
    def end(self) -> tuple[int, int] | None:
        """The last cell, or None if there is none."""
        return (len(self.rows) - 1, self.width - 1) if self.rows and self.width else None

    def iter_rows(self) -> Iterator[Sequence[str]]:
        """Yield the rows, short ones padded."""
        for row in self.rows:
            yield [*row, *[""] * (self.width - len(row))]


@dataclass(slots=True)
class SheetBuilder:
    """Collects the cells of a sheet as they arrive, within the limits."""

    name: str
    limits: Limits
    is_hidden: bool = False
    rows: list[list[str]] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    parts: SheetParts = field(default_factory=SheetParts)
    width: int = 0

    def put(self, row: int, column: int, text: str) -> None:
        """Put a text into a cell. Raise LimitExceeded if the cell is too far out."""
        self.reach(row, column)
        cells = self.rows[row]
        cells.extend([""] * (column + 1 - len(cells)))
        cells[column] = text

    def reach(self, row: int, column: int) -> None:
        """Make the sheet large enough for a cell. Raise LimitExceeded if that is too large."""
        if row >= len(self.rows) or column >= self.width:
            self.width = max(self.width, column + 1)
            check_counts(max(row + 1, len(self.rows)), self.width, self.limits)
            self.rows.extend([] for _ in range(row + 1 - len(self.rows)))

    def sheet(self) -> Sheet:
        """Return the sheet."""
        return Sheet(
            name=self.name,
            cells=HeldCells(self.rows, self.width),
            is_hidden=self.is_hidden,
            parts=self.parts,
            spans=tuple(self.spans),
        )
