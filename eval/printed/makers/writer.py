"""Documents as text documents, printed by LibreOffice Writer."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eval.printed.makers import Order, office
from eval.printed.papers import Line, Look, Paper, PrintedTable

LINE = "0.75pt solid #555555"


def print_papers(orders: Sequence[Order]) -> None:
    """Write a text document for each document and print them all with Writer."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        sources = []
        for place, order in enumerate(orders):
            sources.append(folder / f"{place}.odt")
            _Text(order.paper, order.look).save(sources[-1])
        office.convert(sources, folder)
        for place, order in enumerate(orders):
            shutil.move(folder / f"{place}.pdf", order.path)


class _Text:
    """One OpenDocument text."""

    def __init__(self, paper: Paper, look: Look) -> None:
        from odf.opendocument import OpenDocumentText

        self.paper, self.look = paper, look
        self.drawn = random.Random(f"writer/{paper.seed}/{paper.kind}/{look}")
        self.book = OpenDocumentText()
        self.size = self.drawn.choice((8, 9, 10))
        self.font = self.drawn.choice(("Liberation Sans", "Liberation Serif", "Carlito"))
        self.is_head_bold = self.drawn.random() < 0.7
        self.styles: dict[str, Any] = {}

    def save(self, path: Path) -> None:
        """Write the document."""
        self._page()
        for line in self.paper.above:
            self.book.text.addElement(self._paragraph(line))
        for table in self.paper.tables:
            if table.caption:
                self.book.text.addElement(self._paragraph(table.caption, is_bold=True))
            self.book.text.addElement(self._table(table))
        for line in self.paper.below:
            self.book.text.addElement(self._paragraph(line))
        self.book.save(str(path))

    def _page(self) -> None:
        from odf import style, text

        wide = self.paper.landscape
        layout = style.PageLayout(name="page")
        sides = {"marginleft": "1.5cm", "marginright": "1.5cm", "margintop": "1.5cm"}
        size = ("29.7cm", "21cm") if wide else ("21cm", "29.7cm")
        layout.addElement(
            style.PageLayoutProperties(
                pagewidth=size[0],
                pageheight=size[1],
                marginbottom="1.5cm",
                printorientation="landscape" if wide else "portrait",
                writingmode="rl-tb" if self.paper.is_right_to_left else "lr-tb",
                **sides,
            )
        )
        self.book.automaticstyles.addElement(layout)
        master = style.MasterPage(name="Standard", pagelayoutname="page")
        if self.paper.running_header:
            header = style.Header()
            header.addElement(text.P(text=self.paper.running_header))
            master.addElement(header)
        if self.paper.running_footer:
            footer = style.Footer()
            line = text.P(text=f"{self.paper.running_footer} ")
            line.addElement(text.PageNumber(selectpage="current"))
            footer.addElement(line)
            master.addElement(footer)
        self.book.masterstyles.addElement(master)

    def _paragraph(
        self, line: str, *, is_bold: bool = False, is_number: bool = False, is_light: bool = False
    ) -> Any:
        from odf import text

        key = f"p{is_bold:d}{is_number:d}{is_light:d}"
        return text.P(stylename=self._text_style(key, is_bold, is_number, is_light), text=line)

    def _text_style(self, key: str, is_bold: bool, is_number: bool, is_light: bool) -> Any:
        from odf import style

        if key not in self.styles:
            made = style.Style(name=key, family="paragraph")
            weight = "bold" if is_bold else "normal"
            size = f"{self.size}pt"
            made.addElement(
                style.TextProperties(
                    fontfamily=self.font, fontsize=size, fontsizecomplex=size, fontsizeasian=size,
                    fontweight=weight, fontweightcomplex=weight,
                    color="#ffffff" if is_light else "#000000",
                )
            )  # fmt: skip
            mode = "rl-tb" if self.paper.is_right_to_left else "lr-tb"
            made.addElement(
                style.ParagraphProperties(
                    textalign="end" if is_number else "start", writingmode=mode
                )
            )
            self.book.automaticstyles.addElement(made)
            self.styles[key] = made
        return self.styles[key]

    def _table(self, table: PrintedTable) -> Any:
        from odf import style
        from odf import table as tables

        whole = tables.Table()
        total = sum(max(column.width, 4) for column in table.columns)
        room = 26.7 if self.paper.landscape else 18.0
        for place, column in enumerate(table.columns):
            name = f"w{id(table)}{place}"
            made = style.Style(name=name, family="table-column")
            share = room * max(column.width, 4) / total
            made.addElement(style.TableColumnProperties(columnwidth=f"{share:.2f}cm"))
            self.book.automaticstyles.addElement(made)
            whole.addElement(tables.TableColumn(stylename=made))
        head = tables.TableHeaderRows()
        if table.tiers:
            head.addElement(self._tier_row(table))
        head.addElement(self._row(table, Line(tuple(c.name for c in table.columns)), "head", 0))
        whole.addElement(head)
        for number, line in enumerate(table.lines):
            whole.addElement(self._row(table, line, "line", number))
        return whole

    def _tier_row(self, table: PrintedTable) -> Any:
        from odf import table as tables

        row, place = tables.TableRow(), 0
        for title, first, last in table.tiers:
            for _ in range(first - place):
                row.addElement(self._cell("", "head", 0))
            row.addElement(self._cell(title, "head", 0, spanned=last - first + 1))
            for _ in range(last - first):
                row.addElement(tables.CoveredTableCell())
            place = last + 1
        return row

    def _row(self, table: PrintedTable, line: Line, part: str, number: int) -> Any:
        from odf import table as tables

        row = tables.TableRow()
        if line.kind == "section":
            span = len(line.cells)
            row.addElement(self._cell(line.cells[0], part, number, is_bold=True, spanned=span))
            for _ in line.cells[1:]:
                row.addElement(tables.CoveredTableCell())
            return row
        for column, cell in zip(table.columns, line.cells, strict=True):
            is_bold = line.kind != "row"
            row.addElement(
                self._cell(cell, part, number, is_number=column.is_number, is_bold=is_bold)
            )
        return row

    def _cell(
        self,
        cell: str,
        part: str,
        number: int,
        *,
        is_number: bool = False,
        is_bold: bool = False,
        spanned: int = 1,
    ) -> Any:
        from odf import table as tables

        is_head = part == "head"
        spans = {"numbercolumnsspanned": spanned} if spanned > 1 else {}
        made = tables.TableCell(stylename=self._cell_style(part, number % 2), **spans)
        made.addElement(
            self._paragraph(
                cell,
                is_bold=is_bold or (is_head and self.is_head_bold),
                is_number=is_number,
                is_light=is_head and self.look == "shaded",
            )
        )
        return made

    def _cell_style(self, part: str, odd: int) -> Any:
        from odf import style

        key = f"c{part}{odd}"
        if key not in self.styles:
            made = style.Style(name=key, family="table-cell")
            made.addElement(style.TableCellProperties(**_cell_look(self.look, part, odd)))
            self.book.automaticstyles.addElement(made)
            self.styles[key] = made
        return self.styles[key]


def _cell_look(look: Look, part: str, odd: int) -> dict[str, str]:
    properties = {"padding": "0.05cm", "border": "none"}
    if look == "grid":
        properties["border"] = LINE
    elif look == "rules" or (look == "header_line" and part == "head"):
        properties = {"padding": "0.05cm", "borderbottom": LINE}
    elif look == "shaded" and part == "head":
        properties["backgroundcolor"] = "#334455"
    elif look == "zebra" and part == "line" and odd:
        properties["backgroundcolor"] = "#e8e8e8"
    return properties
