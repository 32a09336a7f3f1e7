"""``stock-two-sheets.xlsx``: a count as a warehouse keeps it."""

import io
import re
import zipfile
from datetime import date

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font
from openpyxl.worksheet.worksheet import Worksheet

from examples.making import expectation
from examples.making.expectation import Expectation, Read
from examples.making.source import Row, source

FILE = "stock-two-sheets.xlsx"
ALWAYS = "2026-11-03T16:00:00Z"
# (upper header, lower header, field key); an empty lower header is merged with the upper one
HEADER = (
    ("Article", "No.", "sku"),
    ("Article", "Name", "name"),
    ("Article", "Unit", "unit"),
    ("Hamburg", "On hand", "hamburg_on_hand"),
    ("Hamburg", "Reserved", "hamburg_reserved"),
    ("Leipzig", "On hand", "leipzig_on_hand"),
    ("Leipzig", "Reserved", "leipzig_reserved"),
    ("Unit price", "", "unit_price"),
    ("Last count", "", "counted_on"),
)
HEADER_ROW = 4
MERGED = ("A4:C4", "D4:E4", "F4:G4", "H4:H5", "I4:I5")
COUNTS = ("hamburg_on_hand", "hamburg_reserved", "leipzig_on_hand", "leipzig_reserved")
NOTES = (
    "How to read this workbook",
    "",
    "The sheet Stock holds the yearly count of both warehouses.",
    "On hand is what lies on the shelf, reserved is part of it.",
    "Prices are net, in euro, per unit.",
    "Questions: warehouse@nordlicht.example",
)
UNITS = (
    ("Code", "Unit"),
    ("BX", "box"),
    ("PC", "piece"),
    ("BG", "bag"),
    ("MT", "m"),
    ("PR", "pair"),
)


def content() -> bytes:
    """Write the workbook: notes first, then the count, then a hidden list of units."""
    book = Workbook()
    notes = book.worksheets[0]
    notes.title = "Read me"
    for line in NOTES:
        notes.append([line])
    write_count(book.create_sheet("Stock"))
    units = book.create_sheet("Units")
    units.sheet_state = "hidden"
    for pair in UNITS:
        units.append(pair)
    stream = io.BytesIO()
    book.save(stream)
    return timeless(stream.getvalue())


def write_count(sheet: Worksheet) -> None:
    """Write title, two header rows with merged cells, the body and its totals."""
    sheet["A1"], sheet["A2"] = "Stock count 2026", "Status: 3 November 2026, both warehouses"
    sheet["A1"].font = Font(bold=True, size=14)
    for column, (upper, lower, _) in enumerate(HEADER, start=1):
        for row, label in ((HEADER_ROW, upper), (HEADER_ROW + 1, lower)):
            cell = sheet.cell(row, column, label or None)
            cell.font, cell.alignment = Font(bold=True), Alignment(horizontal="center")
    for area in MERGED:
        sheet.merge_cells(area)
    for article in source("stock"):
        sheet.append([cell_value(key, article[key]) for _, _, key in HEADER])
        sheet.cell(sheet.max_row, 8).number_format = "0.00"
        sheet.cell(sheet.max_row, 9).number_format = "dd/mm/yyyy"
    sheet.append(["Total", None, None, *(total(key) for key in COUNTS), None, None])


def cell_value(key: str, text: str) -> str | int | float | date | None:
    """Store what is a number or a day as such, and everything else as typed."""
    try:
        if key in COUNTS:
            return int(text) if text else None
        if key == "unit_price":
            return float(text)
        return date.fromisoformat(text) if key == "counted_on" else text
    except ValueError:
        return text


def total(key: str) -> int:
    """Add up what is a number, as a spreadsheet does."""
    return sum(int(row[key]) for row in source("stock") if row[key].isdigit())


def timeless(workbook: bytes) -> bytes:
    """Remove the time of writing from a workbook."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            part = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", ALWAYS.encode(), old.read(name))
            entry = zipfile.ZipInfo(name, (2026, 11, 3, 16, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, part)
    return stream.getvalue()


def rows() -> list[Row]:
    """Return the counted articles."""
    return source("stock")


def expected() -> Expectation:
    """Return what a careful person would deliver."""
    readers: dict[str, Read] = {
        "sku": expectation.required,
        "name": expectation.required,
        "unit": expectation.required,
        **dict.fromkeys(COUNTS, expectation.whole),
        "unit_price": expectation.number_us,
        "counted_on": expectation.date_iso,
    }
    return expectation.expect(
        file=FILE,
        entity="stock",
        columns={f"{upper} {lower}".strip(): key for upper, lower, key in HEADER},
        readers=readers,
        rows=rows(),
    )
