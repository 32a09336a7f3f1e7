"""A worker that is asked to stop leaves its imports to another, without a lease to wait for."""

import threading

import pytest

from common import clock
from imports.models import ImportRecord
from sandbox import JobCancelled
from workflow import handover, worker
from workflow.handover import Handover

State = ImportRecord.State


@pytest.fixture
def woken(monkeypatch) -> list[str]:
    """Return the imports that another worker is woken for."""
    ids: list[str] = []
    monkeypatch.setattr(handover, "wake", lambda task, record_id: ids.append(record_id))
    return ids


@pytest.fixture
def stopping(monkeypatch):
    """Return the handover of a worker of its own, which nothing has asked to stop yet."""
    mine = Handover()
    monkeypatch.setattr(handover, "HANDOVER", mine)
    monkeypatch.setattr(worker, "HANDOVER", mine)
    return mine


def stop(settings, grace_s: float) -> None:
    settings.GRACE_S = grace_s
    handover.begin()


def test_a_job_that_is_under_way_when_the_time_is_over_is_left_to_another_worker(
    waits, monkeypatch, stopping, woken, settings
):
    record_id = waits("tnt_acme")

    def job(record, reporter):
        stop(settings, 0)
        while not reporter.cancelled():
            pass
        raise JobCancelled

    monkeypatch.setattr(worker, "job_of", lambda _: job)
    worker.advance_fairly(record_id)

    record = ImportRecord.objects.get(public_id=record_id)
    assert (record.state, record.claimed_until, record.progress.tries) == (State.READING, None, 0)
    assert worker.due_imports() == woken == [record_id]


def test_a_job_that_ends_in_time_keeps_its_result_and_the_next_is_left_to_another_worker(
    waits, monkeypatch, stopping, woken, settings
):
    record_id = waits("tnt_acme")
    begun = []

    def job(record, reporter):
        begun.append(record.state)
        stop(settings, 3_600)
        record.move_to(State.MAPPING, at=clock.now())
        record.move_to(State.TRANSFORMING, at=clock.now())

    monkeypatch.setattr(worker, "job_of", lambda _: job)
    worker.advance_fairly(record_id)

    record = ImportRecord.objects.get(public_id=record_id)
    assert begun == [State.READING]
    assert (record.state, record.claimed_until) == (State.TRANSFORMING, None)
    assert worker.due_imports() == woken == [record_id]


def test_a_stopping_worker_starts_nothing(waits, worked, stopping, woken, settings):
    record_id = waits("tnt_acme")
    stop(settings, 3_600)

    worker.advance_fairly(record_id)

    assert worked == []
    assert worker.due_imports() == [record_id]


def test_an_import_that_another_worker_has_taken_over_is_left_alone(
    waits, monkeypatch, stopping, woken, settings
):
    record_id = waits("tnt_acme")

    def job(record, reporter):
        stop(settings, 0)
        later = clock.now() + worker.LEASE
        ImportRecord.objects.filter(pk=record.pk).update(claim_no=9, claimed_until=later)
        raise JobCancelled

    monkeypatch.setattr(worker, "job_of", lambda _: job)
    worker.advance_fairly(record_id)

    assert ImportRecord.objects.get(public_id=record_id).claimed_until is not None
    assert woken == []


def test_the_time_ends_only_jobs_that_are_under_way():
    mine, ended, done = Handover(), threading.Event(), threading.Event()

    class Reporter:
        def __init__(self, heard: threading.Event) -> None:
            self.stop = heard.set

    with mine.covers(Reporter(done)):
        pass
    with mine.covers(Reporter(ended)):
        mine.begin(0)
        assert ended.wait(30)

    assert not done.is_set()
