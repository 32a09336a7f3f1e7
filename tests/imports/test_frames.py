"""A page next to its rows: what was taken and left out, and a person who moves frame or columns."""

import base64
import io
from dataclasses import replace

import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.conftest import carry_on
from tests.jobs import run_job_here
from tests.scans import picture, recognition, saved

pytestmark = pytest.mark.django_db
HEADER = ["Item", "Description", "Qty", "Price"]
ROWS = [
    ["A-1001", "Steel bolt", "4", "12.50"],
    ["A-1002", "Copper pipe", "7", "3.75"],
    ["A-1003", "Brass hinge", "15", "108.00"],
    ["A-1004", "Desk lamp", "2", "44.90"],
]
NOTES = ["Our", "Their"]
XS, TOP, STEP = [72, 160, 330, 420], 120, 22


def priced(path, *, turn=0, pages=1):
    """Write a price list with a note below; turn: degrees by which its pages are turned."""
    canvas = Canvas(str(path), pagesize=A4, invariant=1)
    for number in range(pages):
        canvas.setPageRotation(turn)
        canvas.setFont("Helvetica", 11)
        for line, row in enumerate([HEADER, *ROWS]):
            for x, cell in zip(XS, row, strict=True):
                canvas.drawString(x, A4[1] - TOP - STEP * line, cell)
        canvas.drawString(XS[0], 90, f"{NOTES[number]} prices are valid until the end of May.")
        canvas.showPage()
    canvas.save()
    return path


@pytest.fixture
def send(owner, client, monkeypatch):
    """Return a function that imports a file; jobs run in this process."""

    def here(folder, request, **members):
        return run_job_here(folder, request, **members)

    monkeypatch.setattr("imports.previews.pages.run_job", here)
    publish_fields(owner, "item", "description", {"key": "qty", "columnType": "int"}, "price")

    def send(path):
        with path.open("rb") as file:
            answer = client.post(f"{V1}/imports", {"file": file, "autoMap": "true"})
        return Imported.of(client, carry_on(client, answer.json()["recordId"]))

    return send


def table_of(imported):
    tables = imported.client.get(imported.url("tables")).json()
    return tables["tables"][tables["chosen"]]


def page_of(imported, number=1, table=0, **query):
    return imported.client.get(imported.url(f"tables/{table}/page/{number}"), query)


def read_by(imported, frames):
    answer = imported.put("reading", {"frames": frames})
    assert answer.status_code == 202, answer.json()
    return table_of(imported)


def image_of(shown):
    return Image.open(io.BytesIO(base64.b64decode(shown["image"])))


def test_a_table_says_where_it_is_on_each_page(tmp_path, send):
    (frame, _) = table_of(send(priced(tmp_path / "prices.pdf", pages=2)))["frames"]

    left, top, right, bottom = frame["box"]
    assert frame["page"] == 1
    assert left <= XS[0] < XS[3] < right
    assert top <= TOP < TOP + 4 * STEP < bottom + 2
    assert len(frame["columns"]) == len(HEADER) + 1
    assert XS[0] < frame["columns"][1] < XS[1]


def test_a_page_shows_what_was_taken_and_what_was_left_out(tmp_path, send):
    imported = send(priced(tmp_path / "prices.pdf", pages=2))

    shown = page_of(imported, 2).json()

    assert (shown["page"], shown["pages"]) == (2, 2)
    assert [row["cells"] for row in shown["rows"]] == ROWS
    assert all(TOP - 12 < row["box"][1] < TOP + 5 * STEP for row in shown["rows"])
    assert [left["text"] for left in shown["leftOut"]] == [
        "Item | Description | Qty | Price",
        "Their prices are valid until the end of May.",
    ]
    picture = image_of(shown)
    assert picture.width / picture.height == pytest.approx(A4[0] / A4[1], abs=0.01)
    assert (shown["width"], shown["height"]) == pytest.approx(A4, abs=1)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_boxes_fit_the_picture_however_the_page_is_turned(tmp_path, send, turn):
    shown = page_of(send(priced(tmp_path / "prices.pdf", turn=turn))).json()

    painted = image_of(shown).convert("L")
    scale = painted.width / shown["width"]
    for row in shown["rows"]:
        sides = [round(side * scale) for side in row["box"]]
        assert painted.crop(sides).getextrema()[0] < 128, "no ink in the box of a row"
    ink = painted.crop((0, 0, painted.width, round((TOP - 14) * scale)))
    assert ink.getextrema()[0] > 128, "ink where the page is empty"


def test_a_column_line_that_is_taken_away_joins_two_columns(tmp_path, send):
    imported = send(priced(tmp_path / "prices.pdf"))
    (frame,) = table_of(imported)["frames"]

    table = read_by(
        imported, [{**frame, "columns": [*frame["columns"][:1], *frame["columns"][2:]]}]
    )

    assert table["columns"] == ["Item Description", "Qty", "Price"]
    assert table["preview"][0] == ["A-1001 Steel bolt", "4", "12.50"]


def test_a_column_line_that_is_moved_cuts_words(tmp_path, send):
    imported = send(priced(tmp_path / "prices.pdf"))
    (frame,) = table_of(imported)["frames"]
    columns = [frame["columns"][0], XS[1] + 27, *frame["columns"][2:]]

    table = read_by(imported, [{**frame, "columns": columns}])

    assert table["preview"][0][:2] == ["A-1001 Steel", "bolt"]


def test_a_smaller_frame_leaves_rows_out(tmp_path, send):
    imported = send(priced(tmp_path / "prices.pdf"))
    (frame,) = table_of(imported)["frames"]
    left, top, right, _ = frame["box"]

    table = read_by(imported, [{**frame, "box": [left, top, right, TOP + 2 * STEP + 4]}])

    assert table["preview"] == ROWS[:2]
    assert [issue for issue in table_issues(imported) if "not read" in issue] == []


def table_issues(imported):
    return [
        issue["message"] for issue in imported.client.get(imported.url("tables")).json()["issues"]
    ]


def test_the_frames_that_were_found_give_the_same_table(tmp_path, send):
    imported = send(priced(tmp_path / "prices.pdf", pages=2))
    shown = table_of(imported)

    table = read_by(imported, shown["frames"])

    assert table["frames"] == shown["frames"]
    assert (table["columns"], table["preview"]) == (shown["columns"], shown["preview"])
    assert table["rowCount"] == 2 * len(ROWS)


def test_a_frame_without_text_changes_nothing(tmp_path, send):
    imported = send(priced(tmp_path / "prices.pdf"))
    nothing = [{"page": 1, "box": [10, 10, 30, 30], "columns": [10, 30]}]

    assert read_by(imported, nothing)["preview"] == ROWS


@pytest.mark.parametrize(
    ("frame", "pointer"),
    [
        ({"page": 1, "box": [30, 10, 10, 30], "columns": [10, 30]}, "/frames/0/box"),
        ({"page": 1, "box": [10, 10, 30, 30], "columns": [30, 10]}, "/frames/0/columns"),
        ({"page": 0, "box": [10, 10, 30, 30], "columns": [10, 30]}, "/frames/0/page"),
        ({"page": 1, "box": [10, 10, 30], "columns": [10, 30]}, "/frames/0/box"),
    ],
)
def test_a_frame_without_an_inside_is_refused(tmp_path, send, frame, pointer):
    imported = send(priced(tmp_path / "prices.pdf"))

    answer = imported.put("reading", {"frames": [frame]})

    assert answer.status_code == 400
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


def test_frames_with_different_columns_are_refused(tmp_path, send):
    imported = send(priced(tmp_path / "prices.pdf", pages=2))
    frame, other = table_of(imported)["frames"]

    answer = imported.put("reading", {"frames": [frame, {**other, "columns": [10, 20]}]})

    assert answer.status_code == 400


def test_a_part_of_a_page_is_a_picture_alone(tmp_path, send):
    shown = page_of(send(priced(tmp_path / "prices.pdf")), box="70,105,130,125").json()

    assert shown["rows"] == shown["leftOut"] == shown["frames"] == []
    assert (shown["width"], shown["height"]) == pytest.approx((64, 24), abs=1)
    assert image_of(shown).convert("L").getextrema()[0] < 128


def test_a_row_names_the_picture_of_each_of_its_cells(tmp_path, send):
    imported = send(priced(tmp_path / "prices.pdf"))
    story = imported.client.get(imported.url("rows/0/explain")).json()
    (item,) = [cell for cell in story["cells"] if cell["field"] == "p.item"]

    shown = imported.client.get(imported.url(item["places"][0]["clip"])).json()

    assert image_of(shown).convert("L").getextrema()[0] < 128


@pytest.mark.parametrize("box", ["1,2,3", "a,b,c,d", "5,5,1,9", "nan,1,2,3", "-1,0,5,5"])
def test_a_part_of_a_page_has_four_sides(tmp_path, send, box):
    assert page_of(send(priced(tmp_path / "prices.pdf")), box=box).status_code == 400


@pytest.mark.parametrize(("table", "page"), [(0, 2), (0, 0), (3, 1)])
def test_a_page_or_a_table_that_is_not_there_is_not_found(tmp_path, send, table, page):
    answer = page_of(send(priced(tmp_path / "prices.pdf")), page, table)

    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_page")


def test_a_file_without_pages_has_none_to_show(tmp_path, send):
    path = tmp_path / "rows.csv"
    path.write_text("item,description,qty,price\nA,B,1,2\n")

    answer = page_of(send(path))

    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_page")


def test_a_scan_is_shown_upright_as_it_was_read(tmp_path, send, monkeypatch):
    about = recognition()

    def recognising(folder, request, **members):
        return run_job_here(folder, replace(request, recognition=about), **members)

    monkeypatch.setattr("sandbox.bench.run_job", recognising)
    imported = send(saved(tmp_path / "scan.png", picture().rotate(90, expand=True)))

    shown = page_of(imported).json()

    painted = image_of(shown).convert("L")
    assert painted.height > painted.width
    scale = painted.width / shown["width"]
    (first, *_) = shown["rows"]
    assert first["cells"][0] == "A-1001"
    assert painted.crop([round(side * scale) for side in first["box"]]).getextrema()[0] < 128
