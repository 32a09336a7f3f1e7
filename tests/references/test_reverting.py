"""Reverting an apply: hosts that want it are notified, and the former known values are restored."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from changesets.follow_up import follow_due
from common import clock
from deliveries.models import Delivery
from deliveries.services import purge_finished
from deliveries.transitions import finish
from deliveries.verdict import Final
from tests.imports.conftest import carry_on
from tests.references.conftest import V1, bodies_of, entry, host_answers, known, reference
from tests.references.test_applying import changeset_of, people, team

pytestmark = pytest.mark.django_db


@pytest.fixture
def arrived(published, bring, apply):
    """Return a function that imports people, delivers them, and learns from them."""

    def arrived(content=b"", **columns):
        rows = len(columns["id"])
        table = team(**{"name": [None] * rows, "boss": [None] * rows, **columns})
        record = apply(bring(table))
        host_answers(200, content=content)
        follow_due()
        return record

    published(people())
    return arrived


def revert(client, record, status=202, **body):
    address = f"{V1}/changesets/{record['changesetId']}/revert"
    answer = client.post(address, body, format="json")
    assert answer.status_code == status, answer.content
    if status == 202:
        carry_on(client, record["recordId"])
    return answer.json()


def test_a_snapshot_that_spells_out_what_is_empty_stops_no_revert(client, webhook, know, arrived):
    webhook("submit", "revert")
    know("person", a={"id": "1", "name": "Ada"})
    record = arrived(id=["1", "2"], name=["Eve", "Bo"])
    refs = {item["id"]: ref for ref, item in known(client, "person").items()}
    know("person", a={"id": "1", "name": "Eve", "boss": None})
    know("person", **{refs["2"]: {"id": "2", "name": "Bo", "boss": None}})

    revert(client, record)
    host_answers(200, action="revert")
    follow_due()

    assert known(client, "person") == {"a": {"id": "1", "name": "Ada"}}


def test_a_host_that_asked_gets_the_rows_again_with_what_it_said(client, webhook, know, arrived):
    webhook("submit", "revert")
    know("person", a={"id": "1", "name": "Ada"})
    answer = {"results": [{"row": 0, "status": "updated", "before": {"person.name": "Ada"}}]}
    record = arrived(json.dumps(answer).encode(), id=["1"], name=["Eve"])
    assert known(client, "person") == {"a": {"id": "1", "name": "Eve"}}

    revert(client, record)

    ((sent,), (back,)) = bodies_of(record), bodies_of(record, "revert")
    assert back["action"] == "revert"
    assert back["recordId"] == sent["recordId"]
    assert back["deliveryId"] != sent["deliveryId"]
    assert back["reverts"] == {
        "changesetId": record["changesetId"], "deliveryId": sent["deliveryId"],
    }  # fmt: skip
    assert back["rows"] == sent["rows"]
    assert back["results"] == answer["results"]
    assert changeset_of(client, record)["state"] == "reverting"

    host_answers(200, action="revert")
    follow_due()

    changeset = changeset_of(client, record)
    assert (changeset["state"], changeset["hostTold"]) == ("reverted", True)
    assert client.get(f"{V1}/imports/{record['recordId']}").json()["state"] == "reverted"
    assert known(client, "person") == {"a": {"id": "1", "name": "Ada"}}


def test_a_host_that_did_not_ask_is_not_told_and_the_changeset_says_so(client, webhook, arrived):
    webhook("submit")
    record = arrived(id=["1"])

    revert(client, record)

    changeset = changeset_of(client, record)
    assert (changeset["state"], changeset["hostTold"]) == ("reverted", False)
    assert [note["code"] for note in changeset["revertNotes"]] == ["not_told"]
    assert bodies_of(record, "revert") == []
    assert known(client, "person") == {}
    rows = client.get(f"{V1}/imports/{record['recordId']}/results").json()["items"]
    assert [row["person.id"] for row in rows] == ["1"]  # they can still be read


def test_a_host_that_refuses_keeps_its_data_and_so_do_we(client, webhook, arrived):
    webhook("submit", "revert")
    record = arrived(id=["1"])
    before = known(client, "person")

    revert(client, record)
    host_answers(409, content=b"too late", action="revert")
    follow_due()

    changeset = changeset_of(client, record)
    assert changeset["state"] == "applied"
    assert [(n["code"], n["httpStatus"], n["answer"]) for n in changeset["revertNotes"]] == [
        ("host_refused", 409, "too late")
    ]
    assert known(client, "person") == before

    revert(client, record)
    host_answers(200, action="revert")
    follow_due()
    assert changeset_of(client, record)["state"] == "reverted"
    assert known(client, "person") == {}


def receivers(client, record):
    """Return what a revert would do: label to whether it is notified, why not, and its rows."""
    listed = changeset_of(client, record)["receivers"]
    return {
        receiver["label"]: (receiver["told"], receiver["reason"], receiver["rowCount"])
        for receiver in listed
    }


def test_a_changeset_says_before_the_revert_what_happens_at_each_receiver(
    client, owner, webhook, arrived, apply, bring
):
    from deliveries.services import delete_registration

    webhook("submit", "revert", label="Shop")
    webhook("submit", path="news", label="News")
    gone = webhook("submit", "revert", path="old", label="Old")
    webhook("submit", "revert", path="shut", label="Shut")
    purged = webhook("submit", "revert", path="late", label="Late")
    record = apply(bring(team(id=["1", "2"], name=[None] * 2, boss=[None] * 2)))
    assert set(receivers(client, record).values()) == {(False, "still_delivering", 0)}

    shut = Delivery.objects.filter(registration__label="Shut")
    shut.update(state="rejected", due_at=None, settled_at=clock.now())
    host_answers(200)
    delete_registration(registration=gone, at=clock.now())
    Delivery.objects.filter(registration=purged).update(body_name="")

    assert receivers(client, record) == {
        "Shop": (True, "", 2),
        "News": (False, "not_told", 2),
        "Old": (False, "registration_gone", 2),
        "Shut": (False, "not_delivered", 0),
        "Late": (False, "body_purged", 2),
    }

    revert(client, record)
    assert receivers(client, record) == {}  # nothing is left to revert
    notes = {note["code"] for note in changeset_of(client, record)["revertNotes"]}
    assert notes == {"not_told", "registration_gone", "body_purged"}


def test_a_receiver_can_be_told_as_long_as_what_was_sent_is_kept(
    client, webhook, arrived, settings
):
    webhook("submit", "revert", label="Shop")
    webhook("submit", path="news", label="News")
    record = arrived(id=["1"])
    settled = datetime(2026, 3, 1, 12, tzinfo=UTC)
    Delivery.objects.update(settled_at=settled)
    settings.RETENTION_DAYS = 30

    untils = {
        receiver["label"]: receiver["until"]
        for receiver in changeset_of(client, record)["receivers"]
    }
    assert untils == {"Shop": "2026-03-31T12:00:00.000Z", "News": None}

    purge_finished(before=settled)
    assert receivers(client, record)["Shop"][0]
    purge_finished(before=settled + timedelta(milliseconds=1))
    assert receivers(client, record)["Shop"] == (False, "body_purged", 1)


def test_who_took_the_rows_back_already_is_not_told_again(client, webhook, arrived):
    webhook("submit", "revert", label="Shop")
    webhook("submit", "revert", path="other", label="Other")
    record = arrived(id=["1"])

    revert(client, record)
    first = Delivery.objects.filter(action="revert").order_by("pk").first()
    finish([first.pk], Final("delivered"), at=clock.now())
    host_answers(409, action="revert")
    follow_due()

    assert sorted(receivers(client, record).values()) == [(False, "told_before", 1), (True, "", 1)]


def test_a_receiver_of_several_deliveries_is_one_receiver(client, webhook, arrived):
    webhook("submit", "revert", label="Shop", max_rows_per_delivery=2)
    record = arrived(id=["1", "2", "3"])

    assert receivers(client, record) == {"Shop": (True, "", 3)}


def test_rows_that_were_fetched_have_no_receivers(client, webhook, published, bring, apply):
    published(people())
    webhook("submit", "revert")

    record = apply(bring(team(id=["1"], name=[None], boss=[None])), applyMode="browser")

    assert receivers(client, record) == {}


def test_a_second_revert_and_one_while_delivering_are_refused(
    client, webhook, arrived, apply, bring
):
    webhook("submit")
    record = apply(bring(team(id=["9"], name=[None], boss=[None])))
    assert revert(client, record, status=409)["code"] == "still_delivering"

    host_answers(200)
    revert(client, record)

    assert revert(client, record, status=409)["code"] == "not_revertable"


def test_what_was_taken_back_is_delivered_again_only_on_request(client, webhook, arrived):
    webhook("submit")
    record = arrived(id=["1"], name=["Ada"])
    again = f"{V1}/deliveries/{Delivery.objects.get().public_id}/redeliver"
    revert(client, record)
    assert changeset_of(client, record)["state"] == "reverted"

    for body in ({}, None):
        problem = client.post(again, body, format="json")
        assert (problem.status_code, problem.json()["code"]) == (409, "changeset_reverted")
        assert problem.json()["changesetId"] == record["changesetId"]
    assert client.post(again, {"reverted": "yes"}, format="json").status_code == 400
    assert Delivery.objects.get().state == "delivered"

    sent = client.post(again, {"reverted": "send"}, format="json")

    assert (sent.status_code, sent.json()["state"]) == (202, "pending")


def test_what_is_being_taken_back_is_not_delivered_again_but_the_news_of_it_is(
    client, webhook, arrived
):
    webhook("submit", "revert")
    record = arrived(id=["1"], name=["Ada"])
    revert(client, record)
    sent, back = Delivery.objects.get(action="submit"), Delivery.objects.get(action="revert")

    refused = client.post(f"{V1}/deliveries/{sent.public_id}/redeliver")
    answer = client.post(f"{V1}/deliveries/{back.public_id}/redeliver")

    assert (refused.status_code, refused.json()["code"]) == (409, "changeset_reverted")
    assert answer.status_code == 202


def test_what_stays_applied_is_delivered_again_without_a_word(client, webhook, arrived):
    webhook("submit")
    arrived(id=["1"], name=["Ada"])

    sent = client.post(f"{V1}/deliveries/{Delivery.objects.get().public_id}/redeliver")

    assert sent.status_code == 202


def test_rows_taken_back_are_resent_in_parts_only_on_request(client, webhook, arrived):
    webhook("submit")
    record = arrived(id=["1", "2"], name=["Ada", "Bob"])
    revert(client, record)
    Delivery.objects.update(state="rejected")
    resend = f"{V1}/deliveries/{Delivery.objects.get().public_id}/resend"

    refused = client.post(resend, {"maxRowsPerDelivery": 1}, format="json")
    sent = client.post(resend, {"maxRowsPerDelivery": 1, "reverted": "send"}, format="json")

    assert (refused.status_code, refused.json()["code"]) == (409, "changeset_reverted")
    assert (sent.status_code, len(sent.json()["items"])) == (202, 2)


def test_the_older_of_two_asks_for_order_or_force(client, webhook, arrived):
    webhook("submit")
    first = arrived(id=["1"], name=["Ada"])
    second = arrived(id=["1"], name=["Eve"])

    problem = revert(client, first, status=409)
    assert (problem["code"], problem["changesets"]) == ("built_on", [second["changesetId"]])

    revert(client, second)
    assert [item["name"] for item in known(client, "person").values()] == ["Ada"]
    revert(client, first)
    assert known(client, "person") == {}


def test_force_leaves_what_was_changed_since(client, webhook, arrived):
    webhook("submit")
    first = arrived(id=["1", "2"], name=["Ada", "Bob"])
    arrived(id=["1"], name=["Eve"])

    revert(client, first, force=True)

    assert [item["name"] for item in known(client, "person").values()] == ["Eve"]
    notes = changeset_of(client, first)["revertNotes"]
    assert [note["code"] for note in notes] == ["not_told", "changed_since"]


def test_a_later_link_to_what_was_made_builds_on_it(client, webhook, arrived):
    webhook("submit")
    first = arrived(id=["1"], name=["Ada"])
    second = arrived(id=["2"], boss=["1"])

    assert revert(client, first, status=409)["changesets"] == [second["changesetId"]]


def test_a_staged_changeset_is_reverted_by_discarding(client, published, bring, apply, webhook):
    published([entry("order", "no", {"key": "x", "reference": reference("y", ("z",))})])
    webhook("submit", "revert")
    record = apply(bring({"order.no": ["1"], "order.x": [None]}), staged=True)

    revert(client, record)

    assert changeset_of(client, record)["state"] == "discarded"
    assert bodies_of(record, "revert") == []


def test_what_was_purged_since_does_not_get_in_the_way(client, webhook, arrived):
    from changesets.models import Changeset
    from common import storage
    from common.actors import ENGINE
    from imports.models import ImportRecord
    from imports.services import delete
    from workflow.retention import sweep_files

    webhook("submit")
    first = arrived(id=["1"], name=["Ada"])
    second = arrived(id=["2"], boss=["1"])
    record = ImportRecord.objects.get(public_id=second["recordId"])
    delete(record=record, actor=ENGINE, at=clock.now())
    storage.delete(Changeset.objects.get(record=record).prepared)  # as the daily sweep does
    sweep_files()

    revert(client, first)

    assert changeset_of(client, first)["state"] == "reverted"
    assert client.get(f"{V1}/changesets/{second['changesetId']}/rows").status_code == 409


def test_what_a_changeset_keeps_is_not_swept(client, webhook, arrived, monkeypatch):
    from workflow import retention

    webhook("submit")
    record = arrived(id=["1"])
    monkeypatch.setattr(retention, "UNNAMED_FOR_S", -60)

    retention.sweep_files()

    rows = client.get(f"{V1}/changesets/{record['changesetId']}/rows").json()["items"]
    assert [row["status"] for row in rows] == ["new"]
