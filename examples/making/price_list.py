"""``price-list.pdf``: two printed pages of a supplier."""

import io

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import LongTable, Paragraph, SimpleDocTemplate, Spacer
from reportlab.platypus.tables import TableStyle

from examples.making import expectation
from examples.making.expectation import Expectation
from examples.making.source import source

FILE = "price-list.pdf"
PAGES = 2
# column, field key, width in mm; the description is too narrow for its longer texts
COLUMNS = (
    ("Item no.", "item_number", 18),
    ("Description", "description", 62),
    ("Unit", "unit", 14),
    ("Pack", "pack", 12),
    ("Price EUR", "price", 22),
    ("Valid from", "valid_from", 23),
    ("EAN", "gtin", 29),
)
SMALL = ParagraphStyle("small", fontName="Helvetica", fontSize=8.5, leading=10.5)
TITLE = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=15, leading=19)
LOOK = TableStyle(
    [
        ("GRID", (0, 0), (-1, -1), 0.5, colors.black),
        ("BACKGROUND", (0, 0), (-1, 0), colors.lightgrey),
        ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 8.5),
        ("FONT", (0, 1), (-1, -1), "Helvetica", 8.5),
        ("ALIGN", (3, 0), (4, -1), "RIGHT"),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("TOPPADDING", (0, 0), (-1, -1), 4),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
    ]
)


def content() -> bytes:
    """Write the two pages."""
    stream = io.BytesIO()
    document = SimpleDocTemplate(
        stream,
        pagesize=A4,
        leftMargin=15 * mm,
        rightMargin=15 * mm,
        topMargin=28 * mm,
        bottomMargin=24 * mm,
        invariant=1,
        pageCompression=0,  # another zlib packs the same page differently
        title="Price list 2026",
        author="Nordlicht Office Supplies",
    )
    table = LongTable(table_cells(), [width * mm for *_, width in COLUMNS], repeatRows=1)
    table.setStyle(LOOK)
    intro = Paragraph("All prices net per unit. Valid until replaced by a newer list.", SMALL)
    story = [Paragraph("Price list 2026", TITLE), intro, Spacer(1, 5 * mm), table]
    document.build(story, onFirstPage=furniture, onLaterPages=furniture)
    if document.page != PAGES:
        raise ValueError(f"the list has {document.page} pages, the page foot says {PAGES}")
    return stream.getvalue()


def table_cells() -> list[list[str | Paragraph]]:
    """Return the header and the rows, with descriptions as wrapping text."""
    body = [
        [Paragraph(row[key], SMALL) if key == "description" else row[key] for _, key, _ in COLUMNS]
        for row in source("prices")
    ]
    return [[column for column, *_ in COLUMNS], *body]


def furniture(canvas: Canvas, document: SimpleDocTemplate) -> None:
    """Draw what every page repeats."""
    canvas.setFont("Helvetica", 8)
    canvas.drawString(15 * mm, A4[1] - 15 * mm, "Nordlicht Office Supplies")
    canvas.drawRightString(A4[0] - 15 * mm, A4[1] - 15 * mm, "Price list 2026, issue 3")
    canvas.line(15 * mm, A4[1] - 17 * mm, A4[0] - 15 * mm, A4[1] - 17 * mm)
    canvas.drawString(15 * mm, 13 * mm, "Nordlicht Office Supplies, Hafenstr. 12, Hamburg")
    canvas.drawRightString(A4[0] - 15 * mm, 13 * mm, f"Page {document.page} of {PAGES}")


def expected() -> Expectation:
    """Return what a careful person would deliver."""
    return expectation.expect(
        file=FILE,
        entity="prices",
        columns={column: key for column, key, _ in COLUMNS},
        readers={
            "item_number": expectation.required,
            "description": expectation.required,
            "unit": expectation.text,
            "pack": expectation.whole,
            "price": expectation.number_us,
            "valid_from": expectation.date_iso,
            "gtin": expectation.gtin,
        },
        rows=source("prices"),
    )
