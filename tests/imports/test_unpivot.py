"""One measure spread over columns is recognised, and making rows of it is asked about."""

import pytest

from tests.imports.asked import Imported, publish_fields

pytestmark = pytest.mark.django_db
MONTHS = "Product,Jan,Feb,Mar,Apr\nBolt,10,20,,40\nNut,5,6,7,8\n"
SOLD = (
    "product",
    {"key": "month", "label": "Month", "columnType": "string"},
    {"key": "units", "label": "Units", "columnType": "int", "required": True},
)
WANTED = {"name": "p.month", "value": "p.units"}


@pytest.fixture
def sold(owner):
    publish_fields(owner, *SOLD)


def test_the_question_says_what_becomes_of_the_rows(sold, client):
    question = Imported(client, MONTHS).question("unpivot")

    assert (question["columns"], question["default"]) == (["Jan", "Feb", "Mar", "Apr"], WANTED)
    effects = {str(c["value"]): c["effect"] for c in question["candidates"]}
    assert effects == {
        str(WANTED): "2 rows become 7 rows, one for each filled cell of Jan, Feb ... Apr",
        "None": "4 columns are skipped; 2 rows stay",
    }


def test_an_automatic_import_shows_the_rows_and_waits_for_the_answer(sold, client):
    imported = Imported(client, MONTHS, autoMap=True)

    assert imported.state == "review"
    assert imported.values("p.month") == ["Jan", "Feb", "Apr", "Jan", "Feb", "Mar", "Apr"]
    assert imported.values("p.units") == [10, 20, 40, 5, 6, 7, 8]
    assert imported.values("p.product") == ["Bolt"] * 3 + ["Nut"] * 4
    assert imported.apply(applyMode="browser").json()["code"] == "open_questions"


def test_to_leave_the_columns_as_they_are_is_an_answer(sold, client):
    imported = Imported(client, MONTHS, autoMap=True)

    imported.answer(imported.question("unpivot"), None)

    assert imported.mapping()["mapping"] == {"Product": "p.product"}
    assert imported.mapping()["recipe"] is None


def test_the_answer_is_remembered(sold, client):
    first = Imported(client, MONTHS, autoMap=True)
    first.answer(first.question("unpivot"), WANTED)
    first.finish()

    again = Imported(client, MONTHS, autoMap=True)

    assert again.question("unpivot")["learnedFrom"].startswith("ans_")
    assert again.record["counts"]["rows"] == 7


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("2022,2023", ["2022", "2023"]),
        ("Q1,Q2,Q3,Q4", ["Q1", "Q2", "Q3", "Q4"]),
        ("Januar,Februar,März", ["Januar", "Februar", "März"]),
        ("Sales 2021,Sales 2022,Sales 2023", ["Sales 2021", "Sales 2022", "Sales 2023"]),
    ],
)
def test_years_quarters_and_months_of_other_languages_are_series(sold, client, header, columns):
    cells = ",".join(f"{number}5" for number in range(1, len(columns) + 1))
    imported = Imported(client, f"Product,{header}\nBolt,{cells}\nNut,{cells}\n")

    assert imported.question("unpivot")["columns"] == columns


def test_a_column_for_each_option_of_a_field_is_a_series(owner, client):
    options = [
        {"label": n, "type": "string", "value": n.lower()} for n in ("North", "South", "East")
    ]
    region = {"key": "region", "columnType": "category", "dropdownOptions": options}
    publish_fields(owner, "product", region, {"key": "units", "columnType": "int"})

    text = "Product,North,South,East\nBolt,1,2,3\nNut,4,5,6\n"
    imported = Imported(client, text, autoMap=True)

    assert imported.question("unpivot")["default"] == {"name": "p.region", "value": "p.units"}
    assert imported.values("p.region") == ["north", "south", "east"] * 2


@pytest.mark.parametrize(
    "fields",
    [
        ("product", {"key": "units", "columnType": "int"}),  # nothing for the names
        ("product", {"key": "month", "columnType": "string"}),  # nothing for the values
        ("product", *({"key": m, "columnType": "int"} for m in ("jan", "feb", "mar", "apr"))),
    ],
)
def test_nothing_is_asked_where_the_catalog_wants_it_otherwise(owner, client, fields):
    publish_fields(owner, *fields)

    assert [q["kind"] for q in Imported(client, MONTHS).questions() if q["kind"] == "unpivot"] == []


def test_columns_of_text_are_not_measures(sold, client):
    imported = Imported(client, MONTHS.replace("10,20,,40", "a,b,,d").replace("5,6,7,8", "e,f,g,h"))

    assert "unpivot" not in {q["kind"] for q in imported.questions()}


@pytest.mark.parametrize(
    "value",
    [3, "p.month", {"name": "p.month"}, {"name": "p.units", "value": "p.units"},
     {"name": "p.nope", "value": "p.units"}],
)  # fmt: skip
def test_an_answer_that_does_not_fit_is_refused(sold, client, value):
    imported = Imported(client, MONTHS)

    refused = imported.answer(imported.question("unpivot"), value)

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_answer")
