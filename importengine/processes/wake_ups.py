"""When beat sends its wake-ups."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from types import FrameType
from typing import Any

from celery.beat import ScheduleEntry, Scheduler
from celery.schedules import schedstate, schedule

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class Every(schedule):
    """
    A fixed interval, also if the clock was set back.

    In that case Celery's own schedule waits until the clock has passed the last run again.
    """

    def is_due(self, last_run_at: datetime) -> schedstate:
        """Return whether to send now, and the seconds until the next check."""
        if self.maybe_make_aware(last_run_at) > self.now():
            return schedstate(is_due=True, next=self.seconds)
        due: schedstate = super().is_due(last_run_at)
        return due


def beat_schedule(sweep_s: int) -> dict[str, dict[str, Any]]:
    """Return what is sent, and how often. sweep_s: seconds between two sweeps."""
    looks = {
        "sweep-imports": "workflow.tasks.sweep",
        "sweep-deliveries": "deliveries.tasks.dispatch_due",
        "follow-changesets": "changesets.tasks.follow",
        "follow-checks": "workflow.tasks.follow_checks",
    }
    counting_s = 10
    hourly = {
        "purge": "workflow.tasks.purge",
        "forget-answers": "api.tasks.forget_answers",
        "forget-sessions": "licensing.tasks.forget_sessions",
        "announce-expiry": "deliveries.tasks.announce_expiry",
        "forget-links": "links.tasks.forget_links",
        "measure-storage": "analytics.tasks.measure_storage",
    }
    return (
        {
            name: {"task": task, "schedule": Every(sweep_s), "options": {"expires": sweep_s}}
            for name, task in looks.items()
        }
        | {
            "count-histories": {
                "task": "analytics.tasks.fold",
                "schedule": Every(counting_s),
                "options": {"expires": counting_s},
            }
        }
        | {
            name: {
                "task": task,
                "schedule": Every(3600),
                "last_run_at": LONG_AGO,  # runs at each start too: some engines run an hour a day
                "options": {"expires": 3600},
            }
            for name, task in hourly.items()
        }
    )


class Ringer(Scheduler):
    """
    Keeps its times in memory, and recomputes them if the clock was set back.

    Celery keeps them in a file, which a killed beat leaves corrupt; each task here may run twice.
    """

    def tick(self, *args: Any, **options: Any) -> float:
        """Send what is due; return the seconds until the next."""
        wait = float(super().tick(*args, **options))
        entries = self.app.conf.beat_schedule.values()
        if wait <= min(entry["schedule"].seconds for entry in entries) + 1:
            return wait
        self._heap = None  # its times are from a clock that was ahead
        return 0.0

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """
        Send one wake-up.

        A stop signal is deferred until it is sent. During a reply from the broker it would become a
        connection error, and beat would continue.
        """
        with _held_back(signal.SIGTERM, signal.SIGINT):
            super().apply_entry(entry, producer=producer)


@contextmanager
def _held_back(*signals: signal.Signals) -> Iterator[None]:
    """
    Handle signals only after the block has ended. Nothing is held back outside the main thread.

    The handlers are replaced, not masked: a masked signal reaches any other thread of the process.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    handlers = {item: signal.signal(item, lambda *about: came.append(about)) for item in signals}
    try:
        yield
    finally:
        for kind, handler in handlers.items():
            signal.signal(kind, signal.SIG_DFL if handler is None else handler)
        for number, frame in came:
            handler = handlers[signal.Signals(number)]
            if callable(handler):
                handler(number, frame)
            elif handler != signal.SIG_IGN:
                signal.raise_signal(number)
