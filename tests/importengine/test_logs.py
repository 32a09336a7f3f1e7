"""An unavailable broker is one line in the log, not a stack trace."""

import logging
import logging.config

import pytest
from celery.beat import Scheduler
from kombu.exceptions import OperationalError

from importengine import logs
from importengine.celery import app


@pytest.fixture
def beat_log(settings):
    """Yield the lines that beat's logger writes, with the settings' own filters."""
    logging.getLogger("celery.beat").filters.clear()  # an earlier test's may be quiet yet
    logging.config.dictConfig(settings.LOGGING)
    lines: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    logger, handler = logging.getLogger("celery.beat"), Lines(logging.WARNING)
    logger.addHandler(handler)
    yield lines
    logger.removeHandler(handler)


@pytest.fixture
def ring(monkeypatch):
    """Return a function that lets beat send once, while sending fails with an error."""
    scheduler = Scheduler(app, lazy=True)
    entry = scheduler.Entry("sweep", "workflow.tasks.sweep", app=app, schedule=2)

    def ring(error: Exception) -> None:
        def fails(*_, **__):
            raise error

        monkeypatch.setattr(scheduler, "apply_async", fails)
        scheduler.apply_entry(entry)

    return ring


def test_a_broker_that_is_away_is_one_line_for_many_rings(beat_log, ring):
    for _ in range(5):
        ring(OperationalError("Error 111 connecting to 127.0.0.1:6379. Connection refused."))

    assert len(beat_log) == 1
    assert beat_log[0].startswith("broker away (Error 111")
    assert "\n" not in beat_log[0]


def test_it_is_said_again_when_it_lasts(beat_log, ring, monkeypatch):
    monkeypatch.setattr(logs, "AGAIN_S", 0.0)

    for _ in range(2):
        ring(ConnectionError("refused"))

    assert len(beat_log) == 2


def test_any_other_error_of_beat_keeps_its_trace(beat_log, ring):
    ring(ValueError("our own mistake"))

    assert len(beat_log) == 1
    assert "Traceback" in beat_log[0]
    assert "our own mistake" in beat_log[0]
