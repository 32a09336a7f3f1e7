"""What happens to a lookup while rows are edited, values delivered, and imports cancelled."""

from datetime import timedelta

import pytest
from django.db import OperationalError

from agents.sessions import of_process
from changesets.follow_up import follow_due
from changesets.lookups import state, worker
from changesets.lookups.keys import answers_of
from changesets.lookups.model import Lookup
from common import clock
from deliveries.models import Delivery, Registration
from deliveries.services import lookups as pages
from importengine.processes import programs
from imports.models import ImportRecord
from imports.parts import Failure
from licensing import services as licensing
from references.models import KnownEntity, KnownSet
from references.services import set_of
from tests.deliveries.conftest import answers
from tests.imports.conftest import carry_on
from tests.references.conftest import (
    V1,
    apply,
    bring,
    host_answers,
    know,
    known,
    published,
    webhook,
)
from tests.references.looking_up import answer, from_records, look_up_due, says, serve
from tests.references.test_lookups import (
    ADA,
    NAME,
    NO,
    TABLE,
    catalog,
    counts,
    edit,
    health,
    later,
    plan,
)

__all__ = ["apply", "bring", "catalog", "counts", "edit", "know", "plan", "published", "serve",
           "webhook"]  # fmt: skip
pytestmark = pytest.mark.django_db
GRACE = {"number": "C-2", "name": "Grace"}


@pytest.fixture
def undo(client):
    def undo(record):
        address = f"{V1}/imports/{record['recordId']}"
        revision = client.get(address).json()["revision"]
        answer = client.post(f"{address}/undo", {"revision": revision}, format="json")
        assert answer.status_code == 200, answer.content

    return undo


@pytest.fixture
def delivered(serve, bring, apply, webhook, catalog):
    """Return a function that delivers a row under a key that the host does not have yet."""

    def delivered(**more):
        host = serve(**more)
        webhook("submit")
        first = bring({NO: ["C-1"], NAME: ["Ada L."]})
        look_up_due()
        applied = apply(first)
        host_answers()
        follow_due()
        return host, applied

    return delivered


def test_an_undo_asks_for_the_key_that_the_edit_had_replaced(
    catalog, serve, bring, counts, edit, undo, plan
):
    host = serve()
    host.has(_22=GRACE)
    record = bring(TABLE)
    edit(record, 1, NO, "X-1")
    look_up_due()
    undo(record)

    assert plan(record)[1]["code"] == "looking_up"
    assert counts(record) == {"unchanged": 1, "new": 2}
    assert host.keys() == ["C-1", "X-1", "C-3", "C-2"]


def test_an_undo_of_an_edit_without_a_new_key_asks_nothing(
    catalog, serve, bring, counts, edit, undo, plan
):
    host = serve()
    record = bring(TABLE)
    counts(record)
    edit(record, 1, NAME, "Grace")
    assert plan(record)[0] == 200
    undo(record)

    assert plan(record)[0] == 200
    assert host.keys() == ["C-1", "C-2", "C-3"]


def test_answers_are_read_once_after_an_edit(
    catalog, serve, bring, counts, edit, plan, monkeypatch
):
    serve()
    record = bring(TABLE)
    counts(record)
    edit(record, 1, NAME, "Grace B.")
    reads = []

    def read(lookup, **how):
        reads.append(how)
        return answers_of(lookup, **how)

    monkeypatch.setattr(state, "answers_of", read)
    assert [plan(record)[0] for _ in range(3)] == [200, 200, 200]

    assert reads == [{"with_refs": False}]


@pytest.mark.django_db(transaction=True)
def test_an_apply_with_an_idempotency_key_has_the_host_asked(
    catalog, serve, bring, webhook, client
):
    serve()
    webhook("submit")
    record = bring(TABLE)
    Lookup.objects.all().delete()  # as if the registration were newer than the rows
    address = f"{V1}/imports/{record['recordId']}/apply"

    def call():
        body = {"invalidRows": "exclude"}
        return client.post(address, body, format="json", headers={"Idempotency-Key": "a"})

    assert call().json()["code"] == "looking_up"
    assert Lookup.objects.get().state == "looking"
    look_up_due()
    assert call().status_code == 202


@pytest.mark.django_db(transaction=True)
def test_an_apply_with_an_idempotency_key_is_refused_once_for_a_failure(
    catalog, serve, bring, webhook, client
):
    serve(answers(503), from_records)
    webhook("submit")
    record = bring(TABLE)
    look_up_due()
    later(seconds=10)
    address = f"{V1}/imports/{record['recordId']}/apply"

    def call():
        body = {"invalidRows": "exclude"}
        return client.post(address, body, format="json", headers={"Idempotency-Key": "a"})

    assert [call().json()["code"] for _ in range(2)] == ["lookup_failed", "looking_up"]
    look_up_due()
    assert call().status_code == 202


def test_a_ref_that_the_host_chose_keeps_what_was_delivered(delivered, bring, counts, plan, client):
    host, _ = delivered()
    (ref,) = known(client)
    host.has(_17={**ADA, "name": "Ada King"})

    record = bring({NO: ["C-1"], NAME: ["Ada L."]})

    assert counts(record) == {"unchanged": 1}
    assert plan(record)[1]["heldFields"] == [{"field": NAME, "why": "host", "rows": 1}]
    assert ref.startswith("ent_")
    assert known(client) == {"17": {**ADA, "name": "Ada King"}}


def test_a_ref_that_the_host_chose_stops_no_revert(delivered, bring, counts, client):
    host, applied = delivered()
    host.has(_17={**ADA, "name": "Ada L."})
    counts(bring({NO: ["C-1"], NAME: ["Ada L."]}))
    assert known(client).keys() == {"17"}

    address = f"{V1}/changesets/{applied['changesetId']}/revert"
    answer = client.post(address, {}, format="json")

    assert answer.status_code == 202, answer.content
    carry_on(client, applied["recordId"])
    follow_due()
    assert known(client) == {}


def test_a_ref_whose_key_changed_keeps_what_was_delivered(
    delivered, bring, counts, plan, monkeypatch
):
    monkeypatch.setattr(worker, "MOST_KEYS", 1)
    monkeypatch.setattr(pages, "CONNECTIONS", 1)
    host, _ = delivered()
    ref = KnownEntity.objects.get().ref
    host.has(**{ref: {"number": "C-2", "name": "Ada King"}})

    record = bring({NO: ["C-1", "C-2"], NAME: ["Eve", "Ada L."]})

    assert counts(record) == {"new": 1, "unchanged": 1}
    assert plan(record)[1]["heldFields"] == [{"field": NAME, "why": "host", "rows": 1}]


@pytest.mark.parametrize("ref", ["1", "2"])
@pytest.mark.django_db(transaction=True)
def test_an_answer_does_not_replace_what_was_sent_after_it_was_asked_for(
    catalog, bring, counts, know, client, serve, owner, ref
):
    record_of_host = {"number": "C-1", "name": "Newer"}

    def put():
        known_set = set_of(tenant=owner, scope="", entity="customer")
        KnownEntity.objects.create(
            known_set=known_set, ref=ref, values=record_of_host, changed_at=clock.now()
        )

    class Answering(worker._Fetching):
        def _store(self, *args, **more):
            put()
            know("customer", **{f"_{ref}": {**record_of_host, "name": "Newest"}})
            super()._store(*args, **more)

    host = serve()
    host.has(_1=ADA)
    record = bring(TABLE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "_Fetching", Answering)
        look_up_due()

    assert known(client) == {ref: {"number": "C-1", "name": "Newest"}}
    assert counts(record) == {"changed": 1, "new": 2}


def test_a_later_question_is_newer_than_a_slow_answer(catalog, serve, bring, counts, client):
    start = clock.now() - timedelta(seconds=20)
    host = serve(says(answer(("1", ADA), asOf=clock.iso(start))), says(
        answer(("1", {**ADA, "name": "Ada K."}), asOf=clock.iso(start + timedelta(seconds=10)))
    ))  # fmt: skip
    counts(bring(TABLE))
    counts(bring(TABLE))

    assert known(client)["1"]["name"] == "Ada K."
    assert len(host.received) == 2


def test_an_agent_in_its_own_process_has_the_host_asked(catalog, serve, bring, owner, mint_key):
    host = serve()
    record = bring(TABLE)
    Lookup.objects.all().delete()
    caller, _ = licensing.accept_key(key=mint_key(), at=clock.now())
    session = of_process(caller, files=None)

    session.wait_for(lambda: ImportRecord.objects.get(public_id=record["recordId"]))

    assert Lookup.objects.get().state == "done"
    assert host.keys() == ["C-1", "C-2", "C-3"]


def test_a_caller_that_polls_slowly_sees_why_a_lookup_failed(catalog, serve, bring, plan):
    serve(answers(503))
    record = bring(TABLE)
    look_up_due()
    later(seconds=60)

    status, problem = plan(record)

    assert (status, problem["code"], problem["retryAfter"]) == (409, "lookup_failed", 1)
    assert problem["httpStatus"] == 503
    assert plan(record)[1]["code"] == "looking_up"


@pytest.mark.parametrize("column", ["delivered_at", "forgotten_at"])
def test_what_is_delivered_or_forgotten_after_a_lookup_has_the_host_asked_again(
    catalog, serve, bring, counts, plan, column
):
    host = serve()
    record = bring(TABLE)
    counts(record)
    KnownSet.objects.update(**{column: clock.now()})

    assert plan(record)[1]["code"] == "looking_up"
    assert counts(record) == {"new": 3}
    assert host.keys() == ["C-1", "C-2", "C-3"] * 2


def test_entities_that_a_call_deletes_are_asked_about_again(
    catalog, serve, bring, counts, plan, client
):
    host = serve()
    host.has(_1=ADA)
    record = bring(TABLE)
    counts(record)
    assert client.delete(f"{V1}/references/customer").status_code in {200, 204}

    assert plan(record)[1]["code"] == "looking_up"
    assert counts(record) == {"unchanged": 1, "new": 2}


def test_a_failed_import_shows_no_plan_without_the_answers(catalog, serve, bring, plan):
    serve()
    record = bring(TABLE)
    Lookup.objects.all().delete()
    failure = Failure(state="applying", problem={"code": "internal_error", "detail": "It failed."})
    ImportRecord.objects.update(state="failed", failure=failure)

    assert plan(record)[1]["code"] == "looking_up"


@pytest.mark.parametrize("now", ["cancelled", "mapping", "transforming"])
def test_rows_that_are_given_up_show_no_plan_without_the_answers(catalog, serve, bring, plan, now):
    host = serve()
    record = bring(TABLE)
    ImportRecord.objects.update(state=now)

    assert plan(record)[1]["code"] == "no_rows_yet"
    look_up_due()
    assert plan(record)[1]["code"] == "no_rows_yet"
    assert host.received == []


def test_a_cancelled_import_shows_the_plan_that_it_had(catalog, serve, bring, counts, plan, client):
    serve()
    record = bring(TABLE)
    counts(record)
    assert client.post(f"{V1}/imports/{record['recordId']}/cancel").status_code == 200

    assert plan(record)[0] == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("gone", ["cancelled", "unregistered"])
def test_nothing_more_is_asked_for_an_import_that_needs_it_no_longer(
    catalog, serve, bring, monkeypatch, gone
):
    monkeypatch.setattr(worker, "MOST_KEYS", 1)
    monkeypatch.setattr(pages, "CONNECTIONS", 1)
    host = serve()
    record = bring(TABLE)
    take = worker._Fetching._take

    def take_one(self, item):
        take(self, item)
        if gone == "cancelled":
            ImportRecord.objects.update(state="cancelled")
        else:
            Registration.objects.all().delete()

    monkeypatch.setattr(worker._Fetching, "_take", take_one)
    look_up_due()

    assert len(host.received) <= 2
    lookup = Lookup.objects.get(record__public_id=record["recordId"])
    assert (lookup.state, lookup.revision) == ("done", 0)


def test_a_job_that_lost_its_claim_waits_for_no_lookup(catalog, serve, bring):
    serve()
    bring(TABLE)
    Lookup.objects.update(claimed_until=clock.now() + timedelta(seconds=30))  # of another worker
    record = ImportRecord.objects.get()
    ImportRecord.objects.update(claim_no=record.claim_no + 1)

    with pytest.raises(worker.ClaimLost):
        worker.ensure(record)


def test_workers_have_threads_for_lookups(settings):
    threads = [
        int(program.command[program.command.index("--concurrency") + 1])
        for program in (programs.import_worker(), programs.embedded_worker())
    ]
    jobs = settings.JOBS_AT_ONCE + programs.RESERVED + worker.AT_ONCE

    assert threads == [jobs, jobs + programs.DISPATCHERS]


@pytest.mark.django_db(transaction=True)
def test_a_page_that_a_delivery_outdated_is_asked_for_once_more(
    catalog, serve, bring, counts, owner
):
    serve()
    record = bring(TABLE)
    known_set = set_of(tenant=owner, scope="", entity="customer")
    real = worker._Fetching._store
    stores = []

    def store(self, item, *args, **more):
        if not stores:
            KnownSet.objects.filter(pk=known_set.pk).update(delivered_at=clock.now())
        stores.append(item)
        real(self, item, *args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker._Fetching, "_store", store)
        look_up_due()

    assert counts(record) == {"new": 3}
    assert len(stores) == 2
    assert health() == 0


def test_deliveries_that_outdate_answers_do_not_count_against_the_receiver(
    catalog, serve, bring, plan, owner
):
    serve()
    record = bring(TABLE)
    known_set = set_of(tenant=owner, scope="", entity="customer")
    future = clock.now() + timedelta(minutes=1)
    KnownSet.objects.filter(pk=known_set.pk).update(delivered_at=future)
    look_up_due()

    assert "older than" in plan(record)[1]["detail"]
    assert health() == 0


def test_an_apply_that_failed_says_what_the_receiver_answered_but_not_to_a_page(
    catalog, serve, bring, webhook, client, mint_key, client_of
):
    webhook("submit")
    host = serve(from_records, answers(500))
    record = bring(TABLE)
    look_up_due()
    address = f"{V1}/imports/{record['recordId']}"
    body = {"invalidRows": "exclude"}
    assert client.post(f"{address}/apply", body, format="json").status_code == 202
    later(hours=1)

    problem = carry_on(client, record["recordId"])["problem"]

    assert problem["code"] == "lookup_failed"
    assert (problem["webhookId"], problem["httpStatus"]) == (host.registration.public_id, 500)
    assert "retryAfter" not in problem
    assert not Delivery.objects.exists()
    assert state.problem_for_page(problem) == {
        "code": "lookup_failed",
        "detail": problem["detail"],
    }


def test_a_worker_that_stored_a_page_has_all_its_tries_again(catalog, serve, bring, counts):
    serve()
    record = bring(TABLE)
    Lookup.objects.update(tries=worker.MOST_TRIES - 1)

    assert counts(record) == {"new": 3}
    assert Lookup.objects.get().tries == 1


def test_a_database_that_fails_after_the_transform_spoils_no_rows(
    catalog, serve, bring, plan, monkeypatch
):
    def fail(*args, **more):
        raise OperationalError

    serve()
    with monkeypatch.context() as patch:
        patch.setattr(state, "begin", fail)
        record = bring(TABLE)

    assert record["problem"] is None
    assert plan(record)[1]["code"] == "looking_up"
