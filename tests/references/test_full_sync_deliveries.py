"""What a full sync sends is sent once, is forgotten once it arrived, and waits for its like."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from changesets import services
from changesets.follow_up import follow_due
from deliveries.models import Delivery
from references.models import KnownSet, LearnedText
from tests.imports.conftest import carry_on
from tests.references.conftest import V1, bodies_of, entry, host_answers, known
from tests.references.test_full_sync import (
    FULL,
    NUMBER,
    deleted,
    delivered,
    members,
    rows,
)  # fmt: skip

__all__ = ["members"]  # a fixture
pytestmark = pytest.mark.django_db


def begin(client, record, **wishes):
    """Apply an import; its work is not yet done."""
    address = f"{V1}/imports/{record['recordId']}/apply"
    answer = client.post(address, wishes, format="json")
    assert answer.status_code == 202, answer.content


def send_again(client, **body):
    """Return what the answer to a redelivery of the deletion says."""
    sent = Delivery.objects.get(action="delete")
    address = f"{V1}/deliveries/{sent.public_id}/redeliver"
    answer = client.post(address, body, format="json")
    return answer.status_code, answer.json().get("code")


def remove_webhooks(client):
    for hook in client.get(f"{V1}/webhooks").json()["items"]:
        client.delete(f"{V1}/webhooks/{hook['id']}")


def while_bodies_are_written(monkeypatch, act):
    """Do something each time that bodies were written; return how often, growing."""
    real, tries = services.store_bodies, []

    def store(changeset):
        yield from real(changeset)
        tries.append(len(tries) + 1)
        act(tries[-1])

    monkeypatch.setattr(services, "store_bodies", store)
    return tries


def test_a_refused_deletion_is_sent_again_until_a_later_import_is_applied(
    members, bring, apply, webhook, client
):
    members()
    webhook("submit", "delete")
    apply(bring(rows("M-1", "M-2")), **FULL)
    host_answers(200)
    host_answers(400, action="delete")
    assert send_again(client)[0] == 202
    host_answers(400, action="delete")
    follow_due()

    delivered(apply(bring(rows("M-3"))))
    assert send_again(client) == (409, "deletion_not_resent")
    sent = Delivery.objects.get(action="delete")
    address = f"{V1}/deliveries/{sent.public_id}/resend"
    in_parts = client.post(address, {"maxRowsPerDelivery": 1}, format="json")
    assert (in_parts.status_code, in_parts.json()["code"]) == (409, "deletion_not_resent")
    assert "r3" in known(client, "member")


@pytest.mark.parametrize("scope", ["berlin", "rome"])
def test_only_imports_that_may_name_the_same_records_outdate_a_deletion(
    members, bring, apply, webhook, client, scope
):
    members(scope="berlin")
    webhook("submit", "delete")
    apply(bring(rows("M-1", "M-2"), scope="berlin"), **FULL)
    host_answers(200)
    host_answers(400, action="delete")
    delivered(apply(bring(rows("M-3"), scope=scope)))

    assert send_again(client)[0] == (409 if scope == "berlin" else 202)


def test_a_deletion_that_arrived_or_was_reverted_is_not_sent_again(
    members, bring, apply, webhook, client
):
    members()
    webhook("submit", "delete", "revert")
    record = apply(bring(rows("M-1", "M-2")), **FULL)
    delivered(record)
    assert send_again(client) == (409, "deletion_not_resent")
    client.post(f"{V1}/changesets/{record['changesetId']}/revert", {}, format="json")
    carry_on(client, record["recordId"])
    delivered(record)

    assert send_again(client, reverted="send") == (409, "deletion_not_resent")


def test_an_apply_waits_if_a_deletion_is_sent_again_before_it_is_written(
    members, bring, apply, webhook, client
):
    members()
    webhook("submit", "delete")
    apply(bring(rows("M-1", "M-2")), **FULL)
    host_answers(200)
    host_answers(400, action="delete")
    later = bring(rows("M-3"))
    begin(client, later)
    assert send_again(client)[0] == 202

    assert carry_on(client, later["recordId"])["state"] == "staged"


@pytest.mark.parametrize("rights", [["release"], ["release", "deleteKnown"]])
def test_a_page_approves_deletions_only_with_the_right(
    members, bring, webhook, client, client_of, rights
):
    members(scope="berlin")
    webhook("submit", "delete")
    record = bring(rows("M-1", "M-2"), scope="berlin")
    begin(client, record, **FULL, staged=True)
    waiting = carry_on(client, record["recordId"])
    wanted = {"scope": "berlin", "catalogKey": "t", "rights": rights}
    page = client_of(client.post(f"{V1}/sessions", wanted, format="json").json()["token"])
    changeset = f"{V1}/changesets/{waiting['changesetId']}"

    may = "deleteKnown" in rights
    assert page.get(changeset).json()["mayApprove"] is may
    assert page.post(f"{changeset}/apply").status_code == (202 if may else 403)


def test_deliveries_that_were_all_cancelled_hold_up_no_other_import(
    members, bring, apply, webhook, client
):
    members()
    webhook("submit", "delete")
    records = [bring(rows("M-1", "M-2")) for _ in range(2)]
    apply(records[0], **FULL)
    remove_webhooks(client)
    webhook("submit", "delete", path="new")

    assert apply(records[1], **FULL)["state"] == "applied"


def test_only_what_was_in_a_part_that_arrived_is_forgotten(members, bring, apply, webhook, client):
    members(10, rows=100)
    webhook("submit", "delete", max_rows_per_delivery=2)
    refs = deleted(apply(bring(rows(*(f"M-{n}" for n in range(1, 7)))), **FULL))
    host_answers(200)
    first = Delivery.objects.filter(action="delete").first()
    later = Delivery.objects.filter(action="delete").exclude(pk=first.pk)
    keys = list(later.values_list("pk", flat=True))
    later.update(action="later")  # the host does not answer to them
    host_answers(200, action="delete")
    Delivery.objects.filter(pk__in=keys).update(action="delete")
    remove_webhooks(client)
    follow_due()

    assert [len(some) for some in refs] == [2, 2]
    assert {f"r{n}" for n in range(1, 11)} - set(known(client, "member")) == set(refs[0])


def test_imports_wait_while_a_deletion_is_taken_back(members, bring, apply, webhook, client):
    members()
    webhook("submit", "delete", "revert")
    records = [bring(rows("M-1", "M-2")) for _ in range(3)]
    delivered(apply(records[0], **FULL))
    begun = apply(records[1])  # on its way: it may name what comes back
    record = client.get(f"{V1}/imports/{records[0]['recordId']}").json()
    address = f"{V1}/changesets/{record['changesetId']}/revert"
    refused = client.post(address, {"force": True}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "still_delivering")
    assert refused.json()["changesets"] == [begun["changesetId"]]
    delivered(begun)
    assert client.post(address, {"force": True}, format="json").status_code == 202
    carry_on(client, records[0]["recordId"])

    for wishes in ({}, FULL):
        refused = apply(records[2], status=409, **wishes)
        assert refused["changesets"] == [record["changesetId"]]
    delivered(record)
    assert apply(records[2])["state"] == "applied"


def test_a_forced_revert_leaves_out_what_has_another_ref_by_now(
    members, bring, apply, webhook, client, know
):
    members(4)
    webhook("submit", "delete", "revert")
    record = apply(bring(rows("M-1", "M-2")), **FULL)
    delivered(record)
    know("member", again={"number": "M-3"})
    address = f"{V1}/changesets/{record['changesetId']}/revert"
    assert client.post(address, {"force": True}, format="json").status_code == 202
    carry_on(client, record["recordId"])

    sent = [
        item["ref"]
        for body in bodies_of(record, "revert")
        for item in body.get("entities", {}).get("member", ())
        if item["status"] == "deleted"
    ]
    assert sent == ["r4"]


def test_what_changes_before_the_deliveries_are_committed_is_compared_again(
    members, bring, webhook, client, know, monkeypatch
):
    members()
    webhook("submit", "delete")
    record = bring(rows("M-1", "M-2"))
    begin(client, record, **FULL)
    tries = while_bodies_are_written(
        monkeypatch,
        lambda time: time == 1 and know("member", r3={"number": "M-1b"}, r4={"number": "M-4"}),
    )
    done = carry_on(client, record["recordId"])
    assert (done["state"], tries) == ("applied", [1, 2])
    assert deleted(done) == [["r3", "r4"]]
    (body,) = bodies_of(done, "delete")
    assert body["entities"]["member"][0]["values"] == {"number": "M-1b"}


def test_what_never_stays_the_same_waits_for_a_person(
    members, bring, webhook, client, know, monkeypatch
):
    members()
    webhook("submit", "delete")
    record = bring(rows("M-1", "M-2"))
    begin(client, record, **FULL)
    while_bodies_are_written(
        monkeypatch, lambda time: know("member", r3={"number": "M-3", "name": f"{time}"})
    )
    assert carry_on(client, record["recordId"])["state"] == "staged"
    assert not Delivery.objects.exists()


@pytest.mark.parametrize(("first", "later"), [("", "berlin"), ("berlin", "")])
def test_a_full_sync_of_every_scope_and_imports_of_one_wait_for_each_other(
    members, bring, apply, webhook, client, first, later
):
    members()
    webhook("submit", "delete")
    records = [bring(rows("M-1", "M-2"), **({"scope": scope} if scope else {}))
               for scope in (first, later)]  # fmt: skip
    begun = apply(records[0], **({} if first else FULL))

    refused = apply(records[1], status=409, **(FULL if first else {}))
    assert refused["changesets"] == [begun["changesetId"]]
    delivered(begun)
    assert apply(records[1], **(FULL if first else {}))["state"] == "applied"


def test_full_syncs_of_two_scopes_do_not_wait_for_each_other(members, bring, apply, webhook):
    for scope in ("berlin", "rome"):
        members(scope=scope)
    webhook("submit", "delete")
    records = [bring(rows("M-1", "M-2"), scope=scope) for scope in ("berlin", "rome")]

    assert [apply(record, **FULL)["state"] for record in records] == ["applied", "applied"]


def test_the_imports_under_way_are_read_without_a_query_for_each(members, bring, apply, webhook):
    members()
    webhook("submit", "delete")
    counts = []
    sync = bring(rows("M-1", "M-2"))
    for _ in range(2):
        apply(bring(rows("M-1", "M-2")))
        with CaptureQueriesContext(connection) as queries:
            apply(sync, status=409, **FULL)
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_texts_that_were_learned_are_there_again_after_a_revert(
    members, bring, apply, webhook, client
):
    members()
    webhook("submit", "delete", "revert")
    LearnedText.objects.create(
        known_set=KnownSet.objects.get(entity="member"), text="the third", ref="r3", taught_by="chg"
    )
    record = apply(bring(rows("M-1", "M-2")), **FULL)
    delivered(record)
    assert "r3" not in known(client, "member")
    client.post(f"{V1}/changesets/{record['changesetId']}/revert", {}, format="json")
    carry_on(client, record["recordId"])
    delivered(record)

    assert "r3" in known(client, "member")
    assert LearnedText.objects.filter(ref="r3").exists()


def test_rows_are_learned_though_a_later_import_outdated_a_refused_deletion(
    members, bring, apply, webhook, client
):
    members()
    webhook("submit", "delete")
    apply(bring(rows("M-1", "M-2", "M-9")), **FULL)
    host_answers(200)
    host_answers(400, action="delete")
    follow_due()
    delivered(apply(bring(rows("M-3"))))

    names = {values.get("name") for values in known(client, "member").values()}
    assert names == {"N M-1", "N M-2", "N M-3", "N M-9"}


def test_a_full_sync_that_deletes_nothing_holds_up_no_import(members, bring, apply, webhook):
    members()
    webhook("submit", "delete")
    apply(bring(rows("M-1", "M-2", "M-3")), **FULL)  # not delivered yet

    assert apply(bring(rows("M-4")))["state"] == "applied"


def test_an_import_of_other_entries_outdates_no_deletion(
    members, published, bring, apply, webhook, client
):
    members()
    webhook("submit", "delete")
    apply(bring(rows("M-1", "M-2")), **FULL)
    host_answers(200)
    host_answers(400, action="delete")
    published([entry("order", NUMBER)])
    delivered(apply(bring({"order.number": ["O-1"]})))

    assert send_again(client)[0] == 202
