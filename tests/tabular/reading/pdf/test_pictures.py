"""Tables whose lines are pixels: a scan with a text layer, a form printed as a picture."""

import io

import pytest
from PIL import Image, ImageDraw
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tabular.model.problem import Limits

HEADER = ["No", "Description", "Net", "Paid"]
ROWS = [
    ["A-1", "Oak shelf", "12.50", "yes"],
    ["A-2", "Glass bolt M8", "3.75", ""],
    ["A-3", "Paint, white", "8.00", "no"],
    ["A-4", "Desk lamp with\na long flex", "44.90", "yes"],
]
XS = [60, 120, 300, 380, 450]
TOP, STEP = 100, 36


def scanned(rows):
    """Return a page's picture at 150 dpi: only the lines of a table."""
    image = Image.new("L", (1240, 1754), 255)
    draw = ImageDraw.Draw(image)
    dots = 150 / 72
    bottom = TOP + STEP * len(rows)
    for index in range(len(rows) + 1):
        y = (TOP + STEP * index) * dots
        draw.line([XS[0] * dots, y, XS[-1] * dots, y], fill=0, width=2)
    for x in XS:
        draw.line([x * dots, TOP * dots, x * dots, bottom * dots], fill=0, width=2)
    return ImageReader(image)


def page(canvas, rows, *, hidden, pictured=True):
    if pictured:
        canvas.drawImage(scanned(rows), 0, 0, *A4)
    else:
        ends = [A4[1] - TOP - STEP * index for index in range(len(rows) + 1)]
        canvas.grid(XS, ends)
    for number, row in enumerate(rows):
        for x, cell in zip(XS, row, strict=False):
            text = canvas.beginText(x + 4, A4[1] - TOP - STEP * number - 12)
            text.setFont("Helvetica", 9)
            text.setTextRenderMode(3 if hidden else 0)
            text.textLines(cell)
            canvas.drawText(text)
    canvas.showPage()


def paper(*pages, hidden=True):
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    for rows, pictured in pages:
        page(canvas, rows, hidden=hidden, pictured=pictured)
    canvas.save()
    return buffer.getvalue()


def given(rows):
    return [[cell.replace("\n", " ") or None for cell in row] for row in rows]


@pytest.mark.parametrize("hidden", [True, False], ids=["hidden text", "shown text"])
def test_a_table_whose_lines_are_pixels_is_read_by_them(read, rows_of, hidden):
    reading = read(paper(([HEADER, *ROWS], True), hidden=hidden))

    assert reading.tables[0].columns == tuple(HEADER)
    assert rows_of(reading) == given(ROWS)
    assert reading.tables[0].evidence[0].reason == "ruled cells on page 1"


def test_a_first_page_of_lines_and_a_second_of_pixels_are_one_table(read, rows_of):
    reading = read(paper(([HEADER, *ROWS], False), (ROWS, True)))

    assert len(reading.tables) == 1
    assert rows_of(reading) == given(ROWS + ROWS)


def test_a_picture_next_to_a_table_of_text_takes_nothing_from_it(read, rows_of):
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    canvas.drawImage(ImageReader(Image.new("L", (400, 300), 200)), 60, 60, 400, 300)
    for number, row in enumerate([HEADER, *ROWS[:3]]):
        for x, cell in zip(XS, row, strict=False):
            canvas.drawString(x, A4[1] - 100 - 20 * number, cell)
    canvas.save()

    assert rows_of(read(buffer.getvalue())) == given(ROWS[:3])


def test_a_huge_page_with_a_picture_is_painted_small(read, rows_of):
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(14_400, 14_400), invariant=1)
    canvas.drawImage(ImageReader(Image.new("L", (20, 20), 255)), 0, 0, 14_400, 14_400)
    for number, row in enumerate([HEADER, *ROWS[:3]]):
        for x, cell in zip(XS, row, strict=False):
            canvas.drawString(x, 700 - 20 * number, cell)
    canvas.save()

    assert rows_of(read(buffer.getvalue(), limits=Limits())) == given(ROWS[:3])
