"""Documents as workbooks, printed by LibreOffice Calc."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eval.printed.makers import Order, office
from eval.printed.papers import Line, Look, Paper, PrintedTable, breadth

LONG = 32  # characters per line of a wrapped cell


def print_papers(orders: Sequence[Order]) -> None:
    """Write a workbook for each document and print them all with Calc."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        sources = []
        for place, order in enumerate(orders):
            sources.append(folder / f"{place}.xlsx")
            _write(order.paper, order.look, sources[-1])
        office.convert(sources, folder)
        for place, order in enumerate(orders):
            shutil.move(folder / f"{place}.pdf", order.path)


def _write(paper: Paper, look: Look, path: Path) -> None:
    import xlsxwriter

    drawn = random.Random(f"calc/{paper.seed}/{paper.kind}/{look}")
    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet()
    if paper.is_right_to_left:
        sheet.right_to_left()
    if paper.landscape:
        sheet.set_landscape()
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 0)
    if paper.running_header:
        sheet.set_header(f"&C{paper.running_header}")
    if paper.running_footer:
        sheet.set_footer(f"&C{paper.running_footer} &P")
    base = {
        "font_size": drawn.choice((9, 10, 11)),
        "font_name": drawn.choice(("Liberation Sans", "Carlito", "DejaVu Sans")),
        "valign": drawn.choice(("top", "vcenter", "bottom")),
    }
    _widen(sheet, paper)
    row = _lines(sheet, book, paper.above, 0, base)
    row += drawn.choice((0, 1)) if paper.above else 0
    for table in paper.tables:
        row = _table(sheet, book, table, row, base, look, drawn) + 1
    _lines(sheet, book, paper.below, row - drawn.choice((0, 1)), base)
    book.close()


def _widen(sheet: Any, paper: Paper) -> None:
    for place in range(max(len(table.columns) for table in paper.tables)):
        tables = [table for table in paper.tables if place < len(table.columns)]
        widths = [table.columns[place].width for table in tables]
        widths += [breadth(x.cells[place]) for t in tables for x in t.lines if x.kind == "total"]
        sheet.set_column(place, place, max(widths) * 1.15 + 2)


def _lines(sheet: Any, book: Any, lines: Sequence[str], row: int, base: dict[str, Any]) -> int:
    for place, line in enumerate(lines):
        sheet.write_string(row + place, 0, line, book.add_format(base))
    return row + len(lines)


def _table(  # noqa: PLR0917 -- the sheet, the place in it, and how it looks
    sheet: Any,
    book: Any,
    table: PrintedTable,
    row: int,
    base: dict[str, Any],
    look: Look,
    drawn: random.Random,
) -> int:
    if table.caption:
        sheet.write_string(row, 0, table.caption, book.add_format({**base, "bold": True}))
        row += 1
    head = {**base, "bold": drawn.random() < 0.7, "text_wrap": True, **_header_look(look)}
    first = row
    if table.tiers:
        for title, left, right in table.tiers:
            centred = book.add_format({**head, "align": "center"})
            sheet.merge_range(row, left, row, right, title, centred)
        row += 1
    for place, column in enumerate(table.columns):
        side = {"align": "right"} if column.is_number else {}
        sheet.write_string(row, place, column.name, book.add_format({**head, **side}))
    sheet.repeat_rows(first, row)
    row += 1
    for number, line in enumerate(table.lines):
        _line(sheet, book, table, row + number, line, {**base, **_line_look(look, number)})
    return row + len(table.lines)


def _line(
    sheet: Any, book: Any, table: PrintedTable, row: int, line: Line, look: dict[str, Any]
) -> None:
    if line.kind == "section":
        style = book.add_format({**look, "bold": True})
        sheet.merge_range(row, 0, row, len(table.columns) - 1, line.cells[0], style)
        return
    bold = {"bold": True} if line.kind != "row" else {}
    printed = max(-(-breadth(cell) // LONG) for cell in line.cells)
    if printed > 1:  # Calc keeps the heights of an imported workbook
        sheet.set_row(row, printed * 1.3 * look["font_size"])
    for place, (column, cell) in enumerate(zip(table.columns, line.cells, strict=True)):
        wraps = {"text_wrap": True} if breadth(cell) > column.width else {}
        side = {"align": "right"} if column.is_number else {}
        style = book.add_format({**look, **bold, **wraps, **side})
        if cell:
            sheet.write_string(row, place, cell, style)
        else:
            sheet.write_blank(row, place, None, style)


def _header_look(look: Look) -> dict[str, Any]:
    looks: dict[Look, dict[str, Any]] = {
        "grid": {"border": 1},
        "zebra": {},
        "shaded": {"bg_color": "#334455", "font_color": "#ffffff"},
        "bare": {},
        "header_line": {"bottom": 2},
        "rules": {"bottom": 1},
    }
    return looks[look]


def _line_look(look: Look, number: int) -> dict[str, Any]:
    if look == "grid":
        return {"border": 1}
    if look == "rules":
        return {"bottom": 1}
    return {"bg_color": "#e8e8e8"} if look == "zebra" and number % 2 else {}
