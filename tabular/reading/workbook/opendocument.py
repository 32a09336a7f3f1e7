"""
Check an ods package before calamine reads it: on truncated XML, calamine may never return.

The same pass finds what calamine does not return: the extent of the sheets, merged ranges, hidden
rows, errors, durations of a day or more, leading zeros, and tabs within a text.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import InputSource

from tabular.model.problem import Limits
from tabular.model.table import MONIES, Kind
from tabular.reading.layout import Span
from tabular.reading.limiting import too_much
from tabular.reading.workbook.formats import Marks, Shown
from tabular.reading.workbook.package import (
    REPORTED_ERRORS,
    Inspected,
    SheetParts,
    check_extent,
    damaged,
    inflate,
    unbroken,
)

_CELLS = {"table:table-cell", "table:covered-table-cell"}
_BLANKS = {"text:s": " ", "text:tab": "\t", "text:line-break": "\n"}
_LONGEST = 32_767  # characters of a cell
_DOUBLE_DIGITS = 15
_PADDED, _MOST_DIGITS = 1_000, 20  # the numbers of styles with so many digits
_STYLES = {
    kind % 256: Shown(kind)
    for kind in (Kind.PERCENT, Kind.MONEY, Kind.BOOLEAN, Kind.DURATION, *MONIES.values())
} | {_PADDED + digits: Shown(digits=digits) for digits in range(2, _MOST_DIGITS + 1)}
_BOOLEANS = {"of:=TRUE()", "of:=FALSE()"}  # how LibreOffice writes those of an xlsx
MOST_REPEATED = 2_000_000  # times that one number may be repeated


def inspect_ods(path: Path, limits: Limits) -> Inspected:
    """
    Inspect every part of an ods package.

    Raises UnreadableFile (damaged_file, unsafe_file, password_protected) and LimitExceeded
    (expanded_bytes, cells).
    """
    from defusedxml import sax

    cells = _Cells()
    with unbroken(), zipfile.ZipFile(path) as package:
        broken = inflate(package, limits, _pass_over)
        with package.open("content.xml") as part:
            source = InputSource()
            source.setByteStream(part)
            try:
                sax.parse(source, cells)
            except SAXParseException as error:
                raise damaged() from error
    for sheet in cells.sheets.values():
        check_extent(sheet, limits)
    return Inspected(cells.sheets, damaged=tuple(broken))


def _pass_over(_part: str, _chunks: Iterator[bytes]) -> None:
    """Ignore a part, which is only inflated."""


def _style_of(attrs: Any, shown: str) -> int:
    """Return the number of a style that says more of a value than "number", else 0."""
    kind = attrs.get("office:value-type")
    if kind == "currency":
        code = attrs.get("office:currency", "")
        return MONIES.get(code, Kind.MONEY) % 256 if code else 0
    if kind == "percentage":
        return Kind.PERCENT
    if kind == "time":
        return Kind.DURATION
    if attrs.get("table:formula") in _BOOLEANS:
        return Kind.BOOLEAN
    return _PADDED + len(shown) if _is_padded(attrs.get("office:value", ""), shown) else 0


def _is_padded(digits: str, shown: str) -> bool:
    """
    Return whether a whole number is shown with leading zeros, as postal codes are.

    >>> _is_padded("1000", "01000"), _is_padded("0", "00000"), _is_padded("1000", "1,000")
    (True, True, False)
    """
    if not (digits.isdigit() and shown.isdigit() and len(digits) < len(shown) <= _MOST_DIGITS):
        return False
    return shown.lstrip("0") == digits.lstrip("0")


class _Cells(ContentHandler):
    """Counts rows and cells, with their repetitions, and keeps the text that each cell shows."""

    def __init__(self) -> None:
        super().__init__()
        self.sheets: dict[str, SheetParts] = {}
        self._sheet = SheetParts(marks=Marks(_STYLES))
        self._row = self._column = 0
        self._rows = self._columns = 1  # how often the row, the cell is repeated
        self._is_hidden = self._is_filled = False
        self._about: Any = None  # attributes of the cell, if it has a value
        self._shown: list[str] = []
        self._is_text = self._is_note = self._has_tab = False

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802 -- xml.sax
        """Begin a sheet, a row, a cell or a paragraph."""
        if name == "text:p" and not self._is_note:
            if self._shown:
                self._shown.append("\n")
            self._is_text = True
        elif name in _CELLS:
            self._columns = int(attrs.get("table:number-columns-repeated", "1"))
            self._about = attrs if "office:value-type" in attrs else None
            self._shown, self._has_tab = [], False
        elif name in _BLANKS and self._is_text:
            count = min(int(attrs.get("text:c", "1")), _LONGEST)
            self._shown.append(_BLANKS[name] * count)
            self._has_tab |= name == "text:tab"
        elif name == "office:annotation":
            self._is_note = True
        elif name == "table:table-row":
            self._column = 0
            self._rows = int(attrs.get("table:number-rows-repeated", "1"))
            self._is_hidden = attrs.get("table:visibility", "visible") != "visible"
            self._is_filled = False
        elif name == "table:table":
            self._row = 0
            self._sheet = self.sheets[attrs.get("table:name", "")] = SheetParts(
                marks=Marks(_STYLES)
            )

    def characters(self, content: str) -> None:
        """Keep the text of a cell."""
        if self._is_text:
            self._shown.append(content)

    def endElement(self, name: str) -> None:  # noqa: N802 -- xml.sax
        """Advance by a cell or a row."""
        if name == "text:p":
            self._is_text = False
        elif name in _CELLS:
            if self._about is not None:
                self._end_cell(self._about, "".join(self._shown))
            self._column += self._columns
        elif name == "office:annotation":
            self._is_note = False
        elif name == "table:table-row":
            if self._is_hidden and self._is_filled:
                self._sheet.hidden_rows += self._rows
            self._row += self._rows

    def _end_cell(self, attrs: Any, shown: str) -> None:
        self._fill()
        self._merge(attrs)
        if attrs.get("calcext:value-type") == "error":
            if len(self._sheet.errors) < REPORTED_ERRORS:
                self._sheet.errors[self._row, self._column] = shown.strip() or "#ERROR"
            return
        self._mark(attrs, shown)

    def _mark(self, attrs: Any, shown: str) -> None:
        """Record what calamine does not return of a cell, as often as it is repeated."""
        style = _style_of(attrs, shown)
        digits = attrs.get("office:value", "")
        is_long = len(digits) > _DOUBLE_DIGITS and digits.lstrip("-").isdigit()
        if not (style or is_long or self._has_tab):
            return
        if self._rows * self._columns > MOST_REPEATED:
            raise too_much("cells", MOST_REPEATED, "A cell is repeated across more cells")
        marks = self._sheet.marks
        for row in range(self._row, self._row + self._rows):
            for column in range(self._column, self._column + self._columns):
                if style:
                    marks.add_style(row, column, style)
                if is_long:
                    marks.add_digits(row, column, digits.encode("ascii"))
                if self._has_tab:
                    marks.add_text(row, column, shown)

    def _merge(self, attrs: Any) -> None:
        rows = int(attrs.get("table:number-rows-spanned", "1"))
        columns = int(attrs.get("table:number-columns-spanned", "1"))
        if rows > 1 or columns > 1:
            last = (self._row + rows - 1, self._column + columns - 1)
            self._sheet.add_span(Span(self._row, self._column, *last))

    def _fill(self) -> None:
        self._is_filled = True
        self._sheet.last_row = max(self._sheet.last_row, self._row + self._rows - 1)
        last = self._column + self._columns - 1
        self._sheet.last_column = max(self._sheet.last_column, last)
