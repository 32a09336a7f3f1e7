"""Edits are undone, accounted for and marked whatever happened since, from file to receiver."""

import pytest

from tests.imports.asked import V1, publish_fields
from tests.imports.wishes.conftest import values

pytestmark = pytest.mark.django_db(transaction=True)  # the dispatcher's threads
UPPER = {"do": "case", "columns": ["Note"], "to": "upper"}
MAPPING = {"Id": "p.id", "Note": "p.note"}
FILE = "Id;Note;When\nK1;red;01/02/2024\nK2;blue;03/04/2024\nK3;green;05/06/2024\n"
SIZES = [{"label": "Small", "type": "string", "value": "S"}]
SIZE = {"key": "size", "columnType": "category", "dropdownOptions": SIZES,
        "allowCustomOptions": True}  # fmt: skip


@pytest.fixture
def events(client):
    def events(**filters):
        items = client.get(f"{V1}/events", {"limit": 100, **filters}).json()["items"]
        return [(item["kind"], item["actor"]["label"]) for item in items[::-1]]

    return events


@pytest.fixture
def worked_on(owner, send):
    """Return an import that several people changed and mapped again, and its rows at each step."""
    publish_fields(owner, "id", "note", {"key": "due", "columnType": "date"})
    upload = send(FILE, autoMap="true")
    upload.map(MAPPING)
    replace = {"inFields": ["p.note"], "find": "GREEN", "replace": "lime"}
    steps = (
        lambda: upload.edit(0, "p.note", "navy", who="Bob"),
        lambda: upload.map(MAPPING, UPPER, who="Eve"),
        lambda: upload.edit(1, "p.id", "K9", who="Dan"),
        lambda: upload.map({**MAPPING, "When": "p.due"}, UPPER, who="Eve"),
        lambda: upload.answer(open_one(upload, "date_order"), "mdy"),
        lambda: upload.change("post", "rows/replace", **replace, who="Bob"),
    )
    upload.seen = [upload.rows()]
    for step in steps:
        step()
        upload.seen.append(upload.rows())
    return upload


def open_one(upload, kind):
    (open_question,) = [
        question for question in upload.questions(state="open") if question["kind"] == kind
    ]
    return open_question


def travel(upload, way, steps):
    """Go through the steps one by one; each has the same rows as before."""
    for expected in steps:
        upload.change("post", way)
        assert upload.rows() == expected


def test_undo_leads_to_the_beginning_and_what_is_redone_arrives(worked_on, receiver):
    first, *later = worked_on.seen

    travel(worked_on, "undo", [*later[-2::-1], first])
    while worked_on.record["revision"] > 1:
        worked_on.change("post", "undo")
    assert worked_on.change("post", "undo", status=409)["code"] == "nothing_to_undo"
    while worked_on.rows() != first:
        worked_on.change("post", "redo")
    travel(worked_on, "redo", later)
    assert worked_on.change("post", "redo", status=409)["code"] == "nothing_to_redo"
    body = worked_on.delivered_to(receiver)

    assert values(body, "p.id", "p.note", "p.due") == [
        ("K1", "navy", "2024-01-02"),
        ("K9", "BLUE", "2024-03-04"),
        ("K3", "lime", "2024-05-06"),
    ]


def test_what_is_undone_does_not_arrive(worked_on, receiver):
    first, *later = worked_on.seen
    travel(worked_on, "undo", [*later[-2::-1], first])

    body = worked_on.delivered_to(receiver)

    assert values(body, "p.id", "p.note") == [("K1", "red"), ("K2", "blue"), ("K3", "green")]


def test_what_arrives_is_accounted_for_by_name(worked_on, receiver, events, client):
    worked_on.delivered_to(receiver)
    stories = [
        [
            (edit["by"]["label"], edit["previous"], edit["text"])
            for edit in worked_on.call("get", f"rows/{row}/explain")["edits"]
        ]
        for row in range(3)
    ]
    client.delete(f"{V1}/webhooks/{receiver.webhook}", HTTP_X_IMPORT_ACTOR="Root")

    assert stories == [[("Bob", "red", "navy")], [("Dan", "K2", "K9")], [("Bob", "GREEN", "lime")]]
    log = events(recordId=worked_on.id)
    assert [event for event in log if event[0] in {"rows.edited", "rows.replaced"}] == [
        ("rows.edited", "Bob"), ("rows.edited", "Dan"), ("rows.replaced", "Bob")]  # fmt: skip
    assert [kind for kind, _ in log].count("import.applied") == 1
    assert ("webhook.deleted", "Root") in events(kind="webhook.deleted")


def test_a_changed_value_is_marked_and_found_and_arrives(owner, send, receiver):
    publish_fields(owner, "id", "note")
    upload = send("Id,Note\nK1,red\nK2,blue\nK3,green\n", autoMap="true")
    upload.edit(1, "p.note", "navy")

    marked = upload.rows(filter="changed")
    body = upload.delivered_to(receiver)

    assert [(row["row"], row["changed"]) for row in marked] == [(1, ["p.note"])]
    assert [row["changed"] for row in upload.rows()] == [[], ["p.note"], []]
    assert values(body, "p.note") == [("red",), ("navy",), ("green",)]


def test_a_value_that_is_not_an_option_is_named_in_rows_results_and_the_body(owner, send, receiver):
    publish_fields(owner, {"key": "name", "required": True}, SIZE)
    upload = send("Name,Size\nAda,S\n,M\nBob,XXL\n", autoMap="true")
    named = [row["customOptions"] for row in upload.rows()]

    body = upload.delivered_to(receiver, invalidRows="exclude")

    assert named == [[], ["p.size"], ["p.size"]]
    assert body["customOptions"] == [{"row": 1, "field": "p.size", "value": "XXL"}]
    assert upload.call("get", "results")["customOptions"] == body["customOptions"]
    assert values(body, "p.size") == [("S",), ("XXL",)]
