"""What is left out of a table is on record with its reason, and can be taken back."""

import datetime as dt

import pyarrow as pa
import pytest
from openpyxl import Workbook

from tabular.job.read import read as read_job
from tabular.model.places import ReadingChoices
from tabular.model.problem import Limits
from tabular.model.table import SkippedRow, silent
from tabular.protocol.requests import ReadRequest
from tabular.reading import read
from tabular.reading.text import read_text
from tabular.reading.workbook import tables as workbook_tables

HEADER = "id,name,day,amount\n"
BODY = "".join(f"{n},part {n},2024-05-{n % 28 + 1:02},{n}.50\n" for n in range(1, 301))
TEXT = (
    "Stock of May,,,\n"  # 0
    f"{HEADER}"  # 1
    f"{BODY}"  # 2 to 301
    ",,,\n"  # 302
    f"{HEADER}"  # 303
    f"{BODY}"  # 304 to 603
    ",,,\n"  # 604
    "Source: the shop,,,\n"  # 605
)
EXPECTED = [
    SkippedRow(0, "preamble", ("Stock of May",)),
    SkippedRow(302, "blank"),
    SkippedRow(303, "repeated_header", ("id", "name", "day", "amount")),
    SkippedRow(604, "blank"),
    SkippedRow(605, "footer", ("Source: the shop",)),
]


def body_of(path, *, whole_bytes=1 << 30, **choices):
    made = ReadingChoices(**choices)
    reading = read_text(
        path, choices=made, limits=Limits(), progress=silent, whole_bytes=whole_bytes
    )
    return reading.bodies[0]


def numbers_of(body):
    return [row for batch in body.batches() for row in batch.column(0).to_pylist()]


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "stock.csv"
    path.write_text(TEXT, "utf-8")
    return path


@pytest.fixture
def stray(tmp_path):
    path = tmp_path / "stray.csv"
    path.write_text(TEXT.replace("part 7,", '7" part,'), "utf-8")
    return path


@pytest.fixture
def sheet(tmp_path):
    book = Workbook()
    for number, line in enumerate(TEXT.splitlines()):
        cells = [cell or None for cell in line.split(",")]
        if number > 1 and cells[0] and cells[0].isdigit():
            cells = [int(cells[0]), cells[1], dt.date.fromisoformat(cells[2]), float(cells[3])]
        book.active.append(cells)
    path = tmp_path / "stock.xlsx"
    book.save(path)
    return path


def every_reader(text, stray, sheet, monkeypatch, **choices):
    """Yield the same rows read whole, by Arrow, tolerantly, and as a sheet whole and streamed."""
    yield body_of(text, **choices)
    yield body_of(text, whole_bytes=0, **choices)
    yield body_of(stray, whole_bytes=0, **choices)
    yield read(sheet, choices=ReadingChoices(**choices)).bodies[0]
    monkeypatch.setattr(workbook_tables, "WHOLE_CELLS", 0)
    yield read(sheet, choices=ReadingChoices(**choices)).bodies[0]


def test_every_reader_says_the_same_about_what_it_left_out(text, stray, sheet, monkeypatch):
    for body in every_reader(text, stray, sheet, monkeypatch):
        data = numbers_of(body)

        assert list(body.skipped_rows()) == EXPECTED
        rows = [1, *data, *(left.row for left in body.skipped_rows())]  # 1 is the header
        assert sorted(rows) == list(range(606))


@pytest.mark.parametrize("row", [0, 302, 303, 605])
def test_a_row_that_is_taken_back_is_data_in_its_place(text, stray, sheet, monkeypatch, row):
    for body in every_reader(text, stray, sheet, monkeypatch, restored=(row,)):
        data = numbers_of(body)

        assert row in data
        assert data == sorted(data)
        assert [left.row for left in body.skipped_rows()] == [
            left.row for left in EXPECTED if left.row != row
        ]


def test_a_footer_that_adds_up_is_a_total(tmp_path):
    path = tmp_path / "sum.csv"
    path.write_text("part,qty\nbolt,2\nnut,3\npin,4\nTotal,9\n", "utf-8")

    assert list(body_of(path).skipped_rows()) == [SkippedRow(4, "total", ("Total", "9"))]


def test_the_step_writes_all_of_them_and_shows_the_first(tmp_path, text):
    request = ReadRequest(input=str(text), choices=ReadingChoices(restored=(303,)))
    (tmp_path / "out").mkdir()

    result = read_job(request, tmp_path, silent)

    with pa.memory_map(str(tmp_path / "out" / "left-out.arrow")) as source:
        kept = pa.ipc.open_file(source).read_all().to_pylist()
    assert [(row["__row__"], row["reason"]) for row in kept] == [
        (left.row, left.reason) for left in EXPECTED if left.row != 303
    ]
    assert kept[-1]["cells"] == ["Source: the shop"]
    assert result.left_out == {"preamble": 1, "blank": 2, "footer": 1}
    assert [left.row for left in result.tables[0].left_out] == [0, 302, 604, 605]
    assert result.rows == 601
