"""
Where tables, rows and cells stand in a file, and what a person settled about them.

Which tables can stand one below the other is told here, too, and what a file is called.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tabular.model.table import Table

PART_ROWS = 10**9  # where tables are stacked, the rows of table n begin at n times this
MOST = 255  # characters that are kept, the last ones: they hold the ending
UNSHOWN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # controls, those of direction among them
_GENERATED = re.compile(r"Column \d+")
_LEAST_COMMON = 2  # columns that stacked tables must share


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


def plain_name(name: str) -> str:
    """
    Give a file's name without its path and without what is not shown; empty when nothing is left.

    Both slashes part a path, and a character that turns the direction of text is removed:
    `invoice[U+202E]fdp.exe` would be shown as another kind of file than it is.

    >>> plain_name("../../etc/orders.csv"), plain_name("C:" + chr(92) + "in" + chr(92) + "a.xlsx")
    ('orders.csv', 'a.xlsx')
    >>> plain_name("a" + chr(0x202E) + "vsc.csv")
    'avsc.csv'
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    shown = "".join(sign for sign in last if unicodedata.category(sign) not in UNSHOWN).strip()
    return "" if shown.strip(".") == "" else shown[-MOST:]


def folded_name(name: str) -> str:
    """
    Give the name of a column as it is compared between tables.

    >>> folded_name("Unit  Price") == folded_name("unit price ")
    True
    """
    return " ".join(name.casefold().split())


def letters(column: int) -> str:
    """
    Name a column as spreadsheets do.

    >>> letters(0), letters(26), letters(16383)
    ('A', 'AA', 'XFD')
    """
    name = ""
    column += 1
    while column:
        column, place = divmod(column - 1, 26)
        name = chr(65 + place) + name
    return name


def named_place(table: Table) -> str:
    """
    Say in words where a table stands in its file.

    >>> from tabular.model.table import Table
    >>> named_place(Table(("Day",), sheet="May", range="A1:C9"))
    'The table of May'
    """
    page = f"page {table.page}" if table.page else None
    where = " / ".join(filter(None, (table.file, table.sheet or page)))
    return f"The table of {where or table.range or 'the file'}"


def fault(tables: Sequence[Table]) -> tuple[str, str] | None:
    """
    Say why tables cannot be stacked: a code and a sentence; None where they can be.

    The headers may differ in order, and one of two may have one column more.
    """
    if len({table.page is None for table in tables}) > 1:
        sentence = "Tables of a PDF are stacked with others of a PDF only. Choose one kind of file."
        return "unstackable_tables", sentence
    for table in tables:
        if len({*map(folded_name, table.columns)}) < len(table.columns):
            sentence = f"{named_place(table)} has two columns of the same name but for its case."
            return "unstackable_tables", sentence
    first, *others = tables
    known = frozenset(map(folded_name, first.columns))
    for table in others:
        names = frozenset(map(folded_name, table.columns))
        if are_alike(known, names) and not _are_generated(first.columns):
            continue
        apart = sorted(known ^ names)
        what = "they name no columns" if not apart else f"these differ: {', '.join(apart)[:200]}"
        sentence = (
            f"{named_place(table)} has not the same columns as {named_place(first)}; {what}. "
            "Stack tables with the same header; one column more or fewer is allowed."
        )
        return "unlike_headers", sentence
    return None


def are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether two headers are the same, but for their order and one column more."""
    return len(one ^ other) <= 1 and len(one & other) >= _LEAST_COMMON


def _are_generated(columns: Sequence[str]) -> bool:
    return all(_GENERATED.fullmatch(name) for name in columns)
