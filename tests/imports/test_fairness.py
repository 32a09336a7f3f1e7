"""No tenant blocks another."""

from datetime import UTC, datetime, timedelta

import pytest

from common import clock
from imports.models import ImportRecord
from licensing.models import Tenant
from workflow import worker
from workflow.fairness import LIGHT_BYTES, JobSlots, Queue, in_fair_order

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
State = ImportRecord.State


def queue(tenant: int, scope: str = "", minutes: int = 0) -> Queue:
    return Queue(tenant, scope, NOON + timedelta(minutes=minutes))


@pytest.mark.parametrize(
    ("waiting", "running", "first"),
    [
        ([queue(1), queue(2, minutes=5)], {(1, ""): 3}, 2),  # the one with less, though later
        ([queue(1, minutes=5), queue(2)], {}, 2),  # as much: who waits longer
        ([queue(1)], {(1, ""): 9}, 1),  # alone: everything
        ([queue(1, "a"), queue(2, minutes=5)], {(1, "b"): 1}, 2),  # scopes count for their tenant
    ],
)
def test_who_has_least_running_comes_first(waiting, running, first):
    assert in_fair_order(waiting, running)[0].tenant == first


def test_scopes_of_a_tenant_take_turns():
    waiting = [queue(1, "busy"), queue(1, "idle", minutes=5)]

    assert in_fair_order(waiting, {(1, "busy"): 2})[0].scope == "idle"


def test_a_tenant_alone_takes_the_usual_turns_and_leaves_the_reserved():
    turns = JobSlots(2, reserved=1)
    mine, other = [queue(1)], [queue(2)]

    assert [turns.enter(1), turns.enter(1)] == [False, False]
    assert turns.allowed(mine) == []
    assert turns.allowed(other) == other
    assert turns.enter(2) is True
    assert turns.allowed([queue(3)]) == []

    turns.leave(1)
    assert turns.allowed([queue(3)]) == [queue(3)]


def test_small_files_of_a_busy_tenant_leave_the_last_slot_to_newcomers():
    slots = JobSlots(1)
    mine, other = [queue(1)], [queue(2)]

    assert not slots.takes_only_light(1)
    slots.enter(1)
    assert slots.allowed(mine) == mine
    assert slots.takes_only_light(1)
    assert not slots.takes_only_light(2)
    slots.enter(1)
    assert slots.allowed([*mine, *other]) == other


def test_one_wake_up_works_off_what_is_due_in_turns(waits, worked):
    ids = [waits("tnt_many", minutes=n) for n in range(4)]
    waits("tnt_few", minutes=9)

    worker.advance_fairly(ids[0])

    assert sorted(worked) == ["tnt_few", *["tnt_many"] * 4]


def test_a_newcomer_passes_those_who_have_work_running(waits, worked):
    now = clock.now()
    for _ in range(3):
        waits("tnt_many")
    running = ImportRecord.objects.first()
    ImportRecord.objects.filter(pk=running.pk).update(claimed_until=now + timedelta(minutes=5))
    waits("tnt_few", minutes=9)

    worker.advance_fairly(running.public_id)

    assert worked[0] == "tnt_few"


def test_the_import_that_rang_is_first_among_its_own(waits, worked, monkeypatch):
    earlier, rang = waits("tnt_many"), waits("tnt_many", minutes=9)
    seen = []
    job = worker.job_of(ImportRecord(state=State.READING))
    monkeypatch.setattr(
        worker, "job_of", lambda _: lambda r, p: (seen.append(r.public_id), job(r, p))
    )

    worker.advance_fairly(rang)

    assert seen == [rang, earlier]


def test_a_small_file_does_not_wait_for_the_large_ones_of_its_tenant(waits, worked):
    large = [waits("tnt_many", minutes=n, size=LIGHT_BYTES) for n in range(4)]
    small = waits("tnt_many", minutes=9, size=LIGHT_BYTES - 1)
    tenant = Tenant.objects.get(public_id="tnt_many").pk
    for _ in range(2):  # two of the large ones fill the regular slots
        worker.JOB_SLOTS.enter(tenant)

    worker.advance_fairly(large[0])

    assert ImportRecord.objects.get(public_id=small).state == State.MAPPING
    waiting = ImportRecord.objects.filter(state=State.READING)
    assert set(waiting.values_list("public_id", flat=True)) == set(large)


def test_a_full_worker_asks_the_database_nothing(waits, worked, django_assert_num_queries):
    record_id = waits("tnt_many")
    for tenant in range(4):
        worker.JOB_SLOTS.enter(tenant)

    with django_assert_num_queries(0):
        worker.advance_fairly(record_id)

    assert worked == []
