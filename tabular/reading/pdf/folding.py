"""Lines of text become rows: what wrapped within a cell is folded back."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median

from tabular.reading.pdf.content import kind_of
from tabular.reading.pdf.grid import lines_of, text_of
from tabular.reading.pdf.page import Word, around

SAME_ROW = 0.62  # of a line's height: lines whose middles are nearer are one row
TIGHTER = 0.2  # of a line's height: a gap smaller than the usual one by this is inside a row
OTHER_WEIGHT = 30  # of fonts: text does not wrap from bold to plain
TYPED = {"number", "date"}


@dataclass(slots=True)
class Strip:
    """One line, or one row so far: words by column."""

    cells: list[list[Word]]
    top: float
    bottom: float
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def filled(self) -> set[int]:
        """Give the columns that hold words."""
        return {column for column, words in enumerate(self.cells) if words}

    @property
    def height(self) -> float:
        """Give the height of its first line in points."""
        words = [word for cell in self.cells for word in cell]
        return median(word.box.height for word in words) if words else self.bottom - self.top

    def take(self, other: Strip) -> None:
        """Add the words of another strip."""
        for mine, theirs in zip(self.cells, other.cells, strict=True):
            mine.extend(theirs)
        self.top, self.bottom = min(self.top, other.top), max(self.bottom, other.bottom)
        self.spans = tuple({*self.spans, *other.spans})


def folded(strips: list[Strip]) -> list[Strip]:
    """
    Fold lines into rows.

    1. Lines that nearly share their middle are one row: labels beside centred numbers.
    2. A line that only fills columns its row fills too, and no number, goes on with that row if
       it stands closer than rows do, or if its first word had no room in the line above.
    3. A label alone whose next word had no room belongs to the row below.
    """
    rows = _overlapping(strips)
    limits = _limits(rows)
    usual = _usual_gap(rows)
    gaps = [after.top - before.bottom for before, after in pairwise(rows)]
    found: list[Strip] = []
    leading = False  # the last row found is only the first lines of a centred row
    nexts = [*rows[1:], None]
    for row, after, gap, gap_below in zip(rows, nexts, [inf, *gaps], [*gaps, inf], strict=True):
        slack = TIGHTER * row.height
        if found and leading and found[-1].filled <= row.filled and gap < gap_below + slack:
            found[-1].take(row)
            leading = not _is_full(row, rows)
        elif found and gap <= gap_below + slack and _goes_on(found[-1], row, gap, usual, limits):
            found[-1].take(row)
        else:
            found.append(row)
            apart = gap_below + slack < gap < inf and not _is_full(row, rows)
            leading = apart and after is not None and _leads(row, after, limits)
    return _labels_joined(found, limits)


def _leads(row: Strip, below: Strip, limits: list[float]) -> bool:
    """Say whether each text goes on below, so that this is not a title over a group of rows."""
    return row.filled <= below.filled and all(
        len(row.cells[column]) > 1
        and had_no_room(row.cells[column], below.cells[column], limits[column])
        for column in row.filled
    )


def _is_full(row: Strip, rows: list[Strip]) -> bool:
    return 2 * len(row.filled) >= max(len(other.filled) for other in rows) or _has_values(row)


def _has_values(row: Strip) -> bool:
    return any(kind_of(text_of(row.cells[column])) in TYPED for column in row.filled)


def _overlapping(strips: list[Strip]) -> list[Strip]:
    rows: list[Strip] = []
    for strip in strips:
        if rows:
            apart = (strip.top + strip.bottom) / 2 - (rows[-1].top + rows[-1].bottom) / 2
            if apart < SAME_ROW * strip.height and not strip.filled & rows[-1].filled - {0}:
                rows[-1].take(strip)
                continue
        rows.append(strip)
    return rows


def _limits(rows: list[Strip]) -> list[float]:
    """Give how far to the right each column reaches."""
    width = len(rows[0].cells)
    return [
        max((word.box.x1 for row in rows for word in row.cells[column]), default=0.0)
        for column in range(width)
    ]


def _usual_gap(rows: list[Strip]) -> float:
    most = max(len(row.filled) for row in rows)
    gaps = [
        row.top - before.bottom
        for before, row in itertools.pairwise(rows)
        if 2 * len(row.filled) >= most
    ]
    return median(gaps) if gaps else 0.0


def _goes_on(row: Strip, line: Strip, gap: float, usual: float, limits: list[float]) -> bool:
    if not line.filled < row.filled or line.spans:
        return False
    texts = {column: text_of(line.cells[column]) for column in line.filled}
    if any(kind_of(text) in TYPED for text in texts.values()):
        return False
    if gap < usual - TIGHTER * line.height:
        return True
    begins_low = all(text[0].islower() for text in texts.values())
    lone = len(line.filled) == 1 and 0 not in line.filled
    return (begins_low or lone) and all(
        had_no_room(row.cells[column], line.cells[column], limits[column]) for column in texts
    )


def had_no_room(cell: list[Word], below: list[Word], limit: float) -> bool:
    """Say whether the first word below would not have fitted into the cell's last line."""
    last_line, first_line = lines_of(cell)[-1], lines_of(below)[0]
    if abs(last_line[-1].weight - first_line[0].weight) > OTHER_WEIGHT:
        return False
    first = first_line[0].box
    return around([word.box for word in last_line]).x1 + first.width > limit - 1


def _reads_on(label: str, below: str) -> bool:
    return below[0].islower() or below[0] in "(&" or label[-1] in ",-–/&("


def _labels_joined(rows: list[Strip], limits: list[float]) -> list[Strip]:
    found: list[Strip] = []
    for row in rows:
        label = found[-1] if found and found[-1].filled == {0} else None
        goes_on = (
            label is not None
            and len(found) > 1
            and {0} < row.filled
            and not label.spans
            and len(label.cells[0]) > 1
            and not text_of(label.cells[0]).endswith(":")
            and row.top - label.bottom < 0.5 * row.height
            and _reads_on(text_of(label.cells[0]), text_of(row.cells[0]))
            and had_no_room(label.cells[0], row.cells[0], limits[0])
        )
        if label is not None and goes_on:
            label.take(row)
        else:
            found.append(row)
    return found
