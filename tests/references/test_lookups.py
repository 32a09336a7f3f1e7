"""A host that is asked by key: its answers are what rows are compared with, or nothing is."""

import hashlib
import hmac
import json
import threading
from datetime import timedelta

import pytest

from changesets.follow_up import follow_due
from changesets.lookups import state, worker
from changesets.lookups.model import LookedUpKeys, Lookup
from common import clock
from deliveries.models import Delivery, Registration
from deliveries.services import lookups as pages
from references.models import KnownSet
from references.services import set_of
from tests.deliveries.conftest import answers, drops
from tests.imports.conftest import carry_on
from tests.references.conftest import (
    V1,
    apply,
    bodies_of,
    bring,
    entry,
    host_answers,
    know,
    known,
    orders,
    published,
    reference,
    webhook,
)
from tests.references.looking_up import EVENT, answer, from_records, look_up_due, says, serve

__all__ = ["apply", "bring", "know", "published", "serve", "webhook"]  # fixtures
pytestmark = pytest.mark.django_db
NO, NAME = "customer.number", "customer.name"
TABLE = {NO: ["C-1", "C-2", "C-3"], NAME: ["Ada", "Grace", "Edith"]}
ADA, GRACE = {"number": "C-1", "name": "Ada"}, {"number": "C-2", "name": "Grace H."}


@pytest.fixture
def catalog(published):
    published(orders())


@pytest.fixture
def plan(client):
    """Return a function that asks for the plan of an import; returns status and body."""

    def plan(record, **params):
        response = client.get(f"{V1}/imports/{record['recordId']}/plan", params)
        return response.status_code, response.json()

    return plan


@pytest.fixture
def counts(plan):
    """Return a function that returns the counts of a plan after the lookup that is due."""

    def counts(record):
        look_up_due()
        status, body = plan(record)
        assert status == 200, body
        return {name: n for name, n in body["counts"].items() if n}

    return counts


@pytest.fixture
def edit(client):
    def edit(record, row, field, text):
        address = f"{V1}/imports/{record['recordId']}"
        revision = client.get(address).json()["revision"]
        body = {"revision": revision, "edits": [{"row": row, "field": field, "text": text}]}
        assert client.patch(f"{address}/rows", body, format="json").status_code == 200

    return edit


def later(**wait):
    """Move the moments of every lookup into the past."""
    for lookup in Lookup.objects.all():
        moved = {
            name: moment - timedelta(**wait)
            for name in ("failed_at", "since")
            if (moment := getattr(lookup, name)) is not None
        }
        Lookup.objects.filter(pk=lookup.pk).update(**moved)


def health():
    return Registration.objects.get().consecutive_failures


def test_rows_are_compared_with_what_the_host_has(catalog, serve, bring, counts):
    host = serve()
    host.has(_1=ADA, _2=GRACE)

    record = bring(TABLE)

    assert counts(record) == {"new": 1, "changed": 1, "unchanged": 1}


def test_the_question_is_signed_like_a_delivery_and_names_scope_catalog_and_entity(
    catalog, serve, bring, counts
):
    host = serve()
    counts(bring(TABLE, scope="customer-4711"))

    (call,) = host.received
    assert json.loads(call.body) == {
        "event": EVENT,
        "tenantId": "tnt_owner",
        "scope": "customer-4711",
        "catalogKey": "t",
        "entity": "customer",
        "keys": ["C-1", "C-2", "C-3"],
    }
    t = call.headers["x-import-timestamp"]
    signed = hmac.new(host.secret.encode(), f"{t}.".encode() + call.body, hashlib.sha256)
    assert call.headers["x-import-signature"] == f"t={t},v1={signed.hexdigest()}"
    assert call.headers["x-import-event"] == EVENT


def test_a_plan_is_refused_until_the_host_answered(catalog, serve, bring, plan, counts):
    serve()
    record = bring(TABLE)

    status, problem = plan(record)

    assert (status, problem["code"], problem["retryAfter"]) == (409, "looking_up", 1)
    assert counts(record) == {"new": 3}


def test_an_apply_is_refused_until_the_host_answered(catalog, serve, bring, apply, webhook):
    serve()
    webhook("submit")
    record = bring(TABLE)

    assert apply(record, status=409)["code"] == "looking_up"
    look_up_due()
    assert apply(record)["state"] == "applied"


def test_a_delivery_names_the_refs_of_the_host(catalog, serve, bring, apply, webhook):
    host = serve()
    host.has(_17=ADA)
    webhook("submit", include=["changes"])
    record = bring(TABLE)
    look_up_due()

    apply(record)

    (body,) = bodies_of(record)
    refs = {item["key"]["number"]: item["ref"] for item in body["entities"]["customer"]}
    assert refs["C-1"] == "17"


def test_what_the_host_changed_since_the_last_delivery_is_kept(
    catalog, serve, bring, apply, webhook, counts, plan, client
):
    host = serve()
    host.has(_1=ADA)
    webhook("submit")
    first = bring({NO: ["C-1"], NAME: ["Ada L."]})
    look_up_due()
    apply(first)
    host_answers()
    follow_due()
    host.has(_1={**ADA, "name": "Ada King"})

    record = bring({NO: ["C-1"], NAME: ["Ada L."]})

    assert counts(record) == {"unchanged": 1}
    held = plan(record)[1]["heldFields"]
    assert held == [{"field": NAME, "why": "host", "rows": 1}]
    assert known(client)["1"]["name"] == "Ada King"


def test_a_key_that_the_host_no_longer_has_is_new(catalog, serve, bring, counts, know):
    know("customer", _1=ADA)
    serve()

    assert counts(bring(TABLE)) == {"new": 3}


def test_other_known_records_stay(catalog, serve, bring, counts, know, client):
    know("customer", _9={"number": "C-9", "name": "Mary"})
    host = serve()
    host.has(_1=ADA)
    counts(bring(TABLE))

    assert known(client) == {"1": ADA, "9": {"number": "C-9", "name": "Mary"}}


def test_answers_belong_to_the_scope_of_the_import(catalog, serve, bring, counts):
    host = serve()
    host.has(_1=ADA)
    counts(bring(TABLE, scope="a"))

    assert set(KnownSet.objects.values_list("scope", flat=True)) == {"a"}
    host.has()
    assert counts(bring(TABLE, scope="b")) == {"new": 3}


def test_after_an_edit_only_new_keys_are_sent(catalog, serve, bring, counts, edit, plan):
    host = serve()
    host.has(_1=ADA, _9={"number": "C-9", "name": "Mary"})
    record = bring(TABLE)
    counts(record)
    edit(record, 1, NAME, "Grace B.")
    assert plan(record)[0] == 200  # no new key

    edit(record, 2, NO, "C-9")

    assert plan(record)[1]["code"] == "looking_up"
    assert counts(record) == {"unchanged": 1, "changed": 1, "new": 1}
    assert host.keys() == ["C-1", "C-2", "C-3", "C-9"]


def test_a_repeated_key_is_sent_once(catalog, serve, bring, counts):
    host = serve()
    counts(bring({NO: ["C-1", " C-1", "C-2"], NAME: ["a", "a", "b"]}))

    assert host.keys() == ["C-1", "C-2"]


def test_an_import_that_waits_for_an_hour_asks_again(catalog, serve, bring, counts, plan):
    host = serve()
    host.has(_1=ADA)
    record = bring(TABLE)
    counts(record)
    host.has(_1=ADA, _2=GRACE)
    later(hours=1)

    assert plan(record)[1]["code"] == "looking_up"
    assert counts(record) == {"unchanged": 1, "changed": 1, "new": 1}


def test_an_import_into_another_catalog_asks_nothing(catalog, serve, bring, plan):
    host = serve(catalog_keys=["other"])

    assert plan(bring(TABLE))[0] == 200
    assert host.received == []


def test_rows_without_an_entity_that_has_a_key_ask_nothing(published, serve, bring, plan):
    published([entry("order", "no")])
    host = serve()

    assert plan(bring({"order.no": ["1"]}))[0] == 200
    assert host.received == []


def test_many_keys_are_sent_in_pages(catalog, serve, bring, counts, monkeypatch):
    monkeypatch.setattr(worker, "MOST_KEYS", 2)
    host = serve()
    host.has(_1=ADA, _2=GRACE)
    numbers = [f"C-{n}" for n in range(1, 12)]

    record = bring({NO: numbers, NAME: ["Ada"] * 11})

    assert counts(record) == {"unchanged": 1, "changed": 1, "new": 9}
    assert sorted(len(body["keys"]) for body in host.bodies()) == [1, 2, 2, 2, 2, 2]
    assert sorted(host.keys()) == sorted(numbers)
    assert host.most_at_once <= pages.CONNECTIONS


LIES = {
    "a_key_that_was_not_sent": answer(("1", {"number": "C-9"})),
    "a_key_in_another_case": answer(("1", {"number": "c-1"})),
    "an_entity_without_its_key": answer(("1", {"name": "Ada"})),
    "two_answers_for_a_key": answer(("1", ADA), ("2", ADA)),
    "a_ref_twice": answer(("1", ADA), ("1", GRACE)),
    "more_items_than_keys": answer(*((str(n), {"number": f"C-{n}"}) for n in range(4))),
    "no_items": b"{}",
    "an_unknown_member": answer(more=1),
    "a_list": b"[]",
    "a_text": b"OK",
    "nothing": b"",
    "broken": answer(("1", ADA))[:-3],
    "a_member_twice": b'{"items":[],"items":[]}',
    "a_value_twice": b'{"items":[{"ref":"1","values":{"number":"C-1","name":"a","name":"b"}}]}',
    "not_a_number": b'{"items":[{"ref":"1","values":{"number":"C-1","a":NaN}}]}',
    "infinite": b'{"items":[{"ref":"1","values":{"number":"C-1","a":1e999}}]}',
    "latin_1": b'{"items":[{"ref":"1","values":{"number":"C-1","a":"\xe4"}}]}',
    "nul": b'{"items":[{"ref":"1","values":{"number":"C-1","a":"\\u0000"}}]}',
    "surrogate": b'{"items":[{"ref":"\\ud800","values":{"number":"C-1"}}]}',
    "a_ref_of_another_type": b'{"items":[{"ref":1,"values":{"number":"C-1"}}]}',
    "values_of_another_type": b'{"items":[{"ref":"1","values":[]}]}',
    "too_deep": b'{"items":' + b"[" * 200 + b"]" * 200 + b"}",
    "a_time_that_is_not_one": answer(asOf="yesterday"),
}


@pytest.mark.parametrize("content", [LIES[name] for name in sorted(LIES)], ids=sorted(LIES))
def test_an_answer_that_is_not_one_makes_nothing_known(
    catalog, serve, bring, plan, know, client, content
):
    know("customer", _7={"number": "C-1", "name": "Before"})
    serve(says(content))
    record = bring(TABLE)
    look_up_due()

    status, problem = plan(record)

    assert (status, problem["code"]) == (409, "lookup_failed")
    assert "invalid answer" in problem["detail"]
    assert problem["why"]
    assert problem["webhookId"] == Registration.objects.get().public_id
    assert known(client) == {"7": {"number": "C-1", "name": "Before"}}
    assert health() == 1


FAULTS = {
    "refused": (answers(404), "httpStatus", 404),
    "broken": (answers(500), "httpStatus", 500),
    "elsewhere": (answers(302, location="/other"), "httpStatus", 302),
    "accepted": (answers(202, answer()), "httpStatus", 202),
    "hung_up": (drops, "errorClass", "dropped"),
}


@pytest.mark.parametrize(
    ("behaviour", "member", "value"), [FAULTS[name] for name in sorted(FAULTS)], ids=sorted(FAULTS)
)
def test_a_host_that_does_not_answer_stops_the_comparison(
    catalog, serve, bring, plan, apply, webhook, behaviour, member, value
):
    webhook("submit")
    serve(behaviour, label="Webshop")
    record = bring(TABLE)
    look_up_due()

    status, problem = plan(record)

    assert (status, problem["code"], problem[member]) == (409, "lookup_failed", value)
    assert problem["detail"].startswith("Webshop ")
    assert apply(record, status=409)["code"] == "lookup_failed"
    assert not Delivery.objects.exists()


def test_an_answer_that_is_too_large_is_refused(catalog, serve, bring, plan, monkeypatch):
    monkeypatch.setattr(pages, "ANSWER_BYTES", 3_000)
    serve(says(answer(("1", {**ADA, "name": "a" * 4_000}))))
    record = bring(TABLE)
    look_up_due()

    assert "too large" in plan(record)[1]["why"]


def test_a_host_that_takes_too_long_is_given_up(catalog, serve, bring, plan, monkeypatch):
    monkeypatch.setattr(worker, "LIMIT_S", 0.0)
    host = serve()
    record = bring(TABLE)
    look_up_due()

    assert "too slowly" in plan(record)[1]["detail"]
    assert host.received == []


def test_a_silent_host_is_given_up(catalog, serve, bring, plan, monkeypatch):
    release = threading.Event()
    monkeypatch.setattr(pages, "DEADLINE_S", 0.2)
    serve(lambda call: (call.take(), release.wait(20)))
    record = bring(TABLE)
    look_up_due()
    release.set()

    assert plan(record)[1]["errorClass"] == "timeout"


def test_a_failed_lookup_is_retried_by_a_later_call(catalog, serve, bring, plan, counts):
    host = serve(answers(503), from_records)
    host.has(_1=ADA)
    record = bring(TABLE)
    look_up_due()
    assert plan(record)[1]["retryAfter"] == 10
    later(seconds=10)

    assert plan(record)[1]["code"] == "looking_up"
    assert counts(record) == {"unchanged": 1, "new": 2}
    assert health() == 0


def test_a_retry_sends_only_the_keys_without_an_answer(
    catalog, serve, bring, plan, counts, monkeypatch
):
    monkeypatch.setattr(worker, "MOST_KEYS", 1)
    monkeypatch.setattr(pages, "CONNECTIONS", 1)
    host = serve(from_records, answers(503), from_records)
    record = bring(TABLE)
    look_up_due()
    later(seconds=10)
    plan(record)
    counts(record)

    assert host.keys() == ["C-1", "C-2", "C-2", "C-3"]


def test_a_ref_that_two_pages_give_to_different_keys_is_refused_and_asked_again(
    catalog, serve, bring, plan, monkeypatch
):
    monkeypatch.setattr(worker, "MOST_KEYS", 1)
    monkeypatch.setattr(pages, "CONNECTIONS", 1)
    serve(says(answer(("1", ADA))), says(answer(("1", GRACE))))
    record = bring(TABLE)
    look_up_due()

    assert "another key" in plan(record)[1]["why"]
    assert not LookedUpKeys.objects.exists()


def test_an_answer_older_than_the_last_delivery_is_refused(catalog, serve, bring, plan, owner):
    serve(says(answer(asOf=clock.iso(clock.now() - timedelta(hours=1)))))
    record = bring(TABLE)
    known_set = set_of(tenant=owner, scope="", entity="customer")
    KnownSet.objects.filter(pk=known_set.pk).update(delivered_at=clock.now())
    look_up_due()

    assert "older than" in plan(record)[1]["detail"]


def test_an_apply_whose_lookup_fails_waits_for_a_person_to_retry(
    catalog, serve, bring, apply, webhook, client
):
    webhook("submit")
    host = serve(from_records, answers(500), from_records)
    record = bring(TABLE)
    look_up_due()
    apply_later = {"invalidRows": "exclude"}
    address = f"{V1}/imports/{record['recordId']}"
    assert client.post(f"{address}/apply", apply_later, format="json").status_code == 202
    later(hours=1)  # the worker starts long after the call
    stopped = carry_on(client, record["recordId"])

    assert (stopped["state"], stopped["problem"]["code"]) == ("failed", "lookup_failed")
    assert host.registration.public_id in stopped["problem"]["detail"]
    assert not Delivery.objects.exists()
    assert client.post(f"{address}/retry").status_code in {200, 202}
    assert carry_on(client, record["recordId"])["state"] == "applied"


def test_a_worker_that_is_killed_continues_with_what_is_missing(
    catalog, serve, bring, counts, monkeypatch
):
    monkeypatch.setattr(worker, "MOST_KEYS", 1)
    monkeypatch.setattr(pages, "CONNECTIONS", 1)
    host = serve()
    record = bring(TABLE)
    take = worker._Fetching._take

    class Killed(BaseException):
        pass

    def take_two(self, item):
        if item.page.keys == ["C-3"]:
            raise Killed
        take(self, item)

    monkeypatch.setattr(worker._Fetching, "_take", take_two)
    with pytest.raises(Killed):
        look_up_due()
    monkeypatch.setattr(worker._Fetching, "_take", take)
    Lookup.objects.update(claimed_until=clock.now())  # its lease is over

    assert counts(record) == {"new": 3}
    assert host.keys() == ["C-1", "C-2", "C-3", "C-3"]


def test_a_worker_that_lost_its_claim_stores_nothing(catalog, serve, bring, client):
    host = serve()
    host.has(_1=ADA)
    bring(TABLE)
    real = worker._Fetching._store

    def store(self, *args, **more):
        Lookup.objects.update(claim_no=99)
        return real(self, *args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker._Fetching, "_store", store)
        look_up_due()

    assert known(client) == {}
    assert Lookup.objects.get().state == "looking"


def test_a_page_is_not_shown_what_the_host_answered():
    refused = state.LookupFailed(
        members={"webhookId": "whk_1", "why": "it is not JSON", "httpStatus": 500, "retryAfter": 10}
    )

    assert refused.for_page().members == {"retryAfter": 10}


def test_a_deleted_import_keeps_no_keys(catalog, serve, bring, counts, client):
    serve()
    record = bring(TABLE)
    counts(record)

    assert client.delete(f"{V1}/imports/{record['recordId']}").status_code == 204
    assert not Lookup.objects.exists()


def test_the_keys_are_numbers_at_rest(catalog, serve, bring, counts):
    serve()
    counts(bring(TABLE))

    stored = b"".join(page.keys + page.refs for page in LookedUpKeys.objects.all())
    assert stored
    assert b"C-1" not in stored


REGISTER = {"url": "http://127.0.0.1:9/other", "actions": ["lookup"]}


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("actions", ["lookup", "submit"]),
        ("events", ["import.applied"]),
        ("include", ["changes"]),
        ("maxRowsPerDelivery", 5),
    ],
)
def test_a_lookup_is_registered_alone(catalog, webhook, client, member, value):
    body = {**REGISTER, member: value}
    response = client.post(f"{V1}/webhooks", body, format="json")

    assert response.status_code == 400, response.content
    assert response.json()["errors"][0]["pointer"] == f"/{member}"


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        (None, None, 409),
        (["a"], None, 409),
        (None, ["a"], 409),
        (["a", "b"], ["b", "c"], 409),
        (["a"], ["b"], 201),
    ],
)
def test_a_catalog_has_one_registration_for_lookups(webhook, client, first, second, status):
    former = webhook("lookup", catalog_keys=first)
    response = client.post(f"{V1}/webhooks", {**REGISTER, "catalogKeys": second}, format="json")

    assert response.status_code == status, response.content
    if status == 409:
        assert response.json()["code"] == "lookup_registered"
        assert response.json()["webhookId"] == former.public_id


def test_a_reference_is_still_resolved_by_what_was_sent(published, serve, bring, counts, know):
    published([entry("order", "no", {"key": "customer", "reference": reference()})])
    know("customer", _1=ADA)
    host = serve()

    record = bring({"order.no": ["1"], "order.customer": ["C-1"]})

    assert record["counts"]["error"] == 0
    assert counts(record) == {"new": 1}
    assert host.received == []
