"""From pending to a final state, against real hosts. Spec: Events > Delivery and retry."""

import json
import threading
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import OperationalError, connections

from common import clock, storage
from common.actors import ENGINE
from common.errors import Conflict
from deliveries import services, tasks
from deliveries.fairness import Slots
from deliveries.http.client import Client
from deliveries.http.connections import TlsSettings
from deliveries.models import Attempt, Delivery, Registration
from deliveries.services import claims, dispatch
from deliveries.services.attempt import new_client
from deliveries.services.claims import claim_due
from deliveries.services.dispatch import Dispatcher
from licensing.models import Tenant
from tests.deliveries.conftest import NOON, answers, drops, outcome

pytestmark = pytest.mark.django_db(transaction=True)


def run_dispatcher() -> None:
    Dispatcher(client=new_client()).run()


def attempts(delivery: Delivery) -> list[tuple[int, int | None, str]]:
    rows = Attempt.objects.filter(delivery=delivery).order_by("number")
    return [(row.number, row.http_status, row.error_class) for row in rows]


def make_due(delivery: Delivery) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(due_at=clock.now())


def test_a_due_delivery_reaches_its_host_with_the_five_headers(
    make_host, make_registration, make_delivery
):
    host = make_host()
    delivery = make_delivery(make_registration(host.url), rows=2)

    run_dispatcher()

    delivery.refresh_from_db()
    (received,) = host.received
    body = json.loads(received.body)
    headers = received.headers
    assert (delivery.state, delivery.attempts, delivery.due_at) == ("delivered", 1, None)
    assert attempts(delivery) == [(1, 200, "")]
    assert headers["x-import-event"] == "import.apply"
    assert headers["x-import-delivery-id"] == body["deliveryId"] == delivery.public_id
    assert headers["x-import-signature"].startswith(f"t={headers['x-import-timestamp']},v1=")
    assert headers["content-type"] == "application/json"
    assert body["rows"] == [{"p.n": 0}, {"p.n": 1}]


def test_a_failed_attempt_is_repeated_with_the_same_id_and_bytes(
    make_host, make_registration, make_delivery
):
    host = make_host(answers(500), drops, answers(200))
    registration = make_registration(host.url)
    delivery = make_delivery(registration)

    for _ in range(3):
        run_dispatcher()
        make_due(delivery) if Delivery.objects.filter(state="pending") else None

    delivery.refresh_from_db()
    assert delivery.state == "delivered"
    assert attempts(delivery) == [(1, 500, ""), (2, None, "dropped"), (3, 200, "")]
    assert len({received.body for received in host.received}) == 1
    assert len({received.headers["x-import-delivery-id"] for received in host.received}) == 1


def test_a_failed_attempt_waits_as_the_schedule_says(
    make_host, make_registration, make_delivery, settings
):
    settings.WEBHOOK_WAITS_S = (100, 1_000)
    delivery = make_delivery(make_registration(make_host(answers(503, retry_after="150")).url))
    before = clock.now()

    run_dispatcher()

    delivery.refresh_from_db()
    wait_s = (delivery.due_at - before).total_seconds()
    assert delivery.state == "pending"
    assert 150 <= wait_s < 160
    assert delivery.waits_used == 1


def test_after_every_wait_a_delivery_is_exhausted(
    make_host, make_registration, make_delivery, settings
):
    settings.WEBHOOK_WAITS_S = (1,)
    delivery = make_delivery(make_registration(make_host(answers(500)).url), waits_used=1)

    run_dispatcher()

    delivery.refresh_from_db()
    assert delivery.state == "exhausted"
    assert delivery.settled_at is not None


def test_a_413_is_final_and_says_what_to_do(make_host, make_registration, make_delivery):
    delivery = make_delivery(make_registration(make_host(answers(413)).url))

    run_dispatcher()

    delivery.refresh_from_db()
    assert delivery.state == "rejected"
    assert "parts" in delivery.hint


@pytest.mark.parametrize("state", ["delivered", "rejected", "exhausted", "cancelled"])
def test_a_settled_delivery_is_never_sent_again_by_itself(
    make_host, make_registration, make_delivery, state
):
    host = make_host()
    make_delivery(make_registration(host.url), **outcome(state))

    run_dispatcher()

    assert host.received == []


@pytest.mark.parametrize("state", ["delivered", "rejected", "exhausted"])
def test_a_person_sends_the_same_id_and_bytes_again(
    make_host, make_registration, make_delivery, state
):
    host = make_host()
    delivery = make_delivery(make_registration(host.url), rows=1)
    run_dispatcher()
    Delivery.objects.update(**outcome(state), waits_used=5)
    delivery.refresh_from_db()

    services.redeliver(delivery=delivery, actor=ENGINE, at=NOON)
    run_dispatcher()

    delivery.refresh_from_db()
    first, second = host.received
    assert first.body == second.body
    assert first.headers["x-import-delivery-id"] == second.headers["x-import-delivery-id"]
    assert attempts(delivery) == [(1, 200, ""), (2, 200, "")]
    assert delivery.state == "delivered"


def test_a_redelivery_starts_the_waits_from_the_first(make_delivery):
    delivery = make_delivery(waits_used=9, **outcome("exhausted"))

    services.redeliver(delivery=delivery, actor=ENGINE, at=NOON)

    delivery.refresh_from_db()
    assert (delivery.waits_used, delivery.due_at, delivery.settled_at) == (0, NOON, None)


def test_what_cannot_be_sent_is_not_redelivered(make_registration, make_delivery):
    registration = make_registration()
    purged = make_delivery(registration, body_name="", **outcome("exhausted"))
    orphan = make_delivery(registration, **outcome("exhausted"))

    with pytest.raises(Conflict, match="deleted"):
        services.redeliver(delivery=purged, actor=ENGINE, at=NOON)
    services.delete_registration(registration=registration, at=NOON)
    orphan.refresh_from_db()
    with pytest.raises(Conflict, match="registration"):
        services.redeliver(delivery=orphan, actor=ENGINE, at=NOON)


def test_rows_that_were_too_large_go_out_in_parts(make_host, make_registration, make_delivery):
    host = make_host(answers(413), answers(200))
    delivery = make_delivery(make_registration(host.url), rows=5)
    run_dispatcher()
    delivery.refresh_from_db()

    parts = services.resend_in_parts(delivery=delivery, max_rows=2, actor=ENGINE, at=NOON)
    run_dispatcher()

    bodies = sorted(
        (json.loads(received.body) for received in host.received[1:]),
        key=lambda body: body["batch"]["index"],
    )
    assert [body["deliveryId"] for body in bodies] == [part.public_id for part in parts]
    assert [body["rowCount"] for body in bodies] == [2, 2, 1]
    assert [row["p.n"] for body in bodies for row in body["rows"]] == [0, 1, 2, 3, 4]
    with pytest.raises(Conflict, match="parts"):
        services.resend_in_parts(delivery=delivery, max_rows=2, actor=ENGINE, at=NOON)
    with pytest.raises(Conflict, match="parts"):
        services.redeliver(delivery=delivery, actor=ENGINE, at=NOON)


def test_a_test_delivery_has_the_size_asked_for(make_host, make_registration):
    host = make_host()

    delivery = services.send_test(registration=make_registration(host.url), at=NOON, size=5_000)
    run_dispatcher()

    body = json.loads(host.received[0].body)
    assert len(host.received[0].body) == delivery.body_size == 5_000
    assert (body["test"], body["rows"], body["rowCount"]) == (True, [], 0)


def test_a_registration_that_refuses_is_flagged_until_it_accepts(
    make_host, make_registration, make_delivery
):
    host = make_host(answers(503), answers(200), answers(422), answers(500), answers(200))
    registration = make_registration(host.url)
    seen = []

    for is_new in (True, False, True, True, False):
        if is_new:
            make_delivery(registration)
        run_dispatcher()
        registration.refresh_from_db()
        seen.append(registration.refusing_since is not None)
        Delivery.objects.filter(state="pending").update(due_at=clock.now())

    assert seen == [False, False, True, True, False]


def test_a_test_delivery_that_is_refused_flags_nothing(make_host, make_registration):
    registration = make_registration(make_host(answers(422)).url)
    services.send_test(registration=registration, at=NOON, size=500)
    run_dispatcher()

    registration.refresh_from_db()
    assert (registration.is_failing, registration.refusing_since) == (True, None)


def test_a_registration_that_fails_is_flagged_until_it_works(
    make_host, make_registration, make_delivery
):
    registration = make_registration(make_host(answers(500), answers(500), answers(200)).url)
    delivery = make_delivery(registration)
    seen = []

    for _ in range(3):
        run_dispatcher()
        registration.refresh_from_db()
        seen.append((registration.consecutive_failures, registration.failing_since is not None))
        Delivery.objects.filter(state="pending").update(due_at=clock.now())

    assert seen == [(1, True), (2, True), (0, False)]
    delivery.refresh_from_db()
    assert delivery.state == "delivered"


def test_a_body_that_is_lost_never_leaves_and_is_seen(make_host, make_registration, make_delivery):
    host = make_host()
    delivery = make_delivery(make_registration(host.url))
    storage.delete(delivery.body_name)

    run_dispatcher()

    assert attempts(delivery) == [(1, None, "body_missing")]
    assert host.received == []


def test_a_body_that_was_altered_never_leaves(make_host, make_registration, make_delivery):
    host = make_host()
    delivery = make_delivery(make_registration(host.url))
    path = storage.local_path(delivery.body_name)
    path.write_bytes(path.read_bytes().replace(b"submit", b"revert"))

    run_dispatcher()

    assert attempts(delivery) == [(1, None, "body_damaged")]
    assert host.received == []


def test_what_was_enqueued_for_a_deleted_registration_is_cancelled(
    make_host, make_registration, make_delivery
):
    host = make_host()
    registration = make_registration(host.url)
    delivery = make_delivery(registration)
    Registration.objects.update(deleted_at=NOON)

    run_dispatcher()

    delivery.refresh_from_db()
    assert delivery.state == "cancelled"
    assert host.received == []


def test_what_a_dead_worker_held_is_sent_after_its_lease(
    make_host, make_registration, make_delivery
):
    host = make_host()
    delivery = make_delivery(make_registration(host.url))
    Delivery.objects.update(state="sending", claimed_until=clock.now() + timedelta(seconds=30))
    run_dispatcher()
    held = list(host.received)

    Delivery.objects.update(claimed_until=clock.now() - timedelta(seconds=1))
    run_dispatcher()

    delivery.refresh_from_db()
    assert held == []
    assert delivery.state == "delivered"


def test_dispatchers_that_race_send_each_delivery_once(make_host, make_registration, make_delivery):
    host = make_host()
    registrations = [make_registration(f"{host.url}/{number}") for number in range(3)]
    made = [make_delivery(registration) for registration in registrations for _ in range(8)]

    def race() -> None:
        with suppress(OperationalError):  # SQLite's in-memory test database locks whole tables
            run_dispatcher()
        connections.close_all()

    racers = [threading.Thread(target=race) for _ in range(3)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    run_dispatcher()  # what a racer left when it could not look

    sent = [received.headers["x-import-delivery-id"] for received in host.received]
    assert sorted(sent) == sorted(delivery.public_id for delivery in made)
    assert set(Delivery.objects.values_list("state", "attempts")) == {("delivered", 1)}


def test_a_hanging_host_does_not_delay_another(make_host, make_registration, make_delivery):
    released = threading.Event()
    hanging = make_host(lambda call: answers(200)(call) if released.wait(20) else None)
    quick = make_host()
    quick.plan = [lambda call: (answers(200)(call), arrived.release())]
    arrived = threading.Semaphore(0)
    stuck, fine = make_registration(hanging.url), make_registration(quick.url)
    for _ in range(70):
        make_delivery(stuck)
    for _ in range(10):
        make_delivery(fine)

    dispatcher = threading.Thread(target=lambda: (run_dispatcher(), connections.close_all()))
    dispatcher.start()
    quick_ones = [arrived.acquire(timeout=20) for _ in range(10)]
    hanging_ones = len(hanging.received)
    released.set()
    dispatcher.join()

    assert all(quick_ones)
    assert hanging_ones == 0
    assert not Delivery.objects.exclude(state="delivered").exists()


def test_a_hundred_hanging_receivers_of_a_tenant_do_not_delay_another_tenant(
    make_host, make_registration, make_delivery, settings
):
    settings.WEBHOOK_CALLS_PER_MINUTE = 100
    released, arrived = threading.Event(), threading.Event()
    hanging = make_host(lambda call: answers(200)(call) if released.wait(60) else None)
    quick = make_host(lambda call: (answers(200)(call), arrived.set()))
    other = Tenant.objects.create(public_id="tnt_other", created_at=NOON)
    for number in range(100):
        make_delivery(make_registration(f"{hanging.url}/{number}"))
    make_delivery(make_registration(quick.url, tenant=other))

    dispatcher = threading.Thread(target=lambda: (run_dispatcher(), connections.close_all()))
    dispatcher.start()
    was_sent = arrived.wait(20)
    taken_by_hanging = len(hanging.received)
    released.set()
    dispatcher.join()

    assert was_sent
    assert taken_by_hanging == 0
    assert not Delivery.objects.exclude(state="delivered").exists()


def test_due_deliveries_behind_more_than_a_page_of_another_tenants_are_claimed(
    make_registration, make_delivery, tenant, monkeypatch
):
    monkeypatch.setattr(claims, "PAGE", 5)
    mine = make_registration()
    for _ in range(20):
        make_delivery(mine)
    other = Tenant.objects.create(public_id="tnt_other", created_at=NOON)
    late = make_delivery(make_registration(tenant=other), at=NOON + timedelta(seconds=1))

    claimed = claim_due(slots=Slots(count=1_000), at=clock.now())

    assert late.pk in {delivery.pk for delivery, _ in claimed}


def test_a_dispatcher_does_not_claim_again_what_it_holds(make_registration, make_delivery):
    make_delivery(make_registration())
    slots, later = Slots(), clock.now() + timedelta(hours=1)
    first = claim_due(slots=slots, at=clock.now())

    again = claim_due(slots=slots, at=later)  # its lease ran out while the database was away

    assert len(first) == 1
    assert again == []
    assert len(claim_due(slots=Slots(), at=later)) == 1  # another dispatcher may


def test_an_attempt_is_logged_once_though_the_answer_to_the_commit_was_lost(
    make_host, make_registration, make_delivery, monkeypatch
):
    delivery = make_delivery(make_registration(make_host(answers(500)).url))
    real, calls = dispatch.record_outcomes, []

    def record_outcomes(sent, *, at):
        calls.append(len(sent))
        failing = real(sent, at=at)
        if len(calls) == 1:
            raise OperationalError("the connection was lost after the commit")
        return failing

    monkeypatch.setattr(dispatch, "record_outcomes", record_outcomes)

    run_dispatcher()

    assert calls == [1, 0]
    assert attempts(delivery) == [(1, 500, "")]


@pytest.mark.parametrize("jump", [timedelta(days=1), timedelta(days=-1)])
def test_a_clock_that_jumps_meanwhile_sends_nothing_twice(
    make_host, make_registration, make_delivery, monkeypatch, jump
):
    offset, real = timedelta(), clock.now

    def jumps(call):
        nonlocal offset
        offset = jump
        answers(200)(call)

    monkeypatch.setattr(clock, "now", lambda: real() + offset)
    host = make_host(jumps)
    registration = make_registration(host.url)
    made = [make_delivery(registration) for _ in range(3)]

    run_dispatcher()
    run_dispatcher()

    sent = sorted(received.headers["x-import-delivery-id"] for received in host.received)
    assert sent == sorted(delivery.public_id for delivery in made)
    assert set(Delivery.objects.values_list("state", flat=True)) == {"delivered"}


def test_what_waits_behind_a_failure_is_given_back_unsent(
    make_host, make_registration, make_delivery
):
    host = make_host(answers(500))
    registration = make_registration(host.url)
    for _ in range(40):
        make_delivery(registration)

    Dispatcher(client=new_client(), threads=4).run()

    states = set(Delivery.objects.values_list("state", "attempts", "waits_used"))
    assert states == {("pending", 1, 1)}
    assert len(host.received) == 40


def test_a_host_gets_one_large_body_at_a_time(make_host, make_registration):
    host = make_host()
    for number in range(3):
        registration = make_registration(f"{host.url}/{number}")
        services.send_test(registration=registration, at=NOON, size=5_000_000)

    run_dispatcher()

    assert len(host.received) == 3
    assert host.most_at_once == 1


def test_answers_are_held_while_the_database_is_away(
    make_host, make_registration, make_delivery, monkeypatch
):
    host = make_host()
    delivery = make_delivery(make_registration(host.url))
    real, failures = (
        dispatch.record_outcomes,
        [OperationalError("gone"), OperationalError("gone")],
    )

    def record_outcomes(sent, *, at):
        if failures:
            raise failures.pop()
        return real(sent, at=at)

    monkeypatch.setattr(dispatch, "record_outcomes", record_outcomes)
    monkeypatch.setattr(dispatch, "DATABASE_PAUSE_S", 0)

    run_dispatcher()

    delivery.refresh_from_db()
    assert (delivery.state, len(host.received)) == ("delivered", 1)


@pytest.mark.parametrize("status", [200, 500])
def test_an_answer_to_what_was_cancelled_meanwhile_is_logged_and_changes_nothing_else(
    make_host, make_registration, make_delivery, status
):
    registration = make_registration()
    delivery = make_delivery(registration)

    def takes_it_away(call):
        services.delete_registration(registration=registration, at=clock.now())
        answers(status)(call)
        connections.close_all()

    Registration.objects.update(url=make_host(takes_it_away).url)

    run_dispatcher()

    delivery.refresh_from_db()
    assert delivery.state == "cancelled"
    assert attempts(delivery) == [(1, status, "")]


def test_a_host_that_took_the_rows_settles_them_though_the_claim_was_lost(
    make_host, make_registration, make_delivery
):
    def outlives_its_lease(call):
        Delivery.objects.update(claim_no=77, claimed_until=clock.now() + timedelta(seconds=30))
        answers(200)(call)
        connections.close_all()

    delivery = make_delivery(make_registration(make_host(outlives_its_lease).url))

    run_dispatcher()

    delivery.refresh_from_db()
    assert delivery.state == "delivered"
    assert delivery.claim_no > 77  # who holds the claim now has lost it


def test_a_slot_comes_back_when_claiming_fails(make_delivery, monkeypatch):
    make_delivery()
    slots = Slots()
    monkeypatch.setattr("deliveries.transitions.claim", _fails)

    with pytest.raises(OperationalError):
        claim_due(slots=slots, at=clock.now())

    assert slots.free == slots.count


def _fails(*_: object, **__: object) -> None:
    raise OperationalError


def test_our_own_bug_costs_an_attempt_and_no_slot(
    make_registration, make_delivery, monkeypatch, caplog
):
    delivery = make_delivery(make_registration())
    monkeypatch.setattr(dispatch, "post", lambda *_, **__: 1 / 0)

    run_dispatcher()

    assert attempts(delivery) == [(1, None, "engine")]
    assert "ZeroDivisionError" in caplog.text


def test_the_task_sends_what_is_due(make_host, make_registration, make_delivery):
    delivery = make_delivery(make_registration(make_host().url))

    tasks.dispatch_due()

    delivery.refresh_from_db()
    assert delivery.state == "delivered"


def test_a_worker_that_ends_settles_what_has_begun_and_gives_back_the_rest(
    make_host, make_registration, make_delivery
):
    begun, go_on = threading.Event(), threading.Event()
    host = make_host(lambda call: (begun.set(), go_on.wait(20), answers(200)(call)))
    registration = make_registration(host.url)
    made = [make_delivery(registration) for _ in range(5)]
    dispatcher = Dispatcher(client=new_client(), threads=1)

    def end() -> None:
        begun.wait(20)
        dispatcher.wind_down()
        go_on.set()

    ending = threading.Thread(target=end)
    ending.start()
    dispatcher.run()
    ending.join()

    states = sorted(Delivery.objects.values_list("state", "attempts"))
    assert states[0] == ("delivered", 1)
    assert ("pending", 0) in states
    assert not Delivery.objects.filter(state="sending").exists()
    run_dispatcher()
    sent = sorted(received.headers["x-import-delivery-id"] for received in host.received)
    assert sent == sorted(delivery.public_id for delivery in made)


def test_a_second_task_only_wakes_the_first(make_host, make_registration, make_delivery):
    woken = []
    client = Client(networks=(), tls=TlsSettings())
    running = Dispatcher(client=client)
    running.look_again = lambda: woken.append(True)
    tasks._running = running
    try:
        tasks.dispatch_due()
    finally:
        tasks._running = None

    assert woken == [True]
