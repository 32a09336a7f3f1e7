"""
Check an ods package before calamine reads it: on truncated XML, calamine may never return.

The same pass finds what calamine does not return: the extent of the sheets, hidden rows, errors.
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
_DOUBLE_DIGITS = 15
_STYLES = {kind % 256: Shown(kind) for kind in (Kind.PERCENT, Kind.MONEY, *MONIES.values())}
MOST_REPEATED = 2_000_000  # times that one number may be repeated


def inspect_ods(path: Path, limits: Limits) -> Inspected:
    """
    Inspect every part of an ods package.

    Raises UnreadableFile (damaged_file, unsafe_file, password_protected) and LimitExceeded
    (expanded_bytes, cells).
    """
    from defusedxml import sax

    found = _Cells()
    with unbroken(), zipfile.ZipFile(path) as package:
        broken = inflate(package, limits, _pass_over)
        with package.open("content.xml") as part:
            source = InputSource()
            source.setByteStream(part)
            try:
                sax.parse(source, found)
            except SAXParseException as error:
                raise damaged() from error
    for sheet in found.sheets.values():
        check_extent(sheet, limits)
    return Inspected(found.sheets, damaged=tuple(broken))


def _pass_over(_part: str, _chunks: Iterator[bytes]) -> None:
    """Ignore a part, which is only inflated."""


def _style_of(attrs: Any) -> int:
    kind = attrs.get("office:value-type")
    if kind == "currency":
        code = attrs.get("office:currency", "")
        return MONIES.get(code, Kind.MONEY) % 256 if code else 0
    return Kind.PERCENT if kind == "percentage" else 0


class _Cells(ContentHandler):
    """Counts rows and cells, with their repetitions."""

    def __init__(self) -> None:
        super().__init__()
        self.sheets: dict[str, SheetParts] = {}
        self._sheet = SheetParts(marks=Marks(_STYLES))
        self._row = self._column = 0
        self._rows = self._columns = 1  # how often the row, the cell is repeated
        self._is_hidden = self._is_filled = False
        self._error: list[str] | None = None  # texts of an error cell

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802 -- xml.sax
        """Begin a sheet, a row or a cell."""
        if name in _CELLS:
            self._columns = int(attrs.get("table:number-columns-repeated", "1"))
            if "office:value-type" in attrs:
                self._fill()
                self._mark(attrs)
            if attrs.get("calcext:value-type") == "error":
                self._error = []
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
        """Keep the text of an error."""
        if self._error is not None:
            self._error.append(content)

    def endElement(self, name: str) -> None:  # noqa: N802 -- xml.sax
        """Advance by a cell or a row."""
        if name in _CELLS:
            if self._error is not None and len(self._sheet.errors) < REPORTED_ERRORS:
                text = "".join(self._error).strip() or "#ERROR"
                self._sheet.errors[self._row, self._column] = text
            self._error = None
            self._column += self._columns
        elif name == "table:table-row":
            if self._is_hidden and self._is_filled:
                self._sheet.hidden_rows += self._rows
            self._row += self._rows

    def _mark(self, attrs: Any) -> None:
        """Record percentages, amounts and long whole numbers, as often as they are repeated."""
        style = _style_of(attrs)
        digits = attrs.get("office:value", "") if "office:value" in attrs else ""
        is_long = len(digits) > _DOUBLE_DIGITS and digits.lstrip("-").isdigit()
        if not style and not is_long:
            return
        if self._rows * self._columns > MOST_REPEATED:
            raise too_much("cells", MOST_REPEATED, "A cell is repeated across more cells")
        for row in range(self._row, self._row + self._rows):
            for column in range(self._column, self._column + self._columns):
                if style:
                    self._sheet.marks.add_style(row, column, style)
                if is_long:
                    self._sheet.marks.add_digits(row, column, digits.encode("ascii"))

    def _fill(self) -> None:
        self._is_filled = True
        self._sheet.last_row = max(self._sheet.last_row, self._row + self._rows - 1)
        last = self._column + self._columns - 1
        self._sheet.last_column = max(self._sheet.last_column, last)
