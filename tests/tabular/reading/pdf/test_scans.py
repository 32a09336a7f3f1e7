"""Pictures of tables: image files, scanned pages, and what is told of each."""

import io
import struct
import zlib

import pytest
from PIL import Image, ImageDraw
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tabular.model.problem import LimitExceeded, Limits, TabularProblem
from tabular.model.table import CONFIDENCE_COLUMN
from tabular.reading import read
from tests.scans import HEADER, ROWS, TOP, XS, picture, recogniser, saved


@pytest.fixture(scope="module")
def reader():
    with recogniser() as beside:
        yield beside


def cells(reading):
    return [
        [text for name, text in row.items() if not name.startswith("__")]
        for batch in reading.bodies[0].batches()
        for row in batch.to_pylist()
    ]


def scanned_pdf(path, page, *, hidden=()):
    """Write a PDF of one picture; hidden: rows of the text that it carries besides."""
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=A4, invariant=1)
    canvas.drawImage(ImageReader(page), 0, 0, *A4)
    for number, row in enumerate(hidden):
        for x, cell in zip(XS, row, strict=True):
            text = canvas.beginText(x * 0.24, A4[1] - (TOP + 90 * number + 40) * 0.24)
            text.setFont("Helvetica", 11)
            text.setTextRenderMode(3)
            text.textOut(cell)
            canvas.drawText(text)
    canvas.save()
    path.write_bytes(held.getvalue())
    return path


def test_a_picture_is_read_with_the_digits_that_are_alone(tmp_path, reader):
    reading = read(saved(tmp_path / "scan.png", picture()), recogniser=reader)

    assert reading.file_format == "image"
    assert list(reading.tables[0].columns) == HEADER
    assert cells(reading) == ROWS


def test_each_page_is_turned_upright(tmp_path, reader):
    page = picture()
    pages = [page, page.rotate(90, expand=True), page.rotate(180), page.rotate(1.4, fillcolor=255)]

    for number, turned in enumerate(pages):
        reading = read(saved(tmp_path / f"{number}.tiff", turned), recogniser=reader)

        assert cells(reading) == ROWS, number


def test_a_scanned_pdf_is_read_page_by_page_with_progress(tmp_path, reader):
    messages = []

    reading = read(
        scanned_pdf(tmp_path / "scan.pdf", picture()),
        recogniser=reader,
        progress=lambda *stage: messages.append(stage),
    )

    assert cells(reading) == ROWS
    assert ("recognising", 0, 1) in messages


def test_each_cell_says_how_sure_it_is_and_a_person_is_asked(tmp_path, reader):
    reading = read(saved(tmp_path / "scan.png", picture()), recogniser=reader)

    (batch,) = reading.bodies[0].batches()
    sure = [item for row in batch[CONFIDENCE_COLUMN].to_pylist() for item in row]
    assert len(sure) == len(ROWS) * len(HEADER)
    assert all(0 <= item <= 100 for item in sure)
    assert reading.tables[0].recognised == min(sure)
    assert [question.kind for question in reading.questions] == ["recognised_text"]


def test_text_that_the_file_itself_holds_has_no_confidence(tmp_path, reader):
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=A4)
    for number, row in enumerate([HEADER, *ROWS]):
        for x, cell in zip(XS, row, strict=True):
            canvas.drawString(x * 0.24, 700 - 20 * number, cell)
    canvas.save()
    path = tmp_path / "text.pdf"
    path.write_bytes(held.getvalue())

    reading = read(path, recogniser=reader)

    assert CONFIDENCE_COLUMN not in next(reading.bodies[0].batches()).schema.names
    assert reading.questions == ()


def test_a_text_that_its_picture_contradicts_is_reported(tmp_path, reader):
    other = [[cell[::-1] for cell in row] for row in ROWS]

    reading = read(
        scanned_pdf(tmp_path / "scan.pdf", picture(), hidden=[HEADER, *other]), recogniser=reader
    )

    assert "text_layer_differs" in [issue.code for issue in reading.issues]
    assert "recognised_text" in [question.kind for question in reading.questions]


def test_a_text_that_its_picture_shows_is_not_reported(tmp_path, reader):
    reading = read(
        scanned_pdf(tmp_path / "scan.pdf", picture(), hidden=[HEADER, *ROWS]), recogniser=reader
    )

    assert "text_layer_differs" not in [issue.code for issue in reading.issues]
    assert reading.questions == ()


def test_handwriting_is_never_read_as_if_it_were_sure(tmp_path, reader):
    page = picture([HEADER])
    draw = ImageDraw.Draw(page)
    for number in range(1, 7):
        for x in XS:
            y = TOP + 90 * number
            for stroke in range(5):
                left = x + 34 * stroke
                draw.arc([left, y - 8, left + 60, y + 52], 20 * stroke, 290, fill=60, width=4)
    path = saved(tmp_path / "hand.png", page)

    codes = found_in(path, reader)

    assert codes & {"no_table_found", "marks_not_recognised", "page_hardly_recognised"}


def found_in(path, reader):
    """Return the codes of the issues of a file, or of the problem that stops it."""
    try:
        return {issue.code for issue in read(path, recogniser=reader).issues}
    except TabularProblem as problem:
        return {problem.code}


def test_a_picture_of_a_huge_size_is_refused_before_it_is_unpacked(tmp_path, reader):
    def chunk(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", 50_000, 50_000, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes(6_251) * 100)
    path = tmp_path / "bomb.png"
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    )

    with pytest.raises(TabularProblem) as refusal:
        read(path, recogniser=reader)

    assert refusal.value.code == "too_large"
    assert "50,000 by 50,000" in refusal.value.sentence


def test_a_scanned_page_with_a_huge_picture_is_refused(tmp_path, reader):
    path = scanned_pdf(tmp_path / "bomb.pdf", Image.new("1", (12_000, 12_000), 1))

    with pytest.raises(TabularProblem) as refusal:
        read(path, recogniser=reader)

    assert refusal.value.code == "too_large"


def test_a_tiff_of_ten_thousand_pages_is_refused(tmp_path, reader):
    tags = [(256, 1), (257, 1), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (279, 1)]
    size = 2 + 12 * len(tags) + 4
    body = b"II*\0" + struct.pack("<I", 8)
    for number in range(10_000):
        entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
        after = 8 + size * (number + 1) if number < 9_999 else 0
        body += struct.pack("<H", len(tags)) + entries + struct.pack("<I", after)
    path = tmp_path / "pages.tiff"
    path.write_bytes(body)

    with pytest.raises(LimitExceeded) as refusal:
        read(path, recogniser=reader, limits=Limits(pages=500))

    assert refusal.value.details["limit"] == "pages"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF"])
def test_half_a_picture_is_refused(tmp_path, reader, kind):
    held = io.BytesIO()
    picture().resize((620, 877)).save(held, kind)
    path = tmp_path / "half"
    path.write_bytes(held.getvalue()[: len(held.getvalue()) // 2])

    with pytest.raises(TabularProblem) as refusal:
        read(path, recogniser=reader)

    assert refusal.value.code == "damaged_file"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF"])
def test_a_picture_is_refused_where_recognition_is_off(tmp_path, kind):
    path = tmp_path / "scan"
    picture().save(path, kind)

    with pytest.raises(TabularProblem) as refusal:
        read(path)

    assert refusal.value.code == "unsupported_format"


def test_an_empty_page_holds_no_table(tmp_path, reader):
    path = saved(tmp_path / "blank.png", Image.new("L", (2480, 3508), 255))

    with pytest.raises(TabularProblem) as refusal:
        read(path, recogniser=reader)

    assert refusal.value.code == "no_table_found"
