"""Documents printed by ReportLab's platypus."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eval.printed.makers import Order
from eval.printed.papers import Look, Paper, PrintedTable

MARGIN = 40


def print_papers(orders: Sequence[Order]) -> None:
    """Print each document with a table of paragraphs and strings."""
    for order in orders:
        _print(order.paper, order.look, order.path)


def _print(paper: Paper, look: Look, path: Path) -> None:
    from reportlab.lib.pagesizes import A4, landscape
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer

    drawn = random.Random(f"reportlab/{paper.seed}/{paper.kind}/{look}")
    size = drawn.choice((7, 8, 9))
    font = drawn.choice(("Helvetica", "Times-Roman"))
    style = ParagraphStyle("text", fontName=font, fontSize=size, leading=1.25 * size)
    page = landscape(A4) if paper.landscape else A4
    story: list[Any] = [_paragraph(line or " ", style) for line in paper.above]
    for table in paper.tables:
        story.append(Spacer(1, drawn.choice((4, 10))))
        if table.caption:
            story.append(Paragraph(f"<b>{table.caption}</b>", style))
        story.append(_table(table, look, drawn, style, page[0] - 2 * MARGIN))
    story.append(Spacer(1, drawn.choice((2, 8))))
    story += [_paragraph(line, style) for line in paper.below]

    def running(canvas: Any, document: Any) -> None:
        canvas.setFont(font, 7)
        if paper.running_header:
            canvas.drawCentredString(page[0] / 2, page[1] - 24, paper.running_header)
        if paper.running_footer:
            canvas.drawCentredString(page[0] / 2, 20, f"{paper.running_footer} {document.page}")

    sides = dict.fromkeys(("leftMargin", "rightMargin", "topMargin", "bottomMargin"), MARGIN)
    document = SimpleDocTemplate(str(path), pagesize=page, invariant=1, **sides)
    document.build(story, onFirstPage=running, onLaterPages=running)


def _paragraph(text: str, style: Any) -> Any:
    from xml.sax.saxutils import escape

    from reportlab.platypus import Paragraph

    return Paragraph(escape(text), style)


def _table(table: PrintedTable, look: Look, drawn: random.Random, style: Any, room: float) -> Any:
    from reportlab.pdfbase.pdfmetrics import stringWidth
    from reportlab.platypus import Table

    def width(text: str) -> float:
        return float(stringWidth(text, style.fontName, style.fontSize))

    widths = []
    for place, column in enumerate(table.columns):
        cells = [line.cells[place] for line in table.lines]
        longest = max(map(width, (column.name, *cells)))
        word = max(width(part) for text in (column.name, *cells) for part in text.split() or [""])
        usual = max(0.62 * style.fontSize * column.width * 1.1 + 20, word * 1.15)
        widths.append(min(longest * 1.1, usual) + 14)
    if sum(widths) > room or drawn.random() < 0.5:
        widths = [part * room / sum(widths) for part in widths]
    rows: list[list[Any]] = []
    if table.tiers:
        tier = [""] * len(table.columns)
        for title, first, _ in table.tiers:
            tier[first] = title
        rows.append(tier)
    rows.append([column.name for column in table.columns])
    for line in table.lines:
        is_cell = line.kind != "section"  # a section spans all columns
        rows.append(
            [
                _paragraph(cell, style) if width(cell) + 12 > wide and is_cell else cell
                for cell, wide in zip(line.cells, widths, strict=True)
            ]
        )
    heads = 2 if table.tiers else 1
    made = Table(rows, colWidths=widths, repeatRows=heads if drawn.random() < 0.7 else 0)
    made.setStyle(_style(table, look, drawn, style, heads))
    return made


def _style(table: PrintedTable, look: Look, drawn: random.Random, style: Any, heads: int) -> Any:
    from reportlab.lib import colors
    from reportlab.platypus import TableStyle

    bold = {"Helvetica": "Helvetica-Bold", "Times-Roman": "Times-Bold"}[style.fontName]
    head, whole = ((0, 0), (-1, heads - 1)), ((0, 0), (-1, -1))
    commands: list[Any] = [
        ("FONT", *whole, style.fontName, style.fontSize),
        ("VALIGN", *whole, drawn.choice(("TOP", "MIDDLE"))),
    ]
    if drawn.random() < 0.7:
        commands.append(("FONT", *head, bold, style.fontSize))
    commands += [
        ("ALIGN", (place, heads - 1), (place, -1), "RIGHT")
        for place, column in enumerate(table.columns)
        if column.is_number
    ]
    commands += [
        ("SPAN", (0, heads + number), (-1, heads + number))
        for number, line in enumerate(table.lines)
        if line.kind == "section"
    ]
    for _, first, last in table.tiers:
        commands += [("SPAN", (first, 0), (last, 0)), ("ALIGN", (first, 0), (last, 0), "CENTER")]
    looks: dict[Look, list[Any]] = {
        "grid": [("GRID", *whole, 0.5, colors.grey)],
        "zebra": [("ROWBACKGROUNDS", (0, heads), (-1, -1), (colors.white, colors.lightgrey))],
        "shaded": [
            ("BACKGROUND", *head, colors.darkblue),
            ("TEXTCOLOR", *head, colors.white),
        ],
        "bare": [],
        "header_line": [("LINEBELOW", (0, heads - 1), (-1, heads - 1), 1, colors.black)],
        "rules": [("LINEBELOW", *whole, 0.4, colors.grey)],
    }
    return TableStyle(commands + looks[look])
