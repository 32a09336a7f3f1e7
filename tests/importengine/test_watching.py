"""Work without a worker is detected, and so is a web process that does not answer."""

from datetime import timedelta

import pytest

from common import clock
from common.work.claims import LEASE
from importengine.processes.watch import Watched, is_left
from imports.models import ImportRecord
from licensing.models import Tenant

SECOND = timedelta(seconds=1)


@pytest.fixture
def make_record(db):
    at = clock.now()
    tenant = Tenant.objects.create(public_id="tnt_owner", created_at=at)

    def make(name: str, *, due_in: timedelta, held_for: timedelta | None = None) -> None:
        ImportRecord.objects.create(
            public_id=f"rec_{name}",
            tenant=tenant,
            state="reading",
            created_at=at,
            due_at=at + due_in,
            claimed_until=None if held_for is None else at + held_for,
        )

    return make


def test_due_work_without_a_live_lease_anywhere_is_left(make_record):
    make_record("later", due_in=60 * SECOND)
    assert not is_left(ImportRecord)

    make_record("now", due_in=-SECOND)
    assert is_left(ImportRecord)

    make_record("taken", due_in=-SECOND, held_for=LEASE / 2)
    assert not is_left(ImportRecord)


def test_a_lease_that_ran_out_or_was_made_by_a_wrong_clock_holds_nothing(make_record):
    make_record("dead", due_in=-SECOND, held_for=-SECOND)
    make_record("next year", due_in=-SECOND, held_for=timedelta(days=365))

    assert is_left(ImportRecord)


def test_programs_are_started_again_when_something_stays_wrong_and_then_get_their_time():
    wrong = [True, False, True, True, True, True]
    watched = Watched(lambda: wrong.pop(0), 10.0, ("worker", "beat"))

    verdicts = [watched.look(at) for at in (0.0, 10.0, 20.0, 29.0, 30.0, 39.0)]

    assert verdicts == [(), (), (), (), ("worker", "beat"), ()]
