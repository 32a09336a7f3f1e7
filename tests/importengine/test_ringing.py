"""The beat in the embedded worker: it goes on for as long as the process, or stops the worker."""

import signal

import pytest

from importengine.celery import app
from importengine.processes import ringer


@pytest.fixture
def killed(monkeypatch):
    """Collect the signals that this process sends itself, instead of sending them."""
    sent: list[int] = []
    monkeypatch.setattr(ringer.os, "kill", lambda _, number: sent.append(number))
    return sent


def test_a_beat_that_fails_stops_its_worker_which_is_started_again(killed, monkeypatch, caplog):
    waits = iter([0.0, -0.01, 0.0])  # the second is what an overdue entry gives

    def tick(self):
        try:
            return next(waits)
        except StopIteration:
            raise OSError("the folder of the broker is gone") from None

    monkeypatch.setattr(ringer.Ringer, "tick", tick)

    ringer.ring(app)

    assert list(waits) == []
    assert killed == [signal.SIGTERM]
    assert "the beat failed; this worker stops" in caplog.text
    assert "the folder of the broker is gone" in caplog.text
