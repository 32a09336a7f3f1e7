"""
Inspect a package before calamine opens it.

One streaming pass inflates every part, so that a bomb is found here and not in calamine.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO

from tabular.model.problem import Limits, UnreadableFile
from tabular.reading.broken import BROKEN
from tabular.reading.layout import Span
from tabular.reading.limiting import too_much
from tabular.reading.opc import plain_name
from tabular.reading.workbook.formats import Marks

_CHUNK = 1 << 18
_OVERLAP = 4096  # a prolog is shorter than this
_FORBIDDEN = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
REPORTED_ERRORS = 10_000
MOST_SPANS = 1_000_000
_LAST_ROW, _LAST_COLUMN = 2**20 - 1, 2**14 - 1
_ADDED_UP = re.compile(  # SUM(B2:B9), SUBTOTAL(9,B2:B9): the columns, and the last row
    rb"\b(?:SUM|SUBTOTAL|AGGREGATE)\((?:\d+,)*\$?([A-Z]{1,3})\$?\d+:\$?([A-Z]{1,3})\$?(\d{1,7})\b",
    re.IGNORECASE,
)
_ERRORS = {  # the numbers that binary workbooks, old and new, write for them
    0x00: "#NULL!",
    0x07: "#DIV/0!",
    0x0F: "#VALUE!",
    0x17: "#REF!",
    0x1D: "#NAME?",
    0x24: "#NUM!",
    0x2A: "#N/A",
    0x2B: "#GETTING_DATA",
}


@dataclass(slots=True)
class SheetParts:
    """What the file says of one sheet beyond its values. Rows and columns are 0-based."""

    hidden_rows: int = 0
    last_row: int = 0
    last_column: int = 25  # "Z": only wider columns are looked for
    errors: dict[tuple[int, int], str] = field(default_factory=dict)
    unvalued: dict[tuple[int, int], bool] = field(default_factory=dict)  # see add_unvalued
    spans: list[Span] = field(default_factory=list)  # merged ranges that calamine does not return
    marks: Marks = field(default_factory=Marks)

    @property
    def cells(self) -> int:
        """The number of cells in the sheet's extent."""
        return (self.last_row + 1) * (self.last_column + 1)

    def add_error(self, row: int, column: int, code: int) -> None:
        """Record the error value of a cell by its number in a binary workbook."""
        if len(self.errors) < REPORTED_ERRORS:
            self.errors[row, column] = _ERRORS.get(code, "#ERROR")

    def add_span(self, span: Span) -> None:
        """Record a merged range, as far as a sheet reaches."""
        if len(self.spans) >= MOST_SPANS:
            raise too_much("cells", MOST_SPANS, "The sheet has more merged ranges")
        bottom, right = min(span.bottom, _LAST_ROW), min(span.right, _LAST_COLUMN)
        self.spans.append(Span(span.top, span.left, bottom, right))

    def add_unvalued(self, row: int, column: int, formula: bytes) -> None:
        """Record a formula saved without its value, and whether it adds up rows above it."""
        if len(self.unvalued) < REPORTED_ERRORS:
            ranges = _ADDED_UP.findall(formula)
            is_sum = any(first == last and int(end) <= row for first, last, end in ranges)
            self.unvalued[row, column] = is_sum


@dataclass(frozen=True, slots=True)
class Inspected:
    """What the file says beyond the values of its cells, and which parts of it are broken."""

    sheets: Mapping[str, SheetParts]  # by name
    lost: frozenset[str] = frozenset()  # names of sheets whose part cannot be unpacked
    damaged: tuple[str, ...] = ()  # other parts that cannot be unpacked
    has_formats: bool = True  # False: the formats of numbers are missing or broken
    is_usual: bool = True  # False: styles or strings are not where calamine looks for them


@contextmanager
def unbroken() -> Iterator[None]:
    """Translate errors in a package: damaged_file, unsafe_file, password_protected."""
    from defusedxml import DefusedXmlException

    try:
        yield
    except DefusedXmlException as error:
        raise _unsafe() from error
    except BROKEN as error:
        raise damaged() from error
    except RuntimeError as error:  # zipfile: "is encrypted, password required"
        raise UnreadableFile(
            "password_protected", "The workbook is protected by a password."
        ) from error


def damaged() -> UnreadableFile:
    """Return the error for a damaged workbook."""
    return UnreadableFile(
        "damaged_file", "The workbook is incomplete or damaged. Save or send it again."
    )


def inflate(
    package: zipfile.ZipFile, limits: Limits, look: Callable[[str, Iterator[bytes]], None]
) -> list[str]:
    """
    Inflate every part, and pass its plain name and its chunks to ``look``.

    Returns the plain names of broken parts. Raises LimitExceeded (expanded_bytes) if all parts
    together exceed the limit.
    """
    broken: list[str] = []
    left = limits.expanded_bytes

    def chunks(part: IO[bytes]) -> Iterator[bytes]:
        nonlocal left
        while chunk := part.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise too_much(
                    "expanded_bytes", limits.expanded_bytes, "The unpacked file is larger"
                )
            yield chunk

    for entry in package.infolist():
        name = plain_name(entry.filename)
        try:
            with package.open(entry) as part:
                taken = chunks(part)
                look(name, taken)
                for _ in taken:  # unread chunks count too
                    pass
        except BROKEN:
            broken.append(name)
    return broken


def check_extent(sheet: SheetParts, limits: Limits) -> None:
    """Refuse one far cell that would make calamine lay out billions of empty ones."""
    if sheet.cells > limits.cells:
        raise too_much("cells", limits.cells, "A sheet spans more cells")


def refuse_markup(chunk: bytes) -> None:
    """Raise UnreadableFile (unsafe_file) for a chunk of XML whose head declares entities."""
    if _FORBIDDEN.search(chunk[:_OVERLAP]):
        raise _unsafe()


def _unsafe() -> UnreadableFile:
    return UnreadableFile(
        "unsafe_file", "The workbook declares XML entities, which no spreadsheet program does."
    )
