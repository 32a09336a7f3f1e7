"""Hosts hear who must act on an import that waits and why, once for each wait."""

import json

import pytest

from common import clock
from deliveries import bodies, services
from deliveries.models import Delivery, Registration
from imports import transitions
from imports.events import who_must_act
from imports.models import ImportRecord
from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.conftest import carry_on, client, owner

pytestmark = pytest.mark.django_db
__all__ = ["client", "owner"]  # fixtures
STATUS = {
    "key": "status",
    "columnType": "category",
    "dropdownOptions": [{"label": text, "type": "string", "value": text} for text in ("a", "b")],
}
DAY = {"key": "day", "columnType": "date"}
ASKING = "name,status\nAda,a\nBob,other\n"
WRONG = "name,day\nAda,2026-02-03\nBob,never\n"
FINE = "name\nAda\n"
STAGED = {"applyMode": "browser", "invalidRows": "include", "openQuestions": "dismiss"}


@pytest.fixture
def waits(owner):
    """Return a function that returns the state and the reasons of each wait, in order."""
    services.register(
        tenant=owner,
        url="https://h.example/x",
        at=clock.now(),
        events_wanted=["import.waiting", "import.failed"],
        actions=[],
    )

    def announced() -> list[tuple[str, list[str]]]:
        queued = Delivery.objects.filter(event="import.waiting").order_by("pk")
        notices = [json.loads(bodies.content(delivery)) for delivery in queued]
        return [(notice["state"], notice["why"]) for notice in notices]

    return announced


@pytest.mark.parametrize(
    ("fields", "text", "members", "wait"),
    [
        (["name"], FINE, {}, ("mapping", ["mapping"])),
        (["name"], FINE, {"autoMap": True}, ("review", ["apply"])),
        (["name", DAY], WRONG, {"autoMap": True}, ("review", ["rows_with_errors"])),
        (
            ["name", STATUS],
            ASKING,
            {"autoMap": True},
            ("review", ["questions", "rows_with_errors"]),
        ),
    ],
)
def test_a_wait_says_what_for(owner, client, waits, fields, text, members, wait):
    publish_fields(owner, *fields)
    Imported(client, text, **members)

    assert waits() == [wait]


def test_a_wait_is_announced_again_only_when_it_waits_for_something_else(owner, client, waits):
    publish_fields(owner, "name", STATUS)
    imported = Imported(client, ASKING + "Cem,more\n", autoMap=True)
    first, second = imported.questions()
    before = waits()

    imported.answer(first, "b")
    assert waits() == before  # another question is open

    imported.answer(second, "b")
    assert waits() == [*before, ("review", ["apply"])]


def test_edits_announce_nothing(owner, client, waits):
    publish_fields(owner, "name", DAY)
    imported = Imported(client, WRONG, autoMap=True)
    edit = {"row": 0, "field": "p.name", "text": "Eva"}
    body = {"revision": imported.record["revision"], "edits": [edit]}
    assert client.patch(imported.url("rows"), body, format="json").status_code == 200
    mapping = imported.mapping()["mapping"]
    again = {"mapping": mapping, "allowMissing": True}
    assert client.put(imported.url("mapping"), again, format="json").status_code == 202
    carry_on(client, imported.id)

    assert waits() == [("review", ["rows_with_errors"])]


def test_an_apply_waits_for_approval_and_a_discarded_one_for_an_apply_again(owner, client, waits):
    publish_fields(owner, "name")
    imported = Imported(client, FINE, autoMap=True)
    for _ in range(2):
        assert imported.apply(**STAGED, staged=True).status_code == 202
        changeset = imported.record["changesetId"]
        client.post(f"{V1}/changesets/{changeset}/discard")

    once = [("staged", ["approval"]), ("review", ["apply"])]
    assert waits() == [("review", ["apply"]), *once, *once]


def test_exported_rows_that_come_back_wait_to_be_confirmed(owner, client, waits):
    publish_fields(owner, "name", DAY)
    imported = Imported(client, WRONG, autoMap=True)
    answer = client.get(imported.url("export?format=csv&rows=error"))
    exported = b"".join(answer.streaming_content).decode("utf-8-sig")
    Imported(client, exported.replace("never", "2026-02-04"), autoMap=True)

    assert waits() == [("review", ["rows_with_errors"]), ("mapping", ["corrections"])]


def test_a_wait_after_a_failure_is_another_one(owner, client, waits):
    publish_fields(owner, "name")
    imported = Imported(client, FINE)
    client.put(imported.url("reading"), {"headerRows": [0]}, format="json")
    record = ImportRecord.objects.get(public_id=imported.id)
    transitions.fail(record, {"code": "internal_error"}, at=clock.now())
    client.post(imported.url("retry"))
    carry_on(client, imported.id)

    assert waits() == [("mapping", ["mapping"])] * 2


def test_a_host_that_registers_later_hears_of_the_next_wait(owner, client, request):
    publish_fields(owner, "name")
    imported = Imported(client, FINE)
    waits = request.getfixturevalue("waits")
    client.put(imported.url("reading"), {"headerRows": [0]}, format="json")
    carry_on(client, imported.id)

    assert waits() == [("mapping", ["mapping"])]


def test_a_wait_that_no_host_heard_of_ends_the_one_before(owner, client, waits):
    publish_fields(owner, "name", STATUS)
    imported = Imported(client, ASKING, autoMap=True)
    heard = waits()
    Registration.objects.update(events=[])
    (question,) = imported.questions()
    imported.answer(question, "b")

    assert waits() == heard
    assert ImportRecord.objects.get().announced_wait == ""


@pytest.mark.parametrize(
    ("about", "actor"),
    [
        ({"started_by": {"kind": "system", "id": "lic_1"}, "license_id": "lic_1"}, "staff"),
        ({"started_by": {"kind": "person", "id": "lic_1"}, "license_id": "lic_1"}, "sender"),
        ({"started_by": {"kind": "person", "id": "ada"}, "session_id": "ses_1"}, "sender"),
        ({"started_by": {"kind": "system", "id": "lic_1"}, "from_page": True}, "sender"),
        ({"started_by": {"kind": "agent", "id": "lic_1"}, "license_id": "lic_1"}, "agent"),
        ({"started_by": {"kind": "agent", "id": "lic_1"}, "state": "staged"}, "approver"),
        ({"started_by": {"kind": "person", "id": "user:1"}}, "staff"),
        ({"started_by": {"kind": "person", "id": "operator"}}, "staff"),
        ({"started_by": None}, "staff"),
    ],
)
def test_who_must_act_follows_from_the_state_and_who_started_it(about, actor):
    assert who_must_act(ImportRecord(**{"state": "review", **about})) == actor
