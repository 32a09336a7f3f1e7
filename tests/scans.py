"""Pictures of tables, and the recognition that reads them: tesseract, as the machine has it."""

import io
import os
from contextlib import contextmanager

import pypdfium2
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from sandbox.recognition import NoRecognition, recognition_for
from tabular.job.recognising import RecognitionProcess
from tabular.model.problem import Limits

HEADER = ["Item", "Description", "Qty", "Price"]
ROWS = [
    ["A-1001", "Steel bolt", "4", "12.50"],
    ["A-1002", "Copper pipe", "7", "3.75"],
    ["A-1003", "Brass hinge", "15", "108.00"],
    ["A-1004", "Desk lamp", "2", "44.90"],
    ["A-1005", "Paint brush", "9", "8.05"],
    ["A-1006", "Oak shelf", "3", "62.10"],
]
XS, TOP, STEP = [240, 560, 1180, 1460], 300, 90
POINTS = 72 / 300  # of a pixel


def picture(rows=(HEADER, *ROWS)):
    """Return a page with a table, as a scanner at 300 dots per inch gives it."""
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=A4, invariant=1)
    canvas.setFont("Helvetica", 11)
    for number, row in enumerate(rows):
        for x, cell in zip(XS, row, strict=True):
            canvas.drawString(x * POINTS, A4[1] - (TOP + STEP * number + 40) * POINTS, cell)
    canvas.save()
    document = pypdfium2.PdfDocument(held.getvalue())
    page = document[0].render(scale=1 / POINTS).to_pil().convert("L")
    document.close()
    return page


def saved(path, *pages):
    """Write pages to a file of the format that its name says."""
    more = {"save_all": True, "append_images": list(pages[1:])} if len(pages) > 1 else {}
    pages[0].save(path, dpi=(300, 300), **more)
    return path


def recognition(**members):
    """Return how this machine recognises English; skip where it cannot, but never in CI."""
    try:
        return recognition_for(("eng",), **members)
    except NoRecognition as missing:
        if os.environ.get("IMPORT_CI"):
            raise
        pytest.skip(str(missing))


@contextmanager
def recogniser(about=None, limits=Limits()):  # noqa: B008  (frozen)
    """Yield a process that recognises text; it ends with the block."""
    process = RecognitionProcess(about or recognition(), limits, strict=False)
    try:
        yield process
    finally:
        process.end()
