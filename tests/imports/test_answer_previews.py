"""A preview shows what an answer would do to which rows; the answer then does exactly that."""

import json

import pytest

from ledger.models import Question
from staging.models import Revision
from tests.imports.asked import Imported, publish_fields
from tests.imports.test_questions import ABOVE, AMOUNTS, OF_ALL_ROWS, STREETS, amounts

pytestmark = pytest.mark.django_db
DAYS = ["01/02/2001", "02/02/2002", "25/12/2003", "12/25/2004", "", "2005-06-07"]
OPTIONS = [{"label": text, "type": "string", "value": text} for text in ("open", "paid")]


@pytest.fixture
def dated(owner, client):
    after = {"validate": "compare", "op": "gt", "column": "signed"}
    publish_fields(
        owner,
        "name",
        {"key": "born", "columnType": "date", "validations": [{"validate": "unique"}]},
        {"key": "signed", "columnType": "date_iso"},
        {"key": "left", "columnType": "date_iso", "validations": [after]},
    )
    lines = [f"N{n},{day}" for n, day in enumerate(DAYS)]
    return Imported(client, "Name,Born\n" + "\n".join(lines) + "\n", autoMap=True)


def preview(imported, question, value, **filters):
    text = value if isinstance(value, str) else json.dumps(value)
    url = imported.url(f"questions/{question['id']}/preview")
    return imported.client.get(url, {"value": text, **filters})


def page(imported):
    body = {"limit": 500, "texts": True}
    rows = imported.client.post(imported.url("rows/query"), body, format="json").json()["rows"]
    return {row["row"]: row for row in rows}


def everything(imported, question, value):
    outcomes = ["fixed", "broken", "changed", "unchanged"]
    answer = preview(imported, question, value, outcome=outcomes, limit=500)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def assert_comes_true(imported, question, value):
    """Answer, and check that the rows match the preview."""
    answered, before = everything(imported, question, value), page(imported)
    assert imported.answer(question, value).status_code == 202
    after = page(imported)
    assert answered["counts"] is not None
    touched = {item["row"]: item for item in answered["items"]}
    for row in before:
        if before[row]["excluded"]:
            assert row not in touched
            continue
        if row not in touched:
            assert before[row]["values"] == after[row]["values"]
            continue
        for cell in touched[row]["cells"]:
            assert cell["now"] == before[row]["values"][cell["field"]]
            assert cell["then"] == after[row]["values"][cell["field"]]
        mine = {cell["field"] for cell in touched[row]["cells"]}
        for name, rows in (("issuesNow", before), ("issuesThen", after)):
            issues = [issue for issue in rows[row]["issues"] if issue["field"] in mine]
            assert [i["code"] for i in touched[row][name] if i["field"] in mine] == [
                issue["code"] for issue in issues
            ]
    return answered["counts"]


def test_the_order_of_days_is_shown_row_by_row_and_stores_nothing(dated):
    question = dated.question("date_order")
    kept = (Revision.objects.count(), Question.objects.values_list("state", "version").first())

    shown = preview(dated, question, "mdy").json()

    assert shown["counts"] == {"fixed": 1, "broken": 1, "changed": 1, "unchanged": 2}
    assert shown["effect"] == "1 row read this way; 1 row cannot be read"
    assert [(item["row"], item["outcome"], item["cells"][0]) for item in shown["items"]] == [
        (0, "changed", cell("01/02/2001", "2001-02-01", "2001-01-02")),
        (2, "broken", cell("25/12/2003", "2003-12-25", None)),
        (3, "fixed", cell("12/25/2004", None, "2004-12-25")),
    ]
    assert [item["code"] for item in shown["items"][1]["issuesThen"]] == ["not_a_date"]
    now = (Revision.objects.count(), Question.objects.values_list("state", "version").first())
    assert now == kept
    assert dated.state == "review"
    assert assert_comes_true(dated, question, "mdy") == shown["counts"]


def cell(text, now, then):
    return {"field": "p.born", "text": text, "now": now, "then": then}


def test_edits_rows_left_out_and_repeated_values_count_as_they_do_after_the_answer(dated):
    body = {
        "revision": dated.record["revision"],
        "edits": [
            {"row": 1, "field": "p.born", "text": "03/04/2010"},
            {"row": 4, "field": "p.born", "text": "2010-03-04"},
        ],
        "exclude": [2],
    }
    assert dated.client.patch(dated.url("rows"), body, format="json").status_code == 200

    counts = assert_comes_true(dated, dated.question("date_order"), "mdy")

    # The edited 03/04 becomes the fourth of March, which row 4 has: that one repeats it now.
    assert counts == {"fixed": 1, "broken": 1, "changed": 2, "unchanged": 1}


def test_pages_follow_each_other(dated):
    question = dated.question("date_order")

    first = preview(dated, question, "mdy", limit=2).json()
    second = preview(dated, question, "mdy", limit=2, cursor=first["next"]).json()

    assert [item["row"] for item in first["items"] + second["items"]] == [0, 2, 3]
    assert second["next"] is None
    only = preview(dated, question, "mdy", outcome="unchanged").json()
    assert [item["row"] for item in only["items"]] == [1, 5]


@pytest.mark.parametrize(
    ("field", "text", "kind", "values"),
    [
        ({"columnType": "float"}, "1.500\n2.250\n7\n", "decimal_separator", ["eu", "us"]),
        ({"columnType": "percentage"}, "0.19\n0.07\n1.5\n", "percent_scale", ["fraction"]),
        ({"columnType": "phone"}, "030 901820\n+49 89 23300\nx\n", "region", ["DE", "FR", None]),
        (
            {"columnType": "category", "dropdownOptions": OPTIONS},
            "open\nwibble\npaid\nwibble\n",
            "category_value",
            ["paid", None],
        ),
    ],
)
def test_an_answer_of_each_kind_about_values_comes_true(owner, client, field, text, kind, values):
    publish_fields(owner, "name", {"key": "it", **field})
    csv = "Name,It\n" + "".join(f'N{n},"{item}"\n' for n, item in enumerate(text.splitlines()))

    for value in values:
        imported = Imported(client, csv, autoMap=True, scope=f"{value}")
        counts = assert_comes_true(imported, imported.question(kind), value)
        assert sum(counts.values()) >= 2


@pytest.mark.parametrize("text", [AMOUNTS, STREETS])
def test_an_answer_about_columns_comes_true(owner, client, text):
    publish_fields(owner, *amounts(), {"key": "street", "label": "Street"})
    number = len(Imported(client, text, autoMap=True).questions()[0]["candidates"])

    for place in range(number):
        imported = Imported(client, text, autoMap=True, scope=f"{place}")
        (question,) = [q for q in imported.questions() if q["kind"] in {"column", "columns"}]
        assert_comes_true(imported, question, question["candidates"][place]["value"])


@pytest.mark.parametrize(("kind", "value"), [("decimal_separator", "us"), ("date_order", "mdy")])
def test_an_answer_about_a_text_above_the_table_comes_true_in_every_row(owner, client, kind, value):
    publish_fields(owner, *OF_ALL_ROWS)
    imported = Imported(client, ABOVE, autoMap=True)

    assert assert_comes_true(imported, imported.question(kind), value)["changed"] == 3


def test_an_answer_that_reads_the_file_again_says_its_effect_alone(owner, client):
    publish_fields(owner, "name", "city")
    imported = Imported(client, "Ada,Oslo\nBob,Rome\nCyd,Paris\n", autoMap=True)
    question = imported.question("header_row")
    candidate = question["candidates"][0]

    shown = preview(imported, question, candidate["value"]).json()

    assert (shown["counts"], shown["items"], shown["next"]) == (None, [], None)
    assert shown["effect"] == candidate["effect"]


def test_what_is_not_an_answer_or_not_a_question_of_the_import_is_refused(dated, owner, client):
    question = dated.question("date_order")
    other = Imported(client, "Name,Born\nAda,01/02/2001\n", autoMap=True)

    assert preview(dated, question, "ymd").json()["code"] == "invalid_answer"
    assert preview(other, question, "mdy").status_code == 404
    assert client.get(dated.url(f"questions/{question['id']}/preview")).status_code == 400
    assert preview(dated, question, "mdy", outcome="wibble").status_code == 400
    client.post(dated.url("cancel"))
    assert preview(dated, question, "mdy").json()["code"] == "not_waiting"
