"""Beat continues, whatever the clock does."""

import os
import pickle
import signal
import threading
from datetime import UTC, datetime, timedelta

import pytest

from importengine.celery import app
from importengine.processes.ringer import Ringer
from importengine.processes.wake_ups import Every

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def every() -> Every:
    return Every(2, nowfun=lambda: NOON, app=app)


@pytest.mark.parametrize(
    ("ago_s", "is_due"),
    [(0, False), (1, False), (2, True), (3_600, True), (-3_600, True), (-1, True)],
)
def test_it_is_due_after_its_time_and_when_the_clock_was_set_back(every, ago_s, is_due):
    assert every.is_due(NOON - timedelta(seconds=ago_s)).is_due == is_due


def test_beats_file_can_hold_it(every):
    assert pickle.loads(pickle.dumps(Every(2))) == Every(2)


def test_the_sweeps_ring_so():
    for entry in app.conf.beat_schedule.values():
        assert isinstance(entry["schedule"], Every)


@pytest.fixture
def another_thread():
    """Run a thread that takes signals too."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    yield
    done.set()
    thread.join()


def test_a_signal_to_stop_waits_until_a_wake_up_is_sent(monkeypatch, another_thread):
    heard = []
    before = signal.signal(signal.SIGTERM, lambda *_: heard.append("stop"))

    def send(entry, producer=None, **options):
        os.kill(os.getpid(), signal.SIGTERM)
        heard.append("sent")

    try:
        ringer = Ringer(app, lazy=True)
        monkeypatch.setattr(ringer, "apply_async", send)
        ringer.apply_entry(ringer.Entry(name="look", task="look", schedule=Every(1), app=app))
    finally:
        signal.signal(signal.SIGTERM, before)

    assert heard == ["sent", "stop"]
