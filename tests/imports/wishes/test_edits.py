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
    def events(**asked):
        found = client.get(f"{V1}/events", {"limit": 100, **asked}).json()["items"]
        return [(item["kind"], item["actor"]["label"]) for item in found[::-1]]

    return events


@pytest.fixture
def worked_on(owner, send):
    """Return an import that several people changed and mapped again, and its rows at each step."""
    publish_fields(owner, "id", "note", {"key": "due", "columnType": "date"})
    found = send(FILE, autoMap="true")
    found.map(MAPPING)
    replace = {"inFields": ["p.note"], "find": "GREEN", "replace": "lime"}
    steps = (
        lambda: found.edit(0, "p.note", "navy", who="Bob"),
        lambda: found.map(MAPPING, UPPER, who="Eve"),
        lambda: found.edit(1, "p.id", "K9", who="Dan"),
        lambda: found.map({**MAPPING, "When": "p.due"}, UPPER, who="Eve"),
        lambda: found.answer(open_one(found, "date_order"), "mdy"),
        lambda: found.change("post", "rows/replace", **replace, who="Bob"),
    )
    found.seen = [found.rows()]
    for step in steps:
        step()
        found.seen.append(found.rows())
    return found


def open_one(found, kind):
    (asked,) = [question for question in found.questions(state="open") if question["kind"] == kind]
    return asked


def travel(found, way, steps):
    """Go through the steps one by one; each has the same rows as before."""
    for expected in steps:
        found.change("post", way)
        assert found.rows() == expected


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
    told = events(recordId=worked_on.id)
    assert [event for event in told if event[0] in {"rows.edited", "rows.replaced"}] == [
        ("rows.edited", "Bob"), ("rows.edited", "Dan"), ("rows.replaced", "Bob")]  # fmt: skip
    assert [kind for kind, _ in told].count("import.applied") == 1
    assert ("webhook.deleted", "Root") in events(kind="webhook.deleted")


def test_a_changed_value_is_marked_and_found_and_arrives(owner, send, receiver):
    publish_fields(owner, "id", "note")
    found = send("Id,Note\nK1,red\nK2,blue\nK3,green\n", autoMap="true")
    found.edit(1, "p.note", "navy")

    marked = found.rows(filter="changed")
    body = found.delivered_to(receiver)

    assert [(row["row"], row["changed"]) for row in marked] == [(1, ["p.note"])]
    assert [row["changed"] for row in found.rows()] == [[], ["p.note"], []]
    assert values(body, "p.note") == [("red",), ("navy",), ("green",)]


def test_a_value_that_is_no_option_is_named_in_rows_results_and_the_body(owner, send, receiver):
    publish_fields(owner, {"key": "name", "required": True}, SIZE)
    found = send("Name,Size\nAda,S\n,M\nBob,XXL\n", autoMap="true")
    named = [row["customOptions"] for row in found.rows()]

    body = found.delivered_to(receiver, invalidRows="exclude")

    assert named == [[], ["p.size"], ["p.size"]]
    assert body["customOptions"] == [{"row": 1, "field": "p.size", "value": "XXL"}]
    assert found.call("get", "results")["customOptions"] == body["customOptions"]
    assert values(body, "p.size") == [("S",), ("XXL",)]
