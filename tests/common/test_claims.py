import os
import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.db import OperationalError, connection, connections

from common.work.claims import LEASE, ClaimLost, claim, renewed
from imports.models import ImportRecord
from imports.parts import Progress
from licensing.models import Tenant

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
ALL = ImportRecord.objects


@pytest.fixture
def make_record(db):
    tenant = Tenant.objects.create(public_id="tnt_owner", created_at=NOON)

    def make(number: int = 1, **columns) -> ImportRecord:
        columns = {"state": "reading", "due_at": NOON, **columns}
        return ALL.create(public_id=f"rec_{number}", tenant=tenant, created_at=NOON, **columns)

    return make


def test_due_work_is_claimed_once(make_record):
    make_record()

    first = claim(ALL.all(), at=NOON, limit=10)
    second = claim(ALL.all(), at=NOON + SECOND, limit=10)

    assert [record.claim_no for record in first] == [1]
    assert second == []


@pytest.mark.parametrize("due_at", [None, NOON + SECOND])
def test_work_that_is_not_due_is_left_alone(make_record, due_at):
    make_record(due_at=due_at)

    assert claim(ALL.all(), at=NOON, limit=10) == []


def test_an_expired_lease_is_claimed_again_and_fences_the_first_worker(make_record):
    make_record()
    [slow] = claim(ALL.all(), at=NOON, limit=10)
    [quick] = claim(ALL.all(), at=NOON + LEASE, limit=10)

    quick.update_as_claimed(progress=Progress(done=7))
    with pytest.raises(ClaimLost):
        slow.update_as_claimed(progress=Progress(done=1))
    assert slow.is_claim_lost()
    assert ALL.get(pk=slow.pk).progress.done == 7


def test_a_lease_of_a_clock_that_was_ahead_holds_nothing_up(make_record):
    make_record(1, claimed_until=NOON + timedelta(days=365))
    make_record(2, claimed_until=NOON + 2 * LEASE)

    assert [r.public_id for r in claim(ALL.all(), at=NOON, limit=9)] == ["rec_1"]


def test_no_more_than_the_limit_is_claimed_and_the_oldest_comes_first(make_record):
    make_record(1, due_at=NOON)
    make_record(2, due_at=NOON - SECOND)

    assert [r.public_id for r in claim(ALL.all(), at=NOON, limit=1)] == ["rec_2"]


def test_a_held_lease_is_renewed_and_a_lost_one_is_reported(
    make_record, monkeypatch, transactional_db
):
    monkeypatch.setattr("common.work.claims.RENEWAL_S", 0.01)
    make_record()
    works = claim(ALL.all(), at=NOON, limit=1)
    lost = threading.Event()

    with renewed(works, on_lost=lost.set):
        ALL.update(claim_no=99)
        assert lost.wait(timeout=5)
    assert ALL.get().claimed_until == NOON + LEASE


def test_a_renewal_that_fails_is_tried_again(make_record, monkeypatch, transactional_db):
    monkeypatch.setattr("common.work.claims.RENEWAL_S", 0.01)
    make_record()
    works = claim(ALL.all(), at=NOON, limit=1)
    renewed_again = threading.Event()
    outcomes = iter([OperationalError("the database is away"), 1])

    def renew(works, *, until):
        outcome = next(outcomes, 1)
        if isinstance(outcome, Exception):
            raise outcome
        renewed_again.set()
        return outcome

    monkeypatch.setattr("common.work.claims._renew", renew)

    with renewed(works):
        assert renewed_again.wait(timeout=5)


@pytest.mark.skipif(
    "IMPORT_POSTGRES_URL" not in os.environ,
    reason="SQLite's writers queue up; the race is PostgreSQL's",
)
def test_two_racing_workers_share_the_work(make_record, transactional_db):
    for number in range(20):
        make_record(number)
    claimed: list[list[int]] = []
    start = threading.Barrier(2)

    def work() -> None:
        start.wait()
        claimed.append([record.pk for record in claim(ALL.all(), at=NOON, limit=10)])
        connections.close_all()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert len(set(claimed[0]) | set(claimed[1])) == len(claimed[0]) + len(claimed[1]) == 20
    assert connection.vendor == "postgresql"
