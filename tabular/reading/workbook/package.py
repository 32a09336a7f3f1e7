"""
The parts of an xlsx package that calamine does not tell about.

One streaming pass inflates every part, so that a bomb is met here and not in calamine, and looks
at the sheets for hidden rows, error values, formats with leading zeros and wild dimensions.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tabular.model.limits import Limits
from tabular.model.problem import UnreadableFile
from tabular.reading.broken import BROKEN
from tabular.reading.limiting import too_much
from tabular.reading.workbook.formats import padded_styles

_CHUNK = 1 << 18
_OVERLAP = 4096  # a cell's tag and value are shorter than this
_SMALL_PART = 32 << 20  # workbook.xml and styles.xml are parsed as a whole, up to this size
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
# A literal start lets ``re`` jump from match to match: seven times as fast on a large sheet.
_ROW = re.compile(rb'<row r="(\d{1,9})"')
_ANY_ROW = re.compile(rb'<(?:\w+:)?row\b[^>]*?\br="(\d{1,9})"')
_HIDDEN_ROW = re.compile(rb'<(?:\w+:)?row\b[^>]*?\bhidden="(?:1|true)"')
_WIDE_COLUMN = re.compile(rb'r="([A-Z]{2,3})\d')
_ERROR = re.compile(
    rb'<(?:\w+:)?c r="([A-Z]{1,3})(\d+)"[^>]*?\bt="e"[^>]*?>'
    rb"(?:<(?:\w+:)?f\b.{0,2000}?</(?:\w+:)?f>|<(?:\w+:)?f\b[^>]*/>)?<(?:\w+:)?v>(#[^<]{1,20})",
    re.DOTALL,
)
_STYLED = re.compile(rb'<(?:\w+:)?c r="([A-Z]{1,3})\d+" s="(\d+)"(?: t="n")?\s*><(?:\w+:)?v>')
_FORBIDDEN = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
REPORTED_ERRORS = 10_000


@dataclass(slots=True)
class SheetParts:
    """What the XML of one sheet says beyond its values. Rows and columns are 0-based."""

    hidden_rows: int = 0
    last_row: int = 0
    last_column: int = 25  # "Z": only wider columns are looked for
    errors: dict[tuple[int, int], str] = field(default_factory=dict)
    zeros: dict[int, int] = field(default_factory=dict)  # column to digits it is padded to


def inspect(path: Path, limits: Limits) -> dict[str, SheetParts]:
    """
    Look at every part of an xlsx package; give what was found by sheet name.

    Raises UnreadableFile (damaged_file, unsafe_file) and LimitExceeded (expanded_bytes, cells).
    """
    with unbroken(), zipfile.ZipFile(path) as package:
        return _inspect(package, limits)


@contextmanager
def unbroken() -> Iterator[None]:
    """Translate what goes wrong in a package: damaged_file, unsafe_file, password_protected."""
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
    """Say that a workbook is broken."""
    return UnreadableFile(
        "damaged_file", "The workbook is cut off or damaged. Please save or send it again."
    )


def _inspect(package: zipfile.ZipFile, limits: Limits) -> dict[str, SheetParts]:
    names = sheet_parts(package)
    styles = padded_styles(_read_small(package, "xl/styles.xml"))
    by_part = {part: name for name, part in names.items()}
    found: dict[str, SheetParts] = {}

    def look(part: str, chunks: Iterator[bytes]) -> None:
        sheet = SheetParts()
        for chunk in chunks:
            if part in by_part:
                _look(sheet, chunk, styles)
            elif part.endswith((".xml", ".rels")):
                refuse_markup(chunk)
        if part in by_part:
            check_extent(sheet, limits)
            found[by_part[part]] = sheet

    inflate(package, limits, look)
    return found


def inflate(
    package: zipfile.ZipFile, limits: Limits, look: Callable[[str, Iterator[bytes]], None]
) -> None:
    """
    Inflate every part, and show its name and its chunks to ``look``.

    Raises LimitExceeded (expanded_bytes) where all together grow beyond the limit.
    """
    left = limits.expanded_bytes

    def chunks(part: IO[bytes]) -> Iterator[bytes]:
        nonlocal left
        while chunk := part.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise too_much("expanded_bytes", limits.expanded_bytes, "The unpacked file")
            yield chunk

    for entry in package.infolist():
        with package.open(entry) as part:
            taken = chunks(part)
            look(entry.filename, taken)
            for _ in taken:  # what nobody looked at counts too
                pass


def _look(sheet: SheetParts, chunk: bytes, styles: dict[int, int]) -> None:
    """Look at one chunk of a sheet; what a chunk's edge cuts is of no weight, save for errors."""
    if sheet.last_row == 0:
        refuse_markup(chunk)
        for column, style in _STYLED.findall(chunk):
            digits = styles.get(int(style))
            place = column_number(column)
            if digits and sheet.zeros.get(place, digits) == digits:
                sheet.zeros[place] = digits
            else:
                sheet.zeros[place] = 0
    rows = _ROW.findall(chunk) or _ANY_ROW.findall(chunk)
    if rows:
        sheet.last_row = max(sheet.last_row, max(map(int, rows)) - 1)
    if b"hidden=" in chunk:
        sheet.hidden_rows += len(_HIDDEN_ROW.findall(chunk))
    if _WIDE_COLUMN.search(chunk):
        wide = max(map(column_number, set(_WIDE_COLUMN.findall(chunk))))
        sheet.last_column = max(sheet.last_column, wide)
    if b't="e"' in chunk and len(sheet.errors) < REPORTED_ERRORS:
        for column, row, error in _ERROR.findall(chunk):
            sheet.errors[int(row) - 1, column_number(column)] = error.decode("ascii", "replace")


def check_extent(sheet: SheetParts, limits: Limits) -> None:
    """Refuse one far cell that would make calamine lay out billions of empty ones."""
    cells = (sheet.last_row + 1) * (sheet.last_column + 1)
    if cells > limits.cells:
        raise too_much("cells", limits.cells, f"A sheet reaches over {cells:,} cells")


def refuse_markup(chunk: bytes) -> None:
    """Raise UnreadableFile (unsafe_file) for a chunk of XML whose head declares entities."""
    if _FORBIDDEN.search(chunk[:_OVERLAP]):
        raise _unsafe()


def _unsafe() -> UnreadableFile:
    return UnreadableFile(
        "unsafe_file", "The workbook declares XML entities, which no spreadsheet program does."
    )


def sheet_parts(package: zipfile.ZipFile) -> dict[str, str]:
    """Give the part that holds each sheet, by the sheet's name."""
    from defusedxml import ElementTree

    workbook = ElementTree.fromstring(_read_small(package, "xl/workbook.xml") or b"<none/>")
    targets = targets_of(package, "xl/_rels/workbook.xml.rels")
    return {
        sheet.get("name", ""): targets.get(sheet.get(_RELATION, ""), "")
        for sheet in workbook.iter()
        if sheet.tag.endswith("}sheet")
    }


def targets_of(package: zipfile.ZipFile, part: str) -> dict[str, str]:
    """Give the parts a part of relations names, by the relations' ids."""
    from defusedxml import ElementTree

    relations = ElementTree.fromstring(_read_small(package, part) or b"<none/>")
    targets = {
        relation.get("Id", ""): relation.get("Target", "")
        for relation in relations.iter()
        if relation.tag.endswith("}Relationship")
    }
    return {
        key: target.lstrip("/") if target.startswith("/") else f"xl/{target}"
        for key, target in targets.items()
    }


def _read_small(package: zipfile.ZipFile, name: str) -> bytes:
    if name not in package.namelist():
        return b""
    with package.open(name) as part:
        return part.read(_SMALL_PART)


def column_number(letters: bytes) -> int:
    """
    Give the 0-based number of a column.

    >>> column_number(b"A"), column_number(b"AA"), column_number(b"XFD")
    (0, 26, 16383)
    """
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number - 1
