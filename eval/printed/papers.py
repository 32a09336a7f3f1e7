"""The parts of a printed document, and the result that a reader must return for it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "plain", "invoice", "prices", "statement", "grouped", "two_tables", "notes", "wrapped", "tiers"
]
KINDS: tuple[Kind, ...] = (
    "plain",
    "invoice",
    "prices",
    "statement",
    "grouped",
    "two_tables",
    "notes",
    "wrapped",
    "tiers",
)
Look = Literal["grid", "zebra", "shaded", "bare", "header_line", "rules"]
LOOKS: tuple[Look, ...] = ("grid", "zebra", "shaded", "bare", "header_line", "rules")
Script = Literal["latin", "arabic", "hebrew", "chinese"]
Maker = Literal["calc", "writer", "chromium", "weasyprint", "fpdf2", "reportlab"]
MAKERS: tuple[Maker, ...] = ("calc", "writer", "chromium", "weasyprint", "fpdf2", "reportlab")


def breadth(text: str) -> int:
    """
    Return how many narrow characters are as wide as a text.

    >>> breadth("A4纸")
    4
    """
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title, the alignment of its cells, and its share of the width."""

    name: str
    is_number: bool
    width: int  # characters of its widest line


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table. ``section`` is a title of the rows below; ``total`` has no record."""

    cells: tuple[str, ...]
    kind: Literal["row", "section", "total"] = "row"


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table as it is printed. ``tiers``: titles above the columns ``first`` to ``last``."""

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    caption: str = ""
    tiers: tuple[tuple[str, int, int], ...] = ()

    @property
    def names(self) -> list[str]:
        """The title of each column, an upper title before its own."""
        names = [column.name for column in self.columns]
        for title, first, last in self.tiers:
            names[first : last + 1] = [f"{title} {name}" for name in names[first : last + 1]]
        return names

    @property
    def records(self) -> list[tuple[str, ...]]:
        """The rows that a reader must return: section titles are reported, but kept."""
        return [line.cells for line in self.lines if line.kind != "total"]


@dataclass(frozen=True, slots=True)
class Paper:
    """A document: text, tables, text. The first table is the one a person would import."""

    seed: int
    kind: Kind
    script: Script
    above: tuple[str, ...]
    tables: tuple[PrintedTable, ...]
    below: tuple[str, ...]
    running_header: str = ""
    running_footer: str = ""
    landscape: bool = False

    @property
    def is_right_to_left(self) -> bool:
        """Return whether its script runs from right to left."""
        return self.script in {"arabic", "hebrew"}

    @property
    def main(self) -> PrintedTable:
        """The table with the most rows; the first of two that are equally long."""
        return max(self.tables, key=lambda table: len(table.records))
