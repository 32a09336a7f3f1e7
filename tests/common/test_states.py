from datetime import UTC, datetime

import pytest

from common.actors import Actor
from common.errors import IllegalMove, StaleState
from common.models import Move
from common.work.claims import LEASE, claim
from imports.models import ImportRecord
from imports.parts import Decided
from licensing.models import Tenant

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
ADA = Actor(kind="person", id="lic_1", label="Ada")
State = ImportRecord.State
pytestmark = pytest.mark.django_db


@pytest.fixture
def record():
    tenant = Tenant.objects.create(public_id="tnt_owner", created_at=NOON)
    return ImportRecord.objects.create(
        public_id="rec_1", tenant=tenant, created_at=NOON, state=State.MAPPING
    )


def test_a_move_writes_who_moved_it_and_why(record):
    record.move_to(State.CANCELLED, "wrong file", at=NOON, actor=ADA)

    move = Move.objects.get(subject="rec_1")
    assert (move.from_state, move.to_state, move.version) == ("mapping", "cancelled", 1)
    assert (move.actor, move.reason) == (
        {"kind": "person", "id": "lic_1", "label": "Ada"},
        "wrong file",
    )


def test_a_move_changes_the_row_and_the_object(record):
    record.write(decided=Decided({"a": "b.c"}))
    record.move_to(State.TRANSFORMING, at=NOON)

    stored = ImportRecord.objects.get(pk=record.pk)
    assert (stored.state, stored.mapping, stored.due_at) == ("transforming", {"a": "b.c"}, NOON)
    assert (record.state, record.mapping, record.version) == ("transforming", {"a": "b.c"}, 1)


def test_columns_are_not_written_over_those_of_a_move_meanwhile(record):
    late = ImportRecord.objects.get(pk=record.pk)
    record.move_to(State.TRANSFORMING, at=NOON)

    with pytest.raises(StaleState):
        late.write(decided=Decided({"a": "b.c"}))
    assert ImportRecord.objects.get(pk=record.pk).mapping is None


def test_work_is_due_in_a_state_of_workers_alone(record):
    record.move_to(State.TRANSFORMING, at=NOON)
    assert record.due_at == NOON

    record.move_to(State.REVIEW, at=NOON)
    assert (record.due_at, record.claimed_until) == (None, None)


def test_a_worker_that_moves_on_keeps_its_claim(record):
    record.move_to(State.READING, at=NOON)
    held = claim(ImportRecord.objects.all(), at=NOON, limit=1)[0]
    held.move_to(State.TRANSFORMING, at=NOON + LEASE)

    assert (held.due_at, held.claimed_until) == (NOON, NOON + LEASE)
    assert not held.is_claim_lost()


def test_cancelling_takes_the_work_from_its_worker(record):
    record.move_to(State.READING, at=NOON)
    held = claim(ImportRecord.objects.all(), at=NOON, limit=1)[0]
    ImportRecord.objects.get(pk=record.pk).move_to(State.CANCELLED, at=NOON)

    assert held.is_claim_lost()


def test_a_move_the_table_does_not_have_is_refused(record):
    with pytest.raises(IllegalMove):
        record.move_to(State.APPLIED, at=NOON)

    assert not Move.objects.exists()


def test_the_second_of_two_who_read_the_same_version_is_told(record):
    late = ImportRecord.objects.get(pk=record.pk)
    record.move_to(State.TRANSFORMING, at=NOON)

    with pytest.raises(StaleState):
        late.move_to(State.CANCELLED, at=NOON)
    assert ImportRecord.objects.get(pk=record.pk).state == State.TRANSFORMING


def test_a_move_and_back_is_not_mistaken_for_no_move(record):
    late = ImportRecord.objects.get(pk=record.pk)
    record.move_to(State.READING, at=NOON)
    record.move_to(State.MAPPING, at=NOON)

    with pytest.raises(StaleState):
        late.move_to(State.TRANSFORMING, at=NOON)


def test_a_claim_taken_since_makes_a_move_stale(record):
    late = ImportRecord.objects.get(pk=record.pk)
    ImportRecord.objects.filter(pk=record.pk).update(claim_no=1)

    with pytest.raises(StaleState):
        late.move_to(State.TRANSFORMING, at=NOON)


def test_every_state_can_be_left_or_is_an_end():
    without_moves = {state for state in State.values if not ImportRecord.MOVES.get(state)}

    assert without_moves == {"reverted", "checked", "cancelled"}
