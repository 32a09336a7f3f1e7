"""Print a plain table as PDF, as report generators do: with a grid, without, with stripes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from eval.plain.tables import PlainTable

Ruling = Literal["grid", "bare", "header_line", "stripes"]
RULINGS: tuple[Ruling, ...] = ("grid", "bare", "header_line", "stripes")
MARGIN = 36
PADDING = 12  # left and right of each cell together, reportlab's default
LEAST_SIZE = 5  # points: text that does not fit at this size wraps
_NARROW = (70, 90, 130)  # points: maximum column width of a wrapping table
_UNBROKEN = {"email", "url", "iban", "uuid", "code", "file"}  # one word, however long
_RIGHT = {"integer", "decimal", "decimal_comma", "money", "percent", "serial", "year"}


def is_printable(table: PlainTable) -> bool:
    """Return whether the standard PDF fonts contain all its letters."""
    texts = [text for row in (table.header, *table.rows) for text in row]
    return all(map(_fits, texts))


def _fits(text: str) -> bool:
    try:
        text.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def print_table(table: PlainTable, ruling: Ruling, path: Path, *, wraps: bool = False) -> Path:
    """Print the table; with ``wraps``, columns are narrow and long cells take several lines."""
    from reportlab.platypus import SimpleDocTemplate, Table

    seeded = random.Random(f"paper/{ruling}/{table.seed}")
    page, size, fonts = _layout(table, seeded)
    widths = _natural(table, fonts, size)
    room = page[0] - 2 * MARGIN
    while sum(widths) > room and size > LEAST_SIZE:
        size -= 1
        widths = _natural(table, fonts, size)
    cells: list[list[Any]] = [list(row) for row in (table.header, *table.rows)]
    if wraps or sum(widths) > room:
        widths = _narrowed(table, widths, fonts, size, room, seeded)
        cells = _paragraphs(cells, fonts, size)
    drawn = Table(cells, colWidths=widths, repeatRows=seeded.choice((0, 1, 1)))
    drawn.setStyle(_style(table, ruling, fonts, size, seeded))
    margins = dict.fromkeys(("leftMargin", "rightMargin", "topMargin", "bottomMargin"), MARGIN)
    SimpleDocTemplate(str(path), pagesize=page, invariant=1, **margins).build([drawn])
    return path


def _layout(
    table: PlainTable, seeded: random.Random
) -> tuple[tuple[float, float], int, tuple[str, str]]:
    from reportlab.lib.pagesizes import A4, landscape, letter

    pages = (A4, letter, landscape(A4), landscape(letter))
    page = seeded.choice(pages[2:] if len(table.header) > 6 else pages)
    plain, bold = seeded.choice((("Helvetica", "Helvetica-Bold"), ("Times-Roman", "Times-Bold")))
    return page, seeded.choice((7, 8, 9, 10)), (seeded.choice((plain, bold)), plain)


def _natural(table: PlainTable, fonts: tuple[str, str], size: int) -> list[float]:
    return [_widest(column, fonts, size) + PADDING for column in _columns(table)]


def _columns(table: PlainTable) -> list[tuple[str, ...]]:
    return list(zip(table.header, *table.rows, strict=True))


def _widest(texts: Sequence[str], fonts: tuple[str, str], size: int) -> float:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    return max(
        float(stringWidth(text, fonts[0] if place == 0 else fonts[1], size))
        for place, text in enumerate(texts)
    )


def _narrowed(
    table: PlainTable,
    widths: list[float],
    fonts: tuple[str, str],
    size: int,
    room: float,
    seeded: random.Random,
) -> list[float]:
    """Return limited column widths, but wide enough for the longest word of text with blanks."""
    most = seeded.choice(_NARROW)
    narrow = []
    for column, kind, width in zip(_columns(table), table.kinds, widths, strict=True):
        texts = column[:1] if kind in _UNBROKEN else column
        words = [word for text in texts for word in text.split()]
        least = _widest(words, (fonts[0], fonts[0]), size) + PADDING + 1
        narrow.append(min(width + 1, max(most, least)))
    excess = sum(narrow) / room
    return [width / excess for width in narrow] if excess > 1 else narrow


def _paragraphs(cells: list[list[Any]], fonts: tuple[str, str], size: int) -> list[list[Any]]:
    from xml.sax.saxutils import escape

    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph

    header, body = (
        ParagraphStyle(font, fontName=font, fontSize=size, leading=1.2 * size) for font in fonts
    )
    return [
        [Paragraph(escape(text), header if number == 0 else body) for text in row]
        for number, row in enumerate(cells)
    ]


def _style(
    table: PlainTable, ruling: Ruling, fonts: tuple[str, str], size: int, seeded: random.Random
) -> Any:
    from reportlab.lib import colors
    from reportlab.platypus import TableStyle

    whole, first = ((0, 0), (-1, -1)), ((0, 0), (-1, 0))
    style: list[Any] = [
        ("FONT", *whole, fonts[1], size),
        ("FONT", *first, fonts[0], size),
        ("VALIGN", *whole, seeded.choice(("TOP", "MIDDLE"))),
    ]
    if seeded.random() < 0.5:
        style += [
            ("ALIGN", (place, 0), (place, -1), "RIGHT")
            for place, kind in enumerate(table.kinds)
            if kind in _RIGHT
        ]
    if ruling == "grid":
        style.append(("GRID", *whole, 0.5, colors.grey))
    if ruling in {"header_line", "stripes"}:
        style.append(("LINEBELOW", *first, 1, colors.black))
    if ruling == "stripes":
        style.append(("ROWBACKGROUNDS", (0, 1), (-1, -1), (colors.white, colors.lightgrey)))
    return TableStyle(style)
