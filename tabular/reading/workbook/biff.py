"""
What the records of an old xls ([MS-XLS]) say that calamine does not tell: errors, formats, rows.

One pass over the stream of the workbook; a record is a number, a length and its content.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from tabular.reading.broken import BROKEN
from tabular.reading.workbook.compound import stream
from tabular.reading.workbook.formats import telling
from tabular.reading.workbook.marks import Marks
from tabular.reading.workbook.package import REPORTED_ERRORS, SheetParts

_BEGIN, _END, _SHEET, _FORMAT, _STYLE, _PROTECTED = 0x809, 0x0A, 0x85, 0x41E, 0xE0, 0x2F
_NUMBER, _SMALL_NUMBER, _SMALL_NUMBERS = 0x203, 0x27E, 0xBD
_FORMULA, _ERROR, _ROW = 0x06, 0x205, 0x208
_UNICODE = 0x600  # the version from which texts are Unicode
_HIDDEN = 0x20
_IS_ERROR = 2  # what a formula gave
_ERRORS = {
    0x00: "#NULL!",
    0x07: "#DIV/0!",
    0x0F: "#VALUE!",
    0x17: "#REF!",
    0x1D: "#NAME?",
    0x24: "#NUM!",
    0x2A: "#N/A",
}


def inspect_records(path: Path) -> dict[str, SheetParts]:
    """Look at the records of an xls; what is broken in it is calamine's to refuse."""
    try:
        content = stream(path.read_bytes(), ("Workbook", "Book"))
        return _inspect(content)
    except BROKEN:
        return {}


def _inspect(content: bytes) -> dict[str, SheetParts]:
    sheets: list[tuple[str, int]] = []
    codes: dict[int, str] = {}
    numbers: list[int] = []
    is_unicode = True
    for kind, at, size in _records(content, 0):
        if kind == _BEGIN:
            is_unicode = _short(content, at) >= _UNICODE
        elif kind == _PROTECTED:
            return {}
        elif kind == _SHEET:
            name = _text(content[at + 6 : at + size], 1, is_unicode)
            sheets.append((name, struct.unpack_from("<I", content, at)[0]))
        elif kind == _FORMAT:
            code = _text(content[at + 2 : at + size], 2 if is_unicode else 1, is_unicode)
            codes[_short(content, at)] = code
        elif kind == _STYLE:
            numbers.append(_short(content, at + 2))
    styles = telling(codes, numbers)
    return {name: _sheet(content, start, Marks(styles)) for name, start in sheets}


def _records(content: bytes, start: int) -> Iterator[tuple[int, int, int]]:
    """Give number, start and length of each record up to the end of a part of the stream."""
    while start + 4 <= len(content):
        kind, size = struct.unpack_from("<HH", content, start)
        yield kind, start + 4, size
        start += 4 + size
        if kind == _END:
            return


def _text(content: bytes, width: int, is_unicode: bool) -> str:
    length = int.from_bytes(content[:width], "little")
    if not is_unicode:
        return content[width : width + length].decode("cp1252", "replace")
    if content[width] & 1:
        return content[width + 1 : width + 1 + 2 * length].decode("utf-16-le", "replace")
    return content[width + 1 : width + 1 + length].decode("latin-1")


def _short(content: bytes, at: int) -> int:
    return int.from_bytes(content[at : at + 2], "little")


def _sheet(content: bytes, start: int, marks: Marks) -> SheetParts:
    sheet = SheetParts(marks=marks)
    for kind, at, size in _records(content, start):
        if kind in {_NUMBER, _SMALL_NUMBER, _FORMULA}:
            row, column, style = struct.unpack_from("<HHH", content, at)
            if style in marks.styles:
                marks.add_style(row, column, style)
            if (
                kind == _FORMULA
                and content[at + 12 : at + 14] == b"\xff\xff"
                and content[at + 6] == 2
            ):
                _add_error(sheet, row, column, content[at + 8])
        elif kind == _SMALL_NUMBERS and marks.styles:
            row, column = struct.unpack_from("<HH", content, at)
            for place in range((size - 6) // 6):
                style = _short(content, at + 4 + 6 * place)
                if style in marks.styles:
                    marks.add_style(row, column + place, style)
        elif kind == _ERROR and content[at + 7]:
            row, column = struct.unpack_from("<HH", content, at)
            _add_error(sheet, row, column, content[at + 6])
        elif kind == _ROW:
            sheet.hidden_rows += content[at + 12] & _HIDDEN > 0
    return sheet


def _add_error(sheet: SheetParts, row: int, column: int, code: int) -> None:
    if len(sheet.errors) < REPORTED_ERRORS:
        sheet.errors[row, column] = _ERRORS.get(code, "#ERROR")
