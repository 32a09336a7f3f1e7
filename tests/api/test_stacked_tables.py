"""Sheets and files with the same header, stacked over HTTP; every row has its location."""

import json
import zipfile
from io import BytesIO

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from imports.models import ImportRecord
from imports.previews.dry_run import dry_run
from tabular.model.places import PART_ROWS
from tests.api.test_whole_walk import V1, Person, delivered, person
from tests.deliveries.conftest import make_host
from tests.receiving import assert_delivery
from workflow.worker import advance

__all__ = ["make_host", "person"]  # fixtures

HEAD = ["Day", "Amount", "Shop"]
SHEETS = {
    "Jan": [HEAD, ["2024-01-05", 10.5, "Bonn"], ["2024-01-06", 3, "Ulm"], ["Total", 13.5]],
    "Feb": [HEAD, ["2024-02-05", 7, "Bonn"], ["2024-02-06", 1.25, "Kiel"], ["Total", 8.25]],
    "Mar": [["Shop", "Amount", "Day"], ["Ulm", 5, "2024-03-01"], ["Kiel", "many", "2024-03-02"]],
}
CATALOG = {
    "key": "sales",
    "title": "Sales",
    "keySeparator": ".",
    "entries": [
        {
            "id": "sale",
            "fields": [
                {"key": "day", "label": "Day", "columnType": "date"},
                {"key": "amount", "label": "Amount", "columnType": "float"},
                {"key": "shop", "label": "Shop", "columnType": "string"},
                {"key": "month", "label": "Month", "columnType": "string"},
            ],
        }
    ],
}
MAPPING = {"Day": "sale.day", "Amount": "sale.amount", "Shop": "sale.shop", "Sheet": "sale.month"}

IN_FILES = {**{k: v for k, v in MAPPING.items() if k != "Sheet"}, "File": "sale.month"}


@pytest.fixture
def seller(person) -> Person:
    person.call("put", "catalogs/sales/draft", CATALOG)
    person.call("post", "catalogs/sales/publish")
    return person


def workbook(sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    target = BytesIO()
    book.save(target)
    return target.getvalue()


def upload(person, name="sales.xlsx", content=None, mapping=MAPPING):
    file = SimpleUploadedFile(name, content or workbook(SHEETS))
    made = person.call("post", "imports", data={"file": file}, expect=202)
    person.url = f"{V1}/imports/{made['recordId']}"
    assert person.record()["state"] == "mapping"
    if mapping:
        person.call("put", "/mapping", {"mapping": mapping}, expect=202)
    return person.record()


def places(person):
    return [(row["sheet"], row["sourceRow"]) for row in person.rows()]


IN_SHEETS = [("Jan", 1), ("Jan", 2), ("Feb", 1), ("Feb", 2), ("Mar", 1), ("Mar", 2)]


@pytest.mark.django_db(transaction=True)
def test_sheets_of_months_are_stacked_asked_about_mended_and_delivered(seller, make_host):
    host = make_host()
    secret = seller.call("post", "webhooks", {"url": host.url}, expect=201)["signingSecret"]
    upload(seller)
    assert places(seller) == IN_SHEETS
    assert seller.errors() == {(5, "not_a_number")}
    (question,) = seller.call("get", "/questions")["items"]
    assert question["kind"] == "table"
    assert question["candidates"][0]["effect"] == "6 rows with Sheet, Day, Amount, Shop"
    edit = {"row": 5, "field": "sale.amount", "text": "6"}
    seller.change("patch", "/rows", edits=[edit])
    assert seller.call("post", "/apply", {}, expect=409)["code"] == "open_questions"

    seller.call("post", f"questions/{question['id']}/answer", {"value": 3}, expect=202)
    seller.record()
    seller.call("post", "/apply", {}, expect=202)
    seller.record()

    (received,) = delivered(host)
    assert_delivery(received, url=host.url, secret=secret)
    rows = [list(row.values()) for row in json.loads(received.body)["rows"]]
    assert rows == [
        ["2024-01-05", 10.5, "Bonn", "Jan"],
        ["2024-01-06", 3, "Ulm", "Jan"],
        ["2024-02-05", 7, "Bonn", "Feb"],
        ["2024-02-06", 1.25, "Kiel", "Feb"],
        ["2024-03-01", 5, "Ulm", "Mar"],
        ["2024-03-02", 6, "Kiel", "Mar"],
    ]


@pytest.mark.django_db
def test_explain_names_the_sheet_and_the_cell_there(seller):
    upload(seller)

    story = seller.call("get", "/rows/4/explain")

    cells = {cell["field"]: cell["places"][0] for cell in story["cells"]}
    assert (story["sheet"], story["sourceRow"]) == ("Mar", 1)
    assert cells["sale.day"]["cell"] == "C2"  # its columns are in another order
    assert cells["sale.month"]["column"] is None  # it comes from no cell


@pytest.mark.django_db
def test_rows_left_out_name_their_sheet_and_are_taken_back_with_all_edits_kept(seller):
    upload(seller)
    edit = {"row": 5, "field": "sale.amount", "text": "6"}
    seller.change("patch", "/rows", edits=[edit])

    left = seller.call("get", "/left-out")["items"]
    assert [(item["sheet"], item["sourceRow"], item["reason"]) for item in left] == [
        ("Jan", 3, "total"),
        ("Feb", 3, "total"),
    ]
    seller.call("put", "/left-out", {"takeBack": [left[1]["row"]]}, expect=202)
    seller.record()

    assert places(seller) == [*IN_SHEETS[:4], ("Feb", 3), *IN_SHEETS[4:]]
    assert seller.values("sale.amount") == [10.5, 3, 7, 1.25, 8.25, 5, 6]
    assert left[1]["row"] == PART_ROWS + 3


@pytest.mark.django_db
def test_an_exported_row_that_is_corrected_finds_its_sheet_again(seller):
    upload(seller)
    book = openpyxl.load_workbook(BytesIO(seller.call("get", "/export")))
    sheet = book.active
    column = [cell.value for cell in sheet[1]].index("Amount") + 1
    assert sheet.max_row == 2
    sheet.cell(2, column).value = 6
    target = BytesIO()
    book.save(target)

    correction = seller.send("/corrections", target.getvalue())["correctionId"]
    advance(correction)
    seller.call("post", f"/corrections/{correction}/confirm")

    assert seller.values("sale.amount") == [10.5, 3, 7, 1.25, 5, 6]


@pytest.mark.django_db
def test_several_tables_are_chosen_in_the_order_they_are_named_in(seller):
    upload(seller, mapping=None)

    seller.call("put", "/reading", {"tables": [2, 0]}, expect=202)
    seller.record()
    seller.call("put", "/mapping", {"mapping": MAPPING}, expect=202)
    seller.record()

    assert places(seller) == [("Mar", 1), ("Mar", 2), ("Jan", 1), ("Jan", 2)]
    assert seller.call("get", "/questions", data={"state": "open"})["items"] == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wish", "code", "words"),
    [
        ({"tables": [0, 1]}, "unlike_headers", "these differ: amount, city, name, shop"),
        ({"tables": [0, 9]}, "unknown_table", "no table 9"),
        ({"tables": [0, 0]}, "unknown_table", "each table once"),
        ({"tables": [0], "table": 1}, "unknown_table", "each table once"),
    ],
)
def test_tables_that_cannot_be_stacked_are_refused_with_a_sentence(seller, wish, code, words):
    people = [["Name", "City", "Day"], ["Ada", "Oslo", "2024-01-01"], ["Bob", "Rom", "2024-02-01"]]
    upload(seller, content=workbook({"Jan": SHEETS["Jan"], "People": people}), mapping=None)

    refused = seller.call("put", "/reading", wish, expect=400)

    assert refused["code"] == code
    assert words in refused["detail"]
    assert seller.record()["state"] == "mapping"


@pytest.mark.django_db
def test_files_of_an_archive_are_stacked_and_rows_name_their_file(seller):
    target = BytesIO()
    with zipfile.ZipFile(target, "w") as package:
        package.writestr("2024-01.csv", "Day;Amount;Shop\n2024-01-05;3;Bonn\n2024-01-06;4;Ulm\n")
        package.writestr("2024-02.csv", "Day,Amount,Shop\n2024-02-05,5,Kiel\n2024-02-06,6,Ulm\n")

    upload(seller, "all.zip", target.getvalue(), IN_FILES)

    rows = seller.rows()
    assert [(row["member"], row["sourceRow"]) for row in rows] == [
        ("2024-01.csv", 1), ("2024-01.csv", 2), ("2024-02.csv", 1), ("2024-02.csv", 2),
    ]  # fmt: skip
    assert seller.values("sale.month") == ["2024-01.csv"] * 2 + ["2024-02.csv"] * 2
    assert seller.call("get", "/rows/3/explain")["member"] == "2024-02.csv"


@pytest.mark.django_db
def test_a_dry_run_says_where_rows_of_a_stack_are(seller):
    shown = upload(seller)
    record = ImportRecord.objects.get(public_id=shown["recordId"])
    page = {"only_errors": False, "offset": 0, "limit": 10}

    preview = dry_run(record=record, mapping=record.mapping, recipe=record.recipe, **page)

    assert [(row["sheet"], row["sourceRow"]) for row in preview.rows] == IN_SHEETS


@pytest.mark.django_db
def test_a_table_that_the_catalog_knows_alone_is_taken_without_a_question(seller):
    notes = [["Reviewer", "Verdict", "Room"], ["Ada", "fine", "12"], ["Bob", "poor", "7"]]

    upload(seller, content=workbook({"Notes": notes, "Sales": SHEETS["Jan"]}), mapping=None)

    tables = seller.call("get", "/tables")
    assert tables["tables"][tables["chosen"]]["sheet"] == "Sales"
    assert seller.call("get", "/questions")["items"] == []
