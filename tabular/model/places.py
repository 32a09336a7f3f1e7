"""
Where tables, rows and cells are in a file, and a user's choices about them.

Also says which tables can be stacked, and how a file is named.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from tabular.model.sentences import Sentence

if TYPE_CHECKING:
    from tabular.model.table import Table

PART_ROWS = 10**9  # in a stack, the rows of table n begin at n times this
JOINED_TABLES = 64  # tables with a smaller number can be joined; see ``part_of``
MOST = 255  # characters to keep, from the end: they contain the extension
UNSHOWN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # controls, those of direction among them
_GENERATED = re.compile(r"Column \d+")
_LEAST_COMMON = 2  # columns that stacked tables must share


@dataclass(frozen=True, slots=True)
class Frame:
    """
    Where a table is on one page of a PDF or a picture, in points from the page's upper left corner.

    box: left, top, right, bottom. columns: the borders of its columns from the left, both sides of
    the table included. turn: quarter turns, anticlockwise, by which a picture was turned upright.
    """

    page: int
    box: tuple[float, float, float, float]
    columns: tuple[float, ...]
    turn: int = 0


@dataclass(frozen=True, slots=True)
class ReadingChoices:
    """A user's choices about a file; None leaves the decision to the reader."""

    table: int | None = None  # index in Reading.tables
    tables: tuple[int, ...] = ()  # several of them, to be stacked, instead of ``table``
    entries: tuple[tuple[str, int], ...] = ()  # which of ``tables`` feeds which entry of a catalog
    # Join the two ``tables``, child and parent, where these columns match; (): those that do best.
    joined_on: tuple[tuple[str, str], ...] | None = None
    header_rows: tuple[int, ...] | None = None  # physical rows; () means no header
    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    joined_lines: Literal["join", "apart"] | None = None  # of a PDF, where it is doubtful
    password: str | None = None
    frames: tuple[Frame, ...] = ()  # of a PDF or a picture: one table, page by page, as drawn
    lists_as_rows: bool = False  # in records, because the catalog has entries with children
    most_rows: int | None = None  # what follows one row more need not be looked at
    restored: tuple[int, ...] = ()  # ROW_COLUMN numbers of skipped rows that are data

    def concerns(self, place: int) -> bool:
        """Return whether header rows and rows taken back are those of table number ``place``."""
        return place in self.tables if self.tables else place == (self.table or 0)

    def restored_in(self, place: int) -> tuple[int, ...]:
        """Return the physical rows of table number ``place`` that are data."""
        if not self.tables:
            return self.restored if self.concerns(place) else ()
        own = (row for row in self.restored if row // PART_ROWS == place)
        return tuple(row % PART_ROWS for row in own) if self.concerns(place) else ()

    def of_table(self, place: int) -> ReadingChoices | None:
        """Return a table's choices as if it were the only table, or None if there are none."""
        taken = self.restored_in(place)
        if not self.concerns(place) or (self.header_rows is None and not taken):
            return None
        return replace(self, table=None, tables=(), restored=taken)

    def from_table(self, first: int) -> ReadingChoices:
        """Return the choices for one of several files, whose first table has number ``first``."""
        own = tuple(place - first for place in self.tables if place >= first)
        taken = self.restored
        if self.tables:
            taken = tuple(row - first * PART_ROWS for row in taken if row >= first * PART_ROWS)
        table = (self.table or 0) - first
        frames = self.frames if table >= 0 else ()
        return replace(self, table=table, tables=own, restored=taken, frames=frames)


def plain_name(name: str) -> str:
    """
    Return a file's name without its path and hidden characters; empty if nothing is left.

    Both slashes separate paths. Characters that change the direction of text are removed:
    ``invoice[U+202E]fdp.exe`` would be shown as another kind of file than it is.

    >>> plain_name("../../etc/orders.csv"), plain_name("C:" + chr(92) + "in" + chr(92) + "a.xlsx")
    ('orders.csv', 'a.xlsx')
    >>> plain_name("a" + chr(0x202E) + "vsc.csv")
    'avsc.csv'
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    shown = "".join(sign for sign in last if unicodedata.category(sign) not in UNSHOWN).strip()
    return "" if shown.strip(".") == "" else shown[-MOST:]


def part_of(number: int) -> int:
    """
    Return the table that a row of a join is numbered by.

    Further rows of a join that are made of the same row are numbered as if by further tables.

    >>> part_of(PART_ROWS + 7), part_of((JOINED_TABLES + 1) * PART_ROWS + 7)
    (1, 1)
    """
    return number // PART_ROWS % JOINED_TABLES


def folded_name(name: str) -> str:
    """
    Return a column's name in the form in which tables compare it.

    >>> folded_name("Unit  Price") == folded_name("unit price ")
    True
    """
    return " ".join(name.casefold().split())


def letters(column: int) -> str:
    """
    Return a column's name as spreadsheets write it.

    >>> letters(0), letters(26), letters(16383)
    ('A', 'AA', 'XFD')
    """
    name = ""
    column += 1
    while column:
        column, place = divmod(column - 1, 26)
        name = chr(65 + place) + name
    return name


def named_place(table: Table) -> Sentence:
    """
    Return words for where a table is in its file.

    >>> from tabular.model.table import Table
    >>> named_place(Table(("Day",), sheet="May", range="A1:C9"))
    'the table of May'
    """
    return Sentence("the table of {place}", place=_place(table))


def _begun(table: Table) -> Sentence:
    """Return the words for where a table is, at the beginning of a sentence."""
    return Sentence("The table of {place}", place=_place(table))


def _place(table: Table) -> str:
    page = f"page {table.page}" if table.page else None
    where = " / ".join(filter(None, (table.file, table.sheet or page)))
    return where or table.range or "the file"


def fault(tables: Sequence[Table]) -> tuple[str, str] | None:
    """
    Return why tables cannot be stacked, as a code and a message, or None if they can be.

    The headers may differ in order, and one of two may have one column more.
    """
    if len({table.page is None for table in tables}) > 1:
        sentence = "Tables of a PDF can be stacked only with tables of a PDF."
        return "unstackable_tables", sentence
    for table in tables:
        if len({*map(folded_name, table.columns)}) < len(table.columns):
            sentence = Sentence(
                "{TABLE} has two columns whose names differ only in case.", TABLE=_begun(table)
            )
            return "unstackable_tables", sentence
    first, *others = tables
    known = frozenset(map(folded_name, first.columns))
    for table in others:
        names = frozenset(map(folded_name, table.columns))
        if are_alike(known, names) and not _are_generated(first.columns):
            continue
        apart = sorted(known ^ names)
        what = (
            "they name no columns"
            if not apart
            else Sentence("these differ: {columns}", columns=", ".join(apart)[:200])
        )
        sentence = Sentence(
            "{TABLE} does not have the same columns as {OTHER}; {WHAT}. Stack tables with "
            "the same header; one column more or fewer is allowed.",
            TABLE=_begun(table),
            OTHER=named_place(first),
            WHAT=what,
        )
        return "unlike_headers", sentence
    return None


def join_fault(
    numbers: Sequence[int], tables: Sequence[Table], on: Sequence[tuple[str, str]]
) -> tuple[str, str] | None:
    """Return why tables cannot be joined on pairs of columns, as a code and a message, or None."""
    if len({*numbers}) != 2 or max(numbers) >= JOINED_TABLES:
        sentence = Sentence(
            "Join two different tables among the first {n1}.", n1=str(JOINED_TABLES)
        )
        return "unjoinable_tables", sentence
    child, parent = tables
    if child.page is not None or parent.page is not None:
        return "unjoinable_tables", "Tables of a PDF or a picture cannot be joined."
    for table, names in ((child, [pair[0] for pair in on]), (parent, [pair[1] for pair in on])):
        known = {*map(folded_name, table.columns)}
        for name in names:
            if folded_name(name) not in known:
                sentence = Sentence(
                    "{TABLE} has no column “{name}”.", TABLE=_begun(table), name=name[:80]
                )
                return "unknown_column", sentence
    return None


def are_alike(names: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two headers are the same, except for their order and one extra column."""
    return len(names ^ other) <= 1 and len(names & other) >= _LEAST_COMMON


def _are_generated(columns: Sequence[str]) -> bool:
    return all(_GENERATED.fullmatch(name) for name in columns)
