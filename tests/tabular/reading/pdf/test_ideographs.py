"""Chinese as office programs print it: no blanks, and a text object for each font."""

import subprocess
import sys

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfgen.canvas import Canvas

from tabular.reading.pdf.grids.grid import continued

SONG, LATIN, SIZE = "STSong-Light", "Helvetica", 10
SPACE = 2.0  # points between ideographs and other letters of one cell
HEADER = ["日期", "描述", "数量", "单位"]
ROWS = [
    ["2026年11月25日", "不锈钢螺丝", "15", "立方米"],
    ["2026年03月09日", "第3代LED灯", "7", "件"],
    ["2025年12月01日", "A4复印纸", "120", "箱"],
    ["2025年01月30日", "折叠式梯子", "8", "件"],
]


@pytest.fixture
def page(tmp_path):
    """Return a function that prints rows: numbers end two points before the unit begins."""
    registerFont(UnicodeCIDFont(SONG))

    def printed(rows, *, size=SIZE):
        path = tmp_path / "list.pdf"
        canvas = Canvas(str(path), pagesize=A4, invariant=1)
        for number, (day, text, count, unit) in enumerate(rows):
            y = 700 - 16 * number
            for x, cell in ((60, day), (180, text), (302, unit)):
                write(canvas, x, y, cell, size)
            write(canvas, 300 - width(count, size), y, count, size)
        canvas.save()
        return path

    return printed


def runs(text):
    """Split a text where the font changes."""
    parts = []
    for letter in text:
        font = LATIN if letter.isascii() else SONG
        if parts and parts[-1][0] == font:
            parts[-1][1] += letter
        else:
            parts.append([font, letter])
    return parts


def width(text, size):
    return sum(stringWidth(part, font, size) for font, part in runs(text))


def write(canvas, x, y, text, size):
    """Write a text as Writer does: an object for each font, and a little space between them."""
    for font, part in runs(text):
        canvas.setFont(font, size)
        canvas.drawString(x, y, part)
        x += stringWidth(part, font, size) + SPACE


def test_a_cell_stays_whole_where_its_script_changes(read, rows_of, page):
    reading = read(page([HEADER, *ROWS]).read_bytes())

    assert list(reading.tables[0].columns) == HEADER
    assert rows_of(reading) == ROWS


def test_the_lines_of_a_chinese_text_are_joined_without_a_blank():
    assert continued(["不锈钢", "螺丝", "M8"]) == "不锈钢螺丝M8"


def test_the_lines_of_a_korean_text_are_joined_with_a_blank():
    assert continued(["접이식", "사다리"]) == "접이식 사다리"


PROGRAM = """
import ctypes
import sys
from pathlib import Path

import pypdfium2.raw as pdfium

from tabular.model.places import ReadingChoices
from tabular.model.problem import Limits
from tabular.reading.pdf import read_pdf

folders = (ctypes.POINTER(ctypes.c_char) * 2)()
folders[0] = ctypes.cast(ctypes.create_string_buffer(b"/nowhere"), ctypes.POINTER(ctypes.c_char))
pdfium.FPDF_DestroyLibrary()
pdfium.FPDF_InitLibraryWithConfig(pdfium.FPDF_LIBRARY_CONFIG(version=2, m_pUserFontPaths=folders))
reading = read_pdf(
    Path(sys.argv[1]), choices=ReadingChoices(), limits=Limits(), progress=lambda *_: None
)
print(*(issue.code for issue in reading.issues))
"""


def issues_without_fonts(path):
    """Return the codes of a file's issues on a machine that has no fonts."""
    command = [sys.executable, "-c", PROGRAM, str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def test_letters_that_no_font_can_draw_are_named_in_a_warning(read, page):
    path = page([HEADER, *ROWS])

    assert "missing_font" in issues_without_fonts(path)
    assert "missing_font" not in [issue.code for issue in read(path.read_bytes()).issues]


def test_a_latin_page_needs_no_fonts_of_the_machine(page):
    rows = [["Day", "Text", "Count", "Unit"], ["2026-11-25", " ", "15", "x"], ["1", "b", "7", "y"]]

    assert "missing_font" not in issues_without_fonts(page(rows))
