"""What reading finds in a file: tables, where they stand, and how sure we are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, Protocol, get_args

from tabular.model.issue import Issue
from tabular.model.question import Question

if TYPE_CHECKING:
    import pyarrow as pa

ROW_COLUMN = "__row__"  # int64: physical 0-based row of the sheet, file or stitched PDF table
PAGE_COLUMN = "__page__"  # int32, PDF only: 1-based page the row stands on
PART_ROWS = 10**9  # where tables are stacked, the rows of table n begin at n times this
BOXES_COLUMN = "__boxes__"  # [float32], PDF only: left, top, right, bottom of each cell, in points
LEFT_OUT_COLUMNS = (ROW_COLUMN, PAGE_COLUMN, "reason", "cells", "box")

Progress = Callable[[str, int, int | None], None]  # stage, done, total when known


def silent(stage: str, done: int, total: int | None) -> None:
    """Report progress to nobody."""


@dataclass(frozen=True, slots=True)
class ReadingChoices:
    """What a person settled about a file; None leaves the decision to the reader."""

    table: int | None = None  # index in Reading.tables
    tables: tuple[int, ...] = ()  # several of them, to be stacked, instead of ``table``
    entries: tuple[tuple[str, int], ...] = ()  # which of ``tables`` feeds which entry of a catalog
    header_rows: tuple[int, ...] | None = None  # physical rows; () says: no header
    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    joined_lines: Literal["join", "apart"] | None = None  # of a PDF, where it is doubtful
    password: str | None = None
    take_back: tuple[int, ...] = ()  # ROW_COLUMN numbers that were left out: they are data

    def concerns(self, place: int) -> bool:
        """Whether header rows and rows taken back are those of table number ``place``."""
        return place in self.tables if self.tables else place == (self.table or 0)

    def rows_taken_back(self, place: int) -> tuple[int, ...]:
        """Give the physical rows of table number ``place`` that are data."""
        if not self.tables:
            return self.take_back if self.concerns(place) else ()
        own = (row for row in self.take_back if row // PART_ROWS == place)
        return tuple(row % PART_ROWS for row in own) if self.concerns(place) else ()

    def of_table(self, place: int) -> ReadingChoices | None:
        """Give the choices about a table as if it were the only one; None where there are none."""
        taken = self.rows_taken_back(place)
        if not self.concerns(place) or (self.header_rows is None and not taken):
            return None
        return replace(self, table=None, tables=(), take_back=taken)

    def from_table(self, first: int) -> ReadingChoices:
        """Give the choices for a file of several whose first table is number ``first`` of all."""
        own = tuple(place - first for place in self.tables if place >= first)
        taken = self.take_back
        if self.tables:
            taken = tuple(row - first * PART_ROWS for row in taken if row >= first * PART_ROWS)
        return replace(self, table=(self.table or 0) - first, tables=own, take_back=taken)


def folded_name(name: str) -> str:
    """
    Give the name of a column as it is compared between tables.

    >>> folded_name("Unit  Price") == folded_name("unit price ")
    True
    """
    return " ".join(name.casefold().split())


LeftOutReason = Literal[
    "preamble",  # above the header: titles, notes, pairs
    "units",
    "repeated_header",
    "subtotal",  # inside the body, adds up rows above
    "total",  # below the body, adds up its rows
    "footer",  # below the body: notes, sources
    "comment",
    "blank",
    "unmatched",  # text of a page that stands in no table
]
LEFT_OUT_REASONS: tuple[LeftOutReason, ...] = get_args(LeftOutReason)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """
    One row of the file that is not in the table's body, and why.

    ``row`` is its number in ROW_COLUMN's counting; ``ReadingChoices.take_back`` names it so.
    ``cells`` are all cells of the row as they stand in the file, from its first column on (a PDF:
    those of the stitched table), blank ones at the end left away.
    """

    row: int
    reason: LeftOutReason
    cells: tuple[str | None, ...] = ()
    page: int | None = None  # PDF only
    box: tuple[float, ...] | None = None  # PDF only: left, top, right, bottom, in points


@dataclass(frozen=True, slots=True)
class Skipped:
    """How many rows of the table's area are not part of its body, by kind."""

    preamble: int = 0
    footer: int = 0
    repeated_headers: int = 0
    units: int = 0
    subtotals: int = 0
    blank: int = 0
    comments: int = 0

    @classmethod
    def of(cls, reasons: Iterable[LeftOutReason]) -> Skipped:
        """
        Count the reasons for which rows were left out.

        >>> Skipped.of(["preamble", "total", "footer"]).footer
        2
        """
        counts = Counter(reasons)
        return cls(
            preamble=counts["preamble"],
            footer=counts["footer"] + counts["total"],
            repeated_headers=counts["repeated_header"],
            units=counts["units"],
            subtotals=counts["subtotal"],
            blank=counts["blank"],
            comments=counts["comment"],
        )


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason for a decision of the reader, in words and with its weight."""

    decision: str  # header, delimiter, encoding, footer, table...
    reason: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """One candidate table of a file, without its body."""

    columns: tuple[str, ...]  # unique, stable: "Amount (2)", "Column 5"
    header_rows: tuple[int, ...] = ()  # physical, 0-based; empty: the file names no columns
    sheet: str | None = None
    page: int | None = None
    range: str | None = None  # "A4:F120", or "p1:72,90,523,700" for a box on a page
    places: tuple[int, ...] = ()  # of each column in the sheet or file, 0-based; empty: unknown
    row_count: int | None = None  # exact once the body has been streamed
    preview: tuple[tuple[str | None, ...], ...] = ()
    encoding: str | None = None
    delimiter: str | None = None
    confidence: float = 1.0  # 0 to 1
    skipped: Skipped = Skipped()
    evidence: tuple[Evidence, ...] = ()
    document: dict[str, str] = field(default_factory=dict)  # pairs for document fields; see kinds
    left_out: tuple[LeftOut, ...] = ()  # the first of them; ``Body.left_out`` gives all
    file: str | None = None  # in an archive of several
    is_hidden: bool = False  # its sheet is
    stacked: tuple[int, ...] = ()  # the tables that stand in it one below the other, in order


class Body(Protocol):
    """The rows of one table, read anew at each call."""

    def batches(self) -> Iterator[pa.RecordBatch]:
        """
        Stream the body.

        Batches of a few MB: ROW_COLUMN first (then PAGE_COLUMN and BOXES_COLUMN for PDF,
        KINDS_COLUMN where the file says what a cell is), then one string column per name in
        ``Table.columns``; an empty cell is null, everything else is the file's text.
        """
        ...

    def settled(self) -> tuple[Table, tuple[Issue, ...]]:
        """Give the table with exact counts, and what was odd, once a stream has ended."""
        ...

    def left_out(self) -> Iterator[LeftOut]:
        """
        Give every row that is not in the body, once a stream has ended.

        In the file's order. The step ``read`` writes them to ``out/left-out.arrow`` beside
        ``source.arrow``, with the columns of ``LEFT_OUT_COLUMNS`` (int64, int32, text, [text],
        [float32]).
        """
        ...


@dataclass(frozen=True, slots=True)
class Reading:
    """
    Everything a reader found: candidate tables, best first, with their bodies.

    A stack of some of them comes last. ``chosen`` is the table a person chose, or the evidence.
    """

    file_format: str  # csv, xlsx, pdf, ndjson...
    tables: tuple[Table, ...]
    bodies: tuple[Body, ...]  # parallel to tables
    questions: tuple[Question, ...] = ()
    issues: tuple[Issue, ...] = ()
    chosen: int = 0
