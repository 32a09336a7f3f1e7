"""A host that sets values in rows that it checks: validated, marked, undoable, never endless."""

import json

import pytest

from deliveries.models import Delivery
from imports.host_checks.answers import follow_due
from tests.imports.conftest import carry_on
from tests.references.conftest import (
    V1,
    apply,
    bodies_of,
    bring,
    host_answers,
    issues,
    published,
    webhook,
)

__all__ = ["apply", "bring", "issues", "published", "webhook"]  # fixtures
pytestmark = pytest.mark.django_db
NO, CITY, SUM = "order.no", "order.city", "order.sum"
TABLE = {NO: ["1", "2", "3"], CITY: ["Ulm", "Bon", "Ulm"], SUM: ["1,50", "2,50", "3,50"]}
FIELDS = [
    {"key": "no"},
    {"key": "city", "validations": [{"validate": "regex", "regex": "[A-ZÄÖÜ].*"}]},
    {"key": "sum", "columnType": "float"},
]


@pytest.fixture
def checked(published, webhook, bring):
    """Bring a table to review that one host receives and another checks; return the record."""

    def checked(table=TABLE):
        published([{"id": "order", "label": "Order", "fields": FIELDS}])
        webhook("submit", path="submit")
        webhook("check", path="check")
        return bring(table)

    return checked


def sets(*values, results=(), content=None):
    """Answer the checks that wait. values: row, field, value."""
    named = ("row", "field", "value")
    answer = {
        "results": list(results),
        "set": [dict(zip(named, value, strict=True)) for value in values],
    }
    content = json.dumps(answer).encode() if content is None else content
    host_answers(200, action="check", content=content)
    follow_due()


@pytest.fixture
def rows(client):
    def rows(record):
        body = {"view": {"filter": "all"}, "limit": 9}
        address = f"{V1}/imports/{record['recordId']}/rows/query"
        return client.post(address, body, format="json").json()["rows"]

    return rows


@pytest.fixture
def read(client):
    def read(record):
        return client.get(f"{V1}/imports/{record['recordId']}").json()

    return read


@pytest.fixture
def move(client, read):
    """Undo or redo, and let the engine follow up."""

    def move(record, way):
        address = f"{V1}/imports/{record['recordId']}/{way}"
        done = client.post(address, {"revision": read(record)["revision"]}, format="json")
        assert done.status_code == 200, done.content
        follow_due()

    return move


def cells(rows, path):
    return [row["values"][path] for row in rows]


def messages(rows):
    return [[issue["message"] for issue in row["issues"]] for row in rows]


def test_a_value_that_a_host_sets_is_in_the_row_and_names_the_former_one(checked, rows, apply):
    record = checked()

    sets((1, CITY, "Bonn"))
    sets()

    assert cells(rows(record), CITY) == ["Ulm", "Bonn", "Ulm"]
    assert messages(rows(record)) == [[], ["The receiving system changed “Bon” to “Bonn”."], []]
    apply(record)
    (body,) = bodies_of(record)
    assert body["rows"][1][CITY] == "Bonn"


def test_the_story_of_a_cell_names_the_webhook_that_set_it(checked, client):
    record = checked()

    sets((1, CITY, "Bonn"))

    story = client.get(f"{V1}/imports/{record['recordId']}/rows/1/explain").json()
    (edit,) = story["edits"]
    assert (edit["field"], edit["previous"], edit["text"]) == (CITY, "Bon", "Bonn")
    assert edit["by"]["id"].startswith("whk_")


def test_a_changed_row_is_checked_again(checked):
    record = checked()

    sets((1, CITY, "Bonn"))

    assert [body["rows"] for body in bodies_of(record, "check")[1:]] == [
        [{NO: "2", CITY: "Bonn", SUM: 2.5}]
    ]


def test_numbers_are_set_as_numbers_whatever_the_notation_of_the_file(checked, rows):
    record = checked()

    sets((0, SUM, 1234.5), (1, SUM, "2.75"))

    assert cells(rows(record), SUM) == [1234.5, 2.5, 3.5]
    assert messages(rows(record))[1] == [
        "The receiving system wanted to set “2.75”, which this field does not accept."
    ]


def test_a_value_against_the_catalog_is_not_set(checked, rows, apply):
    record = checked()

    sets((0, CITY, "berlin"), (2, CITY, "Mainz"))
    sets()

    assert cells(rows(record), CITY) == ["Ulm", "Bon", "Mainz"]
    assert messages(rows(record))[0] == [
        "The receiving system wanted to set “berlin”, which this field does not accept."
    ]
    assert apply(record)["state"] == "applied"


def test_an_undone_value_stays_undone(checked, rows, move):
    record = checked()
    sets((1, CITY, "Bonn"))
    sets()

    move(record, "undo")

    assert cells(rows(record), CITY) == ["Ulm", "Bon", "Ulm"]
    assert messages(rows(record)) == [[], [], []]
    assert len(bodies_of(record, "check")) == 2
    move(record, "redo")
    assert cells(rows(record), CITY)[1] == "Bonn"


def test_a_host_that_changes_its_own_values_stops_after_two_rounds(checked, rows, apply):
    record = checked()

    for city in ("Berlin", "Bonn", "Berlin"):
        sets((1 if city == "Berlin" and len(bodies_of(record, "check")) == 1 else 0, CITY, city))

    assert cells(rows(record), CITY) == ["Ulm", "Bonn", "Ulm"]
    assert messages(rows(record))[1][-1] == (
        "The receiving system keeps changing this row, and now wants “Berlin”."
    )
    assert len(bodies_of(record, "check")) == 3
    assert apply(record)["state"] == "applied"


def test_an_edit_of_a_person_lets_the_host_set_values_again(checked, rows, client, read):
    record = checked()
    sets((1, CITY, "Bonn"))
    sets((0, CITY, "Berlin"))

    edits = [{"row": 1, "field": CITY, "text": "Köl"}]
    body = {"revision": read(record)["revision"], "edits": edits}
    client.patch(f"{V1}/imports/{record['recordId']}/rows", body, format="json")
    follow_due()
    sets((0, CITY, "Köln"))

    assert cells(rows(record), CITY)[1] == "Köln"


def test_a_row_that_was_edited_meanwhile_keeps_the_value_of_the_person(checked, rows, client, read):
    record = checked()
    edits = [{"row": 1, "field": CITY, "text": "Köln"}]
    body = {"revision": read(record)["revision"], "edits": edits}
    client.patch(f"{V1}/imports/{record['recordId']}/rows", body, format="json")

    sets((1, CITY, "Bonn"))

    assert cells(rows(record), CITY)[1] == "Köln"


def test_a_value_that_is_there_already_changes_nothing(checked, rows, read):
    record = checked()
    before = read(record)["revision"]

    sets((0, CITY, "Ulm"), (0, SUM, 1.5))

    assert read(record)["revision"] == before
    assert messages(rows(record)) == [[], [], []]


def test_a_mark_stays_while_other_cells_of_the_row_are_edited(checked, rows, client, read):
    record = checked()
    sets((1, CITY, "Bonn"))
    sets()

    for path, text, left in ((NO, "7", 1), (CITY, "Köln", 0)):
        edits = [{"row": 1, "field": path, "text": text}]
        body = {"revision": read(record)["revision"], "edits": edits}
        client.patch(f"{V1}/imports/{record['recordId']}/rows", body, format="json")
        sets()
        assert len(messages(rows(record))[1]) == left


def test_a_finding_about_a_value_that_is_set_is_asked_for_again(checked, rows):
    record = checked()
    late = {"row": 1, "severity": "warning", "message": "Far away."}

    sets((1, CITY, "Bonn"), results=[late])
    assert messages(rows(record))[1] == ["The receiving system changed “Bon” to “Bonn”."]
    sets(results=[late | {"row": 0}])

    assert sorted(messages(rows(record))[1]) == [
        "The receiving system changed “Bon” to “Bonn”.",
        "The receiving system says: Far away.",
    ]


def test_many_values_are_written_as_files(checked, rows, monkeypatch, move):
    from staging.edits import host_values

    monkeypatch.setattr(host_values, "MAX_OVERLAY", 1)
    record = checked()

    sets((0, CITY, "Mainz"), (1, CITY, "Bonn"), (2, SUM, 7))
    sets()

    assert cells(rows(record), CITY) == ["Mainz", "Bonn", "Ulm"]
    assert cells(rows(record), SUM) == [1.5, 2.5, 7]
    assert messages(rows(record))[2] == ["The receiving system changed “3.5” to “7”."]
    move(record, "undo")
    assert cells(rows(record), CITY) == ["Ulm", "Bon", "Ulm"]


def test_another_mapping_keeps_what_a_host_set(checked, rows, client):
    record = checked()
    sets((1, CITY, "Bonn"))
    sets()

    mapping = {"mapping": {NO: NO, CITY: CITY}, "recipe": {"version": 1, "steps": []}}
    client.put(f"{V1}/imports/{record['recordId']}/mapping", mapping, format="json")
    carry_on(client, record["recordId"])

    assert cells(rows(record), CITY) == ["Ulm", "Bonn", "Ulm"]


def test_a_crash_between_two_steps_sets_nothing_twice(checked, rows, read, monkeypatch):
    from imports.host_checks import answers

    record = checked()
    host = json.dumps({"results": [], "set": [{"row": 1, "field": CITY, "value": "Bonn"}]})
    host_answers(200, action="check", content=host.encode())

    def broken(*_):
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr(answers, "_note", broken)
        with pytest.raises(RuntimeError):
            follow_due()
    revision = read(record)["revision"]
    follow_due()

    assert cells(rows(record), CITY)[1] == "Bonn"
    assert read(record)["revision"] == revision


def test_the_values_are_in_the_log_of_the_delivery(checked, client):
    record = checked()

    sets((1, CITY, "Bonn"))

    first = Delivery.objects.filter(action="check", record_id=record["recordId"]).first()
    results = client.get(f"{V1}/deliveries/{first.public_id}").json()["results"]
    assert results == [{"row": 1, "field": CITY, "value": "Bonn"}]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{"set":{}}', "must be lists"),
        (b'{"set":[{"row":3,"field":"order.no","value":"x"}]}', "row is not a number from 0 to 2"),
        (b'{"set":[{"row":0,"value":"x"}]}', "field is not"),
        (b'{"set":[{"row":0,"field":"order.no"}]}', "value is neither"),
        (b'{"set":[{"row":0,"field":"order.no","value":{"a":1}}]}', "value is neither"),
        (b'{"set":[{"row":0,"field":"order.nowhere","value":"x"}]}', "field is none"),
        (
            b'{"set":[{"row":0,"field":"order.no","value":"x"},'
            b'{"row":0,"field":"order.no","value":"y"}]}',
            "appeared before",
        ),
        (
            json.dumps({"set": [{"row": 0, "field": NO, "value": "x" * 32_768}]}).encode(),
            "longer than",
        ),
    ],
)
def test_an_answer_of_another_shape_is_refused_as_a_whole(checked, rows, read, content, why):
    record = checked()

    sets(content=content)

    assert read(record)["hostCheck"]["state"] == "refused"
    assert why in read(record)["hostCheck"]["note"]
    assert messages(rows(record)) == [[], [], []]
