"""Write a plain table with common libraries."""

from __future__ import annotations

import csv
import html
import io
import random
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, Literal

from eval.plain.tables import LOCALES, UNICODE, PlainTable

DELIMITERS = (",", ",", ";", ";", "\t", "|", "^", "~", ":", "\x1f", "\x01", "¦", "§", " ")
_LEAST_FOREIGN = 12  # characters beyond ASCII needed to distinguish old encodings


def write(table: PlainTable, file_format: str, folder: Path) -> Path:
    """Write the table into a new file of ``folder``; ``file_format`` is one of ``FORMATS``."""
    path = folder / f"{table.seed}.{file_format}"
    FORMATS[file_format](table, path)
    return path


def _seeded(table: PlainTable, what: str) -> random.Random:
    return random.Random(f"{what}/{table.seed}")


def text_of(table: PlainTable) -> tuple[str, str]:
    """Return the table as delimited text, and the encoding to write it in."""
    seeded = _seeded(table, "text")
    delimiter = seeded.choice(DELIMITERS)
    quotes: tuple[Literal[0, 1], ...] = (csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL)
    quoting = seeded.choice(quotes)
    file = io.StringIO()
    ending = seeded.choice(("\r\n", "\r\n", "\n", "\n", "\r"))
    if len(table.header) == 1:
        lines = [f'"{text}"' if quoting == csv.QUOTE_ALL else text for text in _only(table)]
        content = ending.join(lines) + ending
    else:
        if delimiter == " ":  # two blanks in a row are one gap, so empty cells need quotes
            quoting = csv.QUOTE_ALL
        writer = csv.writer(file, delimiter=delimiter, lineterminator=ending, quoting=quoting)
        writer.writerows([table.header, *table.rows])
        content = file.getvalue()
    if seeded.random() < 0.2:
        content = content.removesuffix(ending)
    return content, _encoding(content, table.locale, seeded)


def _only(table: PlainTable) -> list[str]:
    return [table.header[0], *(row[0] for row in table.rows)]


def _encoding(content: str, locale: str, seeded: random.Random) -> str:
    encoding = seeded.choice((*UNICODE, *LOCALES[locale], *LOCALES[locale]))
    foreign = sum(not character.isascii() for character in content)
    if encoding in UNICODE or foreign < _LEAST_FOREIGN:
        return encoding if encoding in UNICODE else "utf-8"
    try:
        content.encode(encoding)
    except UnicodeEncodeError:
        return "utf-8"
    return encoding


def _write_text(table: PlainTable, path: Path) -> None:
    content, encoding = text_of(table)
    path.write_bytes(content.encode(encoding))


def native(text: str, kind: str) -> Any:
    """Return a cell's value as a program would store it: plain numbers and dates as such."""
    if kind in {"integer", "serial", "year"} and text.isdigit():
        return int(text)
    if kind == "decimal" and text.replace(".", "").isdigit() and not text.endswith("0"):
        return float(text)
    if kind == "iso_date" and text[:4].isdigit():
        return date.fromisoformat(text)
    return text


def _cells(table: PlainTable) -> list[list[Any]]:
    """Return the rows with native values in half of the tables, None for an empty cell."""
    if _seeded(table, "native").random() < 0.5:
        return [list(row) for row in table.records]
    return [
        [native(text, kind) if text else None for text, kind in zip(row, table.kinds, strict=True)]
        for row in table.rows
    ]


def _write_xlsx(table: PlainTable, path: Path) -> None:
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Sheet1")

    def cell_of(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        cell = WriteOnlyCell(sheet, value)
        cell.data_type = "s"  # otherwise openpyxl makes an error of the text "#N/A"
        return cell

    for row in [list(table.header), *_cells(table)]:
        sheet.append([cell_of(value) for value in row])
    book.save(path)


def _write_xls(table: PlainTable, path: Path) -> None:
    import xlwt

    book = xlwt.Workbook(encoding="utf-8")
    sheet = book.add_sheet("Sheet1")
    day = xlwt.easyxf(num_format_str="yyyy-mm-dd")
    for number, row in enumerate([list(table.header), *_cells(table)]):
        for place, value in enumerate(row):
            if value is not None:
                style = (day,) if isinstance(value, date) else ()
                sheet.write(number, place, value, *style)
    book.save(str(path))


def _write_ods(table: PlainTable, path: Path) -> None:
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableRow

    book = OpenDocumentSpreadsheet()
    sheet = Table(name="Sheet1")
    for row in [list(table.header), *_cells(table)]:
        line = TableRow()
        for value in row:
            line.addElement(_ods_cell(value))
        sheet.addElement(line)
    book.spreadsheet.addElement(sheet)
    book.save(str(path))


def _ods_cell(value: Any) -> Any:
    from odf.table import TableCell
    from odf.text import P

    if value is None:
        return TableCell()
    if isinstance(value, int | float):
        cell = TableCell(valuetype="float", value=str(value))
    elif isinstance(value, date):
        cell = TableCell(valuetype="date", datevalue=value.isoformat())
    else:
        cell = TableCell(valuetype="string")
    cell.addElement(P(text=str(value)))
    return cell


def _write_html(table: PlainTable, path: Path) -> None:
    tag = _seeded(table, "html").choice(("th", "th", "td"))
    rows = [_html_row(table.header, tag), *(_html_row(row, "td") for row in table.rows)]
    body = "\n".join(rows)
    page = f'<html><head><meta charset="utf-8"></head><body><table>\n{body}\n</table></body></html>'
    path.write_text(page, encoding="utf-8")


def _html_row(texts: tuple[str, ...], tag: str) -> str:
    cells = "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in texts)
    return f"<tr>{cells}</tr>"


FORMATS: dict[str, Callable[[PlainTable, Path], None]] = {
    "csv": _write_text,
    "xlsx": _write_xlsx,
    "xls": _write_xls,
    "ods": _write_ods,
    "html": _write_html,
}
