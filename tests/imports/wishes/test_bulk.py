"""Bulk work is seen before it is done, is one step of undo, and arrives as it was shown."""

import json

import pytest

from tests.imports.asked import publish_fields
from tests.imports.wishes.conftest import values

pytestmark = pytest.mark.django_db(transaction=True)  # the dispatcher's threads
DUE = {"key": "due", "columnType": "date"}
OPTIONS = [
    {"label": word, "type": "string", "value": word.split()[0].lower()}
    for word in ("Open order", "Closed order")
]
STATUS = {"key": "status", "columnType": "category", "dropdownOptions": OPTIONS}
DATES = ["25.12.2024", "24.12.2024", "23.12.2024", "12/31/2024", "12/30/2024", "garbage 7"]
ORDERS = (
    "Number,Name,Mail\nA1,Ada,\nA2,Bob,b@b.de\nA1,,a@a.de\nA1,Ada,x@a.de\nA3,Cyd,\nA2,Bob,b@b.de\n"
)


def test_an_offered_fix_mends_what_it_showed_in_one_step_and_arrives(owner, send, receiver):
    publish_fields(owner, "name", DUE)
    upload = send("Name,Due\n" + "".join(f"n{n},{day}\n" for n, day in enumerate(DATES)))
    upload.map({"Name": "p.name", "Due": "p.due"})
    before = upload.rows()
    (group,) = upload.call("get", "issues/fixes")["groups"]
    (offer,) = [fix for fix in group["fixes"] if fix["how"] == {"readAs": "mdy"}]
    fix = {"field": group["field"], "code": group["code"], **offer["how"]}

    assert (group["count"], offer["mends"]) == (3, 2)
    assert upload.change("post", "rows/fix", **fix)["counts"]["error"] == 1
    after = {row["row"]: row["values"]["p.due"] for row in upload.rows()}
    assert [(example["row"], example["after"]) for example in offer["examples"]] == [
        (row, after[row]) for row in (3, 4)]  # fmt: skip
    upload.change("post", "undo")
    assert upload.rows() == before
    upload.change("post", "redo")
    body = upload.delivered_to(receiver, invalidRows="exclude", openQuestions="dismiss")

    assert values(body, "p.due") == [(f"2024-12-{day}",) for day in (25, 24, 23, 31, 30)]


def test_an_answer_is_previewed_then_taken_in_one_step_and_arrives(owner, send, receiver):
    publish_fields(owner, "name", DUE)
    days = ["01/02/2001", "02/02/2002", "25/12/2003", "12/25/2004"]
    upload = send("Name,Due\n" + "".join(f"n{n},{day}\n" for n, day in enumerate(days)))
    upload.map({"Name": "p.name", "Due": "p.due"})
    question, before = upload.question("date_order"), upload.rows()
    preview = upload.call(
        "get", f"questions/{question['id']}/preview?value={json.dumps('mdy')}&limit=2"
    )
    rest = upload.call(
        "get", f"questions/{question['id']}/preview?value=mdy&cursor={preview['next']}"
    )
    shown = {
        item["row"]: (item["cells"][0]["now"], item["cells"][0]["then"])
        for item in preview["items"] + rest["items"]
    }

    assert preview["counts"] == {"fixed": 1, "broken": 1, "changed": 1, "unchanged": 1}
    assert upload.rows() == before
    assert upload.answer(question, "mdy").status_code == 202
    after = upload.rows()
    assert shown == {
        row: (before[row]["values"]["p.due"], after[row]["values"]["p.due"]) for row in (0, 2, 3)
    }
    upload.change("post", "undo")
    assert upload.rows() == before
    assert upload.question("date_order")["state"] == "open"
    upload.change("post", "redo")
    body = upload.delivered_to(receiver, invalidRows="include")

    assert values(body, "p.due") == [("2001-01-02",), ("2002-02-02",), (None,), ("2004-12-25",)]


def test_all_suggestions_are_taken_in_one_call_and_one_step_and_arrive(owner, send, receiver):
    publish_fields(owner, "name", STATUS, DUE)
    upload = send("Name,Status,Due\nAda,wibble,01/02/2001\nBob,open orders now,02/03/2002\n")
    upload.map({"Name": "p.name", "Status": "p.status", "Due": "p.due"})
    before, questions = upload.rows(), upload.questions(state="open")

    taken = upload.call("post", "questions/accept", status=202)["items"]
    (left,) = upload.questions(state="open")
    accepted = upload.rows()
    upload.change("post", "undo")
    assert upload.rows() == before
    assert upload.questions(state="open") == questions
    upload.change("post", "redo")
    assert upload.rows() == accepted
    body = upload.delivered_to(receiver, invalidRows="include", openQuestions="dismiss")

    assert len(questions) == 3
    assert {item["kind"] for item in taken} == {"date_order", "category_value"}
    assert left["evidence"][0] == "wibble"  # nothing stands out: a person has to decide
    assert values(body, "p.status", "p.due") == [(None, "2001-02-01"), ("open", "2002-03-02")]


@pytest.mark.parametrize(
    ("keep", "expected"),
    [
        ("first", [("A1", "Ada", None), ("A2", "Bob", "b@b.de"), ("A3", "Cyd", None)]),
        ("last", [("A1", "Ada", "x@a.de"), ("A3", "Cyd", None), ("A2", "Bob", "b@b.de")]),
        ("fullest", [("A2", "Bob", "b@b.de"), ("A1", "Ada", "x@a.de"), ("A3", "Cyd", None)]),
        ("merge", [("A1", "Ada", "a@a.de"), ("A2", "Bob", "b@b.de"), ("A3", "Cyd", None)]),
    ],
)
def test_duplicates_are_resolved_in_one_step_and_what_is_kept_arrives(
    owner, send, receiver, keep, expected
):
    number = {"key": "number", "validations": [{"validate": "unique"}]}
    publish_fields(owner, number, "name", {"key": "mail", "columnType": "email"})
    upload = send(ORDERS, autoMap="true")
    before = upload.rows()

    groups = upload.call("get", "duplicates")
    assert [item["rows"] for item in groups["items"]] == [[0, 2, 3], [1, 5]]
    assert upload.change("post", "duplicates", keep=keep)["counts"]["error"] == 0
    upload.change("post", "undo")
    assert upload.rows() == before
    upload.change("post", "redo")
    body = upload.delivered_to(receiver)

    assert values(body, "p.number", "p.name", "p.mail") == expected
