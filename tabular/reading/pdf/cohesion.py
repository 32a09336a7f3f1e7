"""
How well the rows of a table hold together, and the question about a table whose rows do not.

Each feature is a share, 0 where nothing is odd. One logistic layer weighs them; its weights and the
confidence below which the engine asks are in ``cohesion.json``, fitted by ``python -m eval printed
--fit`` on generated documents.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import exp, log1p, sqrt
from statistics import median

from tabular.model.sentences import Sentence, counted, numbered
from tabular.reading.pdf.grids.content import column_kinds, kind_of
from tabular.reading.pdf.grids.grid import Row

FEATURES = (
    "lone",  # rows with one filled cell
    "hollow",  # rows without most of the columns that other rows fill
    "hollow_first",  # the first row is one
    "holes",  # empty cells in columns that most rows fill
    "misfits",  # values that are not of their column's kind
    "untyped",  # columns without a kind of values
    "near",  # gaps between rows that are smaller than usual
    "far",  # gaps that are larger
    "left_out",  # lines next to the rows with texts in half of the columns
    "left_inside",  # lines next to the rows that an issue names
    "untitled",  # no row names the columns
    "unnamed",  # columns without a title
    "two_values",  # cells that hold two values
    "torn",  # lines of a cell that may be one word
    "low",  # rows with a text that goes on in lower case
    "undrawn",  # parts of the table whose cells have no borders
    "scored",  # how much the cells of a page look unlike a table
    "few",  # high for a table of few rows
)
NARROW = 3  # columns from which a row with one filled cell is odd
TYPED = frozenset({"number", "date", "code"})
MOSTLY = 0.6  # share of a column's cells that are of its kind, in a column of values
FULL = 0.8  # share of the rows that fill a column in which a gap is odd
HOLLOW = 0.5  # share of these columns that an odd row leaves empty
ODD_GAP = 0.25  # of a line's height: gaps between rows that differ by more are of two kinds
OFTEN = 0.3  # share of a column's texts in lower case from which that is usual
UNLIKE = "its cells look unlike those of most tables"
SHOWN = {
    "lone": "{ROWS} with text in one column only",
    "hollow": "{ROWS} without most of the columns that other rows fill",
    "misfits": "{ROWS} with a value that is not like the others of its column",
    "near": "{ROWS} nearer to the row above than others",
    "far": "{ROWS} farther from the row above than others",
    "two_values": "{ROWS} with two values in one cell",
    "torn": "{ROWS} with a word that may be torn at the end of a line",
    "low": "{ROWS} with a text that goes on in lower case",
}


@dataclass(frozen=True, slots=True)
class Cohesion:
    """How well rows hold together; ``reasons`` are words for what is odd, for a person."""

    features: Mapping[str, float]
    reasons: tuple[str, ...]

    @property
    def confidence(self) -> float:
        """The probability that the table is read as it is printed."""
        return round(probability(self.features, shipped().weights), 3)

    @property
    def is_doubtful(self) -> bool:
        """Whether a person has to compare the rows with the page."""
        return self.confidence < shipped().least


@dataclass(frozen=True, slots=True)
class Model:
    """The weights of the features, ``bias`` among them, and the least confidence to go unasked."""

    weights: Mapping[str, float]
    least: float


@cache
def shipped() -> Model:
    """Return the model that comes with the engine."""
    read = json.loads(files("tabular.reading.pdf").joinpath("cohesion.json").read_text("utf-8"))
    return Model(read["weights"], read["least"])


def probability(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return how probably a table with these features is read as it is printed."""
    odds = weights["bias"] + sum(weights[name] * sqrt(features[name]) for name in FEATURES)
    return 1 / (1 + exp(odds))


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What of a table is not in its rows."""

    is_titled: bool
    left_out: Sequence[int]  # the number of texts of each line next to the rows
    left_inside: int  # of these lines, those that an issue names
    drawn: float  # share of its grids whose cells have borders
    score: float  # of a filled cell, from 0 to 1


def cohesion_of(columns: Sequence[str], rows: Sequence[Row], around: Surroundings) -> Cohesion:
    """Measure a table. columns: its titles. rows: of its body, with one cell per title."""
    width, count = max(len(columns), 1), max(len(rows), 1)
    body = _Body(rows, width)
    counts = body.counts()
    cells = max(sum(body.filled), 1)
    wide = sum(size >= max(2, width / 2) for size in around.left_out)
    features = {
        **{name: counts[name] / count for name in ("lone", "hollow", "near", "far", "low")},
        "hollow_first": float(bool(rows) and body.is_hollow(rows[0])),
        "holes": body.holes / max(count * len(body.full), 1),
        "misfits": counts["misfits"] / max(body.values, 1),
        "untyped": 1 - len(body.typed) / width,
        "left_out": min(wide / count, 1.0),
        "left_inside": min(around.left_inside / count, 1.0),
        "untitled": float(not around.is_titled),
        "unnamed": sum(_is_made_up(name) for name in columns) / width,
        "two_values": counts["two_values"] / cells,
        "torn": counts["torn"] / cells,
        "undrawn": 1 - around.drawn,
        "scored": 1 - min(around.score, 1.0),
        "few": 1 / (1 + log1p(len(rows))),
    }
    reasons: list[str] = [
        Sentence(template, ROWS=counted(counts[name], "row"))
        for name, template in SHOWN.items()
        if counts[name]
    ]
    if not around.is_titled:
        reasons.append("no row names the columns")
    if wide:
        near = "next to the rows may be part of the table"
        reasons.append(numbered(wide, f"1 line {near}", f"{{n1}} lines {near}"))
    return Cohesion(features, tuple(reasons) or (UNLIKE,))


class _Body:
    """The rows of a table, and which of its columns are of values, or always filled."""

    def __init__(self, rows: Sequence[Row], width: int) -> None:
        self.rows, self.width = rows, width
        columns = range(width)
        self.kinds = column_kinds(rows, width)
        self.filled = [sum(bool(row.cells[column]) for row in rows) for column in columns]
        self.full = [c for c in columns if rows and self.filled[c] >= FULL * len(rows)]
        self.typed = [c for c in columns if self.kinds[c][0] in TYPED and self.kinds[c][1] > MOSTLY]

    @property
    def values(self) -> int:
        """The number of cells in columns of values."""
        return sum(self.filled[column] for column in self.typed)

    @property
    def holes(self) -> int:
        """The number of empty cells in columns that most rows fill."""
        return sum(len(self.rows) - self.filled[column] for column in self.full)

    def is_hollow(self, row: Row) -> bool:
        """Return whether a row leaves most of the columns empty that other rows fill."""
        empty = sum(not row.cells[column] for column in self.full)
        return len(self.full) > 1 and empty > HOLLOW * len(self.full)

    def counts(self) -> dict[str, int]:
        """Count what is odd: rows, but cells of two values and of torn words."""
        near, far = self._odd_gaps()
        return {
            "lone": sum(row.filled == 1 for row in self.rows) if self.width >= NARROW else 0,
            "hollow": sum(map(self.is_hollow, self.rows)),
            "misfits": sum(
                kind_of(row.cells[column]) not in {self.kinds[column][0], "mark", ""}
                for column in self.typed
                for row in self.rows
            ),
            "near": near,
            "far": far,
            "two_values": sum(_are_two(cell) for row in self.rows for cell in row.cells),
            "torn": sum(1 for _ in self._torn()),
            "low": self._low(),
        }

    def _odd_gaps(self) -> tuple[int, int]:
        """Count the gaps between rows that are clearly smaller, and clearly larger, than usual."""
        line = max(min((row.bottom - row.top for row in self.rows), default=1.0), 1.0)
        gaps = [
            (below.top - above.bottom) / line
            for above, below in pairwise(self.rows)
            if above.page == below.page
        ]
        usual = median(gaps) if gaps else 0.0
        near = sum(gap < usual - ODD_GAP for gap in gaps)
        return near, sum(gap > usual + ODD_GAP for gap in gaps)

    def _torn(self) -> Iterator[int]:
        """Yield the columns of cells whose lines are parted where no other cell has a blank."""
        for column in range(self.width):
            broken = [row.cells[column] for row in self.rows if column in dict(row.breaks)]
            if broken and not self._has_blanks(column):
                yield from (column for cell in broken if " " in cell)

    def _has_blanks(self, column: int) -> bool:
        whole = (row.cells[column] for row in self.rows if column not in dict(row.breaks))
        return any(" " in cell for cell in whole)

    def _low(self) -> int:
        """Count the rows with a text in lower case, where most of its column are not."""
        texts = [[row.cells[c] for row in self.rows if row.cells[c]] for c in range(self.width)]
        usual = [sum(map(_is_low, held)) < OFTEN * len(held) for held in texts]
        return sum(
            any(is_usual and _is_low(cell) for is_usual, cell in zip(usual, row.cells, strict=True))
            for row in self.rows
        )


def _is_low(text: str) -> bool:
    return text[:1].islower()


def _is_made_up(name: str) -> bool:
    first, _, number = name.partition(" ")
    return first == "Column" and number.isdigit()


def _are_two(cell: str) -> bool:
    """
    Return whether a cell holds two values, and is not one as a whole.

    >>> _are_two("12.50 2026-03-01"), _are_two("12.50 kg"), _are_two("Oak shelf 12")
    (True, False, False)
    """
    words = cell.split()
    if len(words) < 2 or kind_of(cell) in TYPED:
        return False
    return sum(kind_of(word) in TYPED for word in words) > 1
