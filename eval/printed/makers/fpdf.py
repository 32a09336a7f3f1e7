"""Documents printed by fpdf2."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eval.printed.makers import Order
from eval.printed.papers import Look, Paper, PrintedTable

FONTS = Path("/usr/share/fonts/truetype")
FAMILIES = {
    "dejavu": ("dejavu/DejaVuSans.ttf", "dejavu/DejaVuSans-Bold.ttf"),
    "liberation": (
        "liberation/LiberationSans-Regular.ttf",
        "liberation/LiberationSans-Bold.ttf",
    ),
}


def print_papers(orders: Sequence[Order]) -> None:
    """Print each document with fpdf2's table."""
    for order in orders:
        _print(order.paper, order.look, order.path)


def _print(paper: Paper, look: Look, path: Path) -> None:
    drawn = random.Random(f"fpdf2/{paper.seed}/{paper.kind}/{look}")
    document = _document(paper)
    family, size = drawn.choice(list(FAMILIES)), drawn.choice((8, 9, 10))
    for style, name in zip(("", "B"), FAMILIES[family], strict=True):
        document.add_font(family, style, FONTS / name)
    document.set_font(family, size=size)
    document.add_page()
    for line in paper.above:
        document.cell(text=line or " ", new_x="LMARGIN", new_y="NEXT", h=size * 0.5)
    for table in paper.tables:
        document.ln(drawn.choice((2, 5)))
        if table.caption:
            document.set_font(style="B")
            document.cell(text=table.caption, new_x="LMARGIN", new_y="NEXT", h=size * 0.6)
            document.set_font(style="")
        _table(document, table, look, drawn, size)
    document.ln(drawn.choice((1, 4)))
    for line in paper.below:
        document.cell(text=line or " ", new_x="LMARGIN", new_y="NEXT", h=size * 0.5)
    document.output(str(path))


def _document(paper: Paper) -> Any:
    from fpdf import FPDF

    class _Paged(FPDF):
        def header(self) -> None:
            if paper.running_header:
                self.cell(text=paper.running_header, align="C", center=True)
                self.ln(8)

        def footer(self) -> None:
            if paper.running_footer:
                self.set_y(-12)
                self.cell(text=f"{paper.running_footer} {self.page_no()}", center=True)

    return _Paged(orientation="landscape" if paper.landscape else "portrait")


def _table(document: Any, table: PrintedTable, look: Look, drawn: random.Random, size: int) -> None:
    from fpdf.fonts import FontFace

    layouts = {
        "grid": "ALL", "zebra": "NONE", "shaded": "NONE", "bare": "NONE",
        "header_line": "SINGLE_TOP_LINE", "rules": "HORIZONTAL_LINES",
    }  # fmt: skip
    head = FontFace(
        emphasis="BOLD" if drawn.random() < 0.7 else None,
        fill_color=(51, 68, 85) if look == "shaded" else None,
        color=(255, 255, 255) if look == "shaded" else None,
    )
    with document.table(
        borders_layout=layouts[look],
        cell_fill_color=(232, 232, 232) if look == "zebra" else None,
        cell_fill_mode="ROWS" if look == "zebra" else "NONE",
        col_widths=_widths(document, table),
        headings_style=head,
        line_height=size * 0.5,
        text_align=["RIGHT" if column.is_number else "LEFT" for column in table.columns],
        num_heading_rows=2 if table.tiers else 1,
    ) as printed:
        if table.tiers:
            _tier_row(printed.row(), table)
        names = printed.row()
        for column in table.columns:
            names.cell(column.name)
        for line in table.lines:
            row = printed.row()
            if line.kind == "section":
                bold = FontFace(emphasis="BOLD")
                row.cell(line.cells[0], colspan=len(line.cells), style=bold, align="LEFT")
                continue
            for cell in line.cells:
                row.cell(cell, style=FontFace(emphasis="BOLD") if line.kind != "row" else None)


def _widths(document: Any, table: PrintedTable) -> list[float]:
    """Return the share of each column: enough for its longest word, and for its typical content."""
    widths = []
    for place, column in enumerate(table.columns):
        texts = [column.name, *(line.cells[place] for line in table.lines)]
        words = [document.get_string_width(word) for text in texts for word in text.split()]
        usual = document.get_string_width("x" * column.width)
        widths.append(max(*words, usual, 6.0) * 1.15 + 4)
    return widths


def _tier_row(row: Any, table: PrintedTable) -> None:
    place = 0
    for title, first, last in table.tiers:
        for _ in range(first - place):
            row.cell("")
        row.cell(title, colspan=last - first + 1, align="CENTER")
        place = last + 1
