"""SpreadsheetML 2003: a workbook as one XML file, often named ``.xls`` or ``.xml``."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler, feature_namespaces

from tabular.model.problem import Limits
from tabular.model.table import BooleanText, Kind
from tabular.reading.layout import Span
from tabular.reading.limiting import check_cell
from tabular.reading.workbook.formats import PLAIN, Shown, shown_by
from tabular.reading.workbook.package import REPORTED_ERRORS, damaged, unbroken
from tabular.reading.workbook.sheet import Sheet, SheetBuilder
from tabular.reading.workbook.texts import number_text, plain_text, text_of

NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet"
_EXCEL = "urn:schemas-microsoft-com:office:excel"
_NAMED = {"Percent": Shown(Kind.PERCENT), "Euro Currency": Shown(Kind.EURO)}
_EPOCH = dt.date(1899, 12, 31)  # of a time of day, and where durations begin
_DOUBLE_DIGITS = 15


def read_spreadsheetml(path: Path, limits: Limits) -> list[Sheet]:
    """Read every sheet. Raises UnreadableFile (damaged_file, unsafe_file) and LimitExceeded."""
    from defusedxml import sax

    workbook = _Workbook(limits)
    parser = sax.make_parser()
    parser.forbid_dtd = True
    parser.setFeature(feature_namespaces, True)
    parser.setContentHandler(workbook)
    with unbroken(), path.open("rb") as file:
        try:
            parser.parse(file)
        except SAXParseException as error:
            raise damaged() from error
    return [builder.sheet() for builder in workbook.sheets]


class _Workbook(ContentHandler):
    def __init__(self, limits: Limits) -> None:
        super().__init__()
        self.sheets: list[SheetBuilder] = []
        self._limits = limits
        self._styles: dict[str, tuple[Shown, bool]] = {}
        self._style = ""
        self._row = self._column = -1
        self._shown, self._is_duration = PLAIN, False
        self._kind = ""
        self._text: list[str] | None = None

    def startElementNS(  # noqa: N802 -- xml.sax
        self, name: tuple[str | None, str], qname: str | None, attrs: Any
    ) -> None:
        if name == (_EXCEL, "Visible"):
            self._text = []
        if name[0] != NAMESPACE:
            return
        attributes = {key[1]: value for key, value in attrs.items() if key[0] in {NAMESPACE, None}}
        begin = getattr(self, f"_begin_{name[1].lower()}", None)
        if begin is not None:
            begin(attributes)

    def endElementNS(self, name: tuple[str | None, str], qname: str | None) -> None:  # noqa: N802  (SAX calls it so)
        if name == (NAMESPACE, "Data"):
            self._put("".join(self._text or ()))
        elif name == (_EXCEL, "Visible") and self.sheets:
            self.sheets[-1].is_hidden = "".join(self._text or ()).strip() != "SheetVisible"
        else:
            return
        self._text = None

    def characters(self, content: str) -> None:
        if self._text is not None:
            self._text.append(content)

    def _begin_style(self, attributes: dict[str, str]) -> None:
        self._style = attributes.get("ID", "")

    def _begin_numberformat(self, attributes: dict[str, str]) -> None:
        code = attributes.get("Format", "")
        self._styles[self._style] = _NAMED.get(code) or shown_by(code), code.startswith("[h")

    def _begin_worksheet(self, attributes: dict[str, str]) -> None:
        self.sheets.append(SheetBuilder(attributes.get("Name", ""), self._limits))
        self._row = -1

    def _begin_row(self, attributes: dict[str, str]) -> None:
        self._row = int(attributes.get("Index", self._row + 2)) - 1
        self._column = -1
        if attributes.get("Hidden") == "1" and self.sheets:
            self.sheets[-1].parts.hidden_rows += 1

    def _begin_cell(self, attributes: dict[str, str]) -> None:
        self._column = int(attributes.get("Index", self._column + 2)) - 1
        self._shown, self._is_duration = self._styles.get(
            attributes.get("StyleID", ""), (PLAIN, False)
        )
        across, down = int(attributes.get("MergeAcross", 0)), int(attributes.get("MergeDown", 0))
        if not self.sheets or min(self._row, self._column, across, down) < 0:
            raise damaged()
        if across or down:
            last = self._row + down, self._column + across
            self.sheets[-1].reach(*last)
            self.sheets[-1].spans.append(Span(self._row, self._column, *last))

    def _begin_data(self, attributes: dict[str, str]) -> None:
        self._kind = attributes.get("Type", "String")
        self._text = []

    def _put(self, text: str) -> None:
        if not text:
            return
        sheet = self.sheets[-1]
        if len(text) * 4 > self._limits.cell_bytes:
            check_cell(text, self._limits)
        sheet.reach(self._row, self._column)
        if self._kind == "Error":
            if len(sheet.parts.errors) < REPORTED_ERRORS:
                sheet.parts.errors[self._row, self._column] = text
            return
        sheet.put(self._row, self._column, self._cell(text))

    def _cell(self, text: str) -> str:
        if self._kind == "Number":
            return self._shown.text(_number(text.strip()))
        if self._kind == "Boolean":
            return BooleanText("true" if text.strip() == "1" else "false")
        return self._time(text.strip()) if self._kind == "DateTime" else text

    def _time(self, text: str) -> str:
        try:
            moment = dt.datetime.fromisoformat(text)
        except ValueError:
            return text
        if self._is_duration:
            clock = dt.timedelta(hours=moment.hour, minutes=moment.minute, seconds=moment.second)
            return text_of(moment.date() - _EPOCH + clock)
        return text_of(moment.time() if moment.date() == _EPOCH else moment)


def _number(text: str) -> str:
    """Return a number in its notation; a whole number keeps its written digits."""
    if text.lstrip("-").isdigit() and len(text) > _DOUBLE_DIGITS:
        return plain_text(text)
    try:
        return number_text(float(text))
    except ValueError:
        return text
