"""Workbooks with what formats store in different ways: merged ranges, times, amounts, texts."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path

from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from openpyxl.styles import Font
from openpyxl.worksheet.worksheet import Worksheet

Fill = Callable[[Worksheet], None]
ROWS = 10
DAY = dt.date(2026, 3, 1)
CURRENCIES = (
    "#,##0.00 [$€-407]", "[$$-409]#,##0.00", "[$CHF] #,##0.00", "[$£-809]#,##0.00", "0.00%",
)  # fmt: skip


def _show(sheet: Worksheet, column: int, number_format: str) -> None:
    """Set the number format of the cells below a header."""
    for row in range(2, sheet.max_row + 1):
        sheet.cell(row, column).number_format = number_format


def plain(sheet: Worksheet) -> None:
    """Fill a table with a value of each common type."""
    sheet.append(["Article", "Quantity", "Price", "Ordered on", "Paid"])
    for n in range(ROWS):
        sheet.append([f"LX-{n}", n, n + 0.5, DAY + dt.timedelta(n), n % 2 == 0])
    _show(sheet, 3, "#,##0.00")
    _show(sheet, 4, "dd.mm.yyyy")


def years_over_quarters(sheet: Worksheet) -> None:
    """Fill a table below a title and two rows of names, all merged."""
    sheet.append(["Revenue by quarter"])
    sheet.append(["Region", "2025", None, "2026", None, None])
    sheet.append([None, "Q1", "Q2", "Q1", "Q2", "Q3"])
    for n in range(ROWS):
        sheet.append([f"Region {n}", *(100 * n + quarter for quarter in range(5))])
    for merged in ("A1:F1", "A2:A3", "B2:C2", "D2:F2"):
        sheet.merge_cells(merged)


def groups(sheet: Worksheet) -> None:
    """Fill a table whose first column is merged over the rows of each group."""
    sheet.append(["Group", "Article", "Quantity"])
    for n in range(12):
        sheet.append([f"G{n // 4}" if n % 4 == 0 else None, f"A{n}", n])
    for first in (2, 6, 10):
        sheet.merge_cells(start_row=first, end_row=first + 3, start_column=1, end_column=1)


def times(sheet: Worksheet) -> None:
    """Fill a table with durations of more than a day, times of day and moments."""
    sheet.append(["Task", "Elapsed", "Start", "Share", "At"])
    for n in range(ROWS):
        elapsed = dt.timedelta(hours=20 + 3 * n, minutes=7 * n)
        moment = dt.datetime(2026, 1, 1 + n, 10, 30, n)  # noqa: DTZ001 -- a workbook has no zone
        sheet.append([f"T{n}", elapsed, dt.time(8 + n, 15), 0.125 * n, moment])
    for column, shown in ((2, "[h]:mm:ss"), (3, "hh:mm"), (4, "0.0%"), (5, "d.m.yy h:mm:ss")):
        _show(sheet, column, shown)


def amounts(sheet: Worksheet) -> None:
    """Fill a table with amounts in several currencies, negative ones in red, and percentages."""
    sheet.append(["Article", "EUR", "USD", "CHF", "GBP", "Share"])
    for n in range(ROWS):
        sheet.append([f"A{n}", *([12.5 * n - 30] * 4), 0.05 * n])
    for column, shown in enumerate(CURRENCIES, 2):
        _show(sheet, column, shown)


def numbers(sheet: Worksheet) -> None:
    """Fill a table with large, small and padded numbers, and numbers that are texts."""
    sheet.append(["EAN", "Large", "Small", "Postal code", "Phone"])
    for n in range(ROWS):
        sheet.append([4006381333931 + n, 1.5e20, 0.000123 * n, 1000 + n, f"0{n}512 3344"])
    _show(sheet, 1, "0")
    _show(sheet, 3, "0.00E+00")
    _show(sheet, 4, "00000")


def formulas(sheet: Worksheet) -> None:
    """Fill a table with sums, a total, an error and texts that look like formulas."""
    sheet.append(["Article", "Quantity", "Price", "Amount", "Note"])
    notes = ("=1+1 as text", "@home", "-x", "+49 30 1", "'quoted")
    for n in range(ROWS):
        amount = "=1/0" if n == 3 else f"=B{n + 2}*C{n + 2}"
        sheet.append([f"A{n}", n + 1, 2.5, amount, notes[n % 5]])
        sheet.cell(n + 2, 5).data_type = "s"
    sheet.append(["Total", None, None, "=SUM(B2:B11)", None])


def texts(sheet: Worksheet) -> None:
    """Fill a table with rich texts, links, comments, blanks, tabs and broken lines."""
    sheet.append(["Article", "Name", "Link", "Note"])
    notes = ("  padded  ", "tab\tin", "two\nlines", "1/2", "TRUE")
    for n in range(ROWS):
        name = CellRichText("Lamp ", TextBlock(InlineFont(b=True), "big"), f" {n}")
        sheet.append([f"A{n}", name, f"https://example.com/{n}", notes[n % 5]])
        sheet.cell(n + 2, 3).hyperlink = f"https://example.com/{n}"
        sheet.cell(n + 2, 1).comment = Comment("Check\tthis.", "us")


def form(sheet: Worksheet) -> None:
    """Fill a form: a title, pairs, the items in the middle, a total and a note."""
    sheet.append(["Order list of March"])
    sheet.append(["Customer:", "Nordlicht"])
    sheet.append([])
    sheet.append(["No", "Article", "Pieces", "Unit", "Amount"])
    for cell in sheet[4]:
        cell.font = Font(bold=True)
    for n in range(ROWS):
        sheet.append([n + 1, f"Lamp {n}", 3 * n, "pcs", 3.75 * n])
    sheet.append(["Total", None, None, None, 168.75])
    sheet.append([])
    sheet.append(["Terms and conditions apply."])


def apart(sheet: Worksheet) -> None:
    """Fill a table away from the corner, with blank columns and cells within."""
    for column, name in ((2, "Item"), (3, "Quantity"), (6, "Place"), (7, "Code")):
        sheet.cell(3, column, name)
    for n in range(ROWS):
        sheet.cell(4 + n, 6, f"Place {n}")
        sheet.cell(4 + n, 7, f"C{n}")
        if n != 4:
            sheet.cell(4 + n, 2, f"I{n}")
            sheet.cell(4 + n, 3, n)


def hidden(sheet: Worksheet) -> None:
    """Fill a table with a hidden row and a hidden column."""
    sheet.append(["Key", "Value", "Double"])
    for n in range(ROWS):
        sheet.append([f"K{n}", n, 2 * n])
    sheet.row_dimensions[5].hidden = True
    sheet.column_dimensions["C"].hidden = True


def wide(sheet: Worksheet) -> None:
    """Fill a table of forty columns."""
    sheet.append([f"Column name {n}" for n in range(40)])
    for row in range(30):
        sheet.append([row * n % 7 if n % 3 else f"t{row}-{n}" for n in range(40)])


KINDS: tuple[Fill, ...] = (
    plain, years_over_quarters, groups, times, amounts, numbers, formulas, texts, form, apart,
    hidden, wide,
)  # fmt: skip


def write(folder: Path) -> list[Path]:
    """Write one workbook of each kind; return their paths."""
    paths = []
    for fill in KINDS:
        book = Workbook()
        fill(book.worksheets[0])
        paths.append(folder / f"{fill.__name__}.xlsx")
        book.save(paths[-1])
    return paths
