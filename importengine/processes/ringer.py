"""
Beat: it sends wake-ups by name, and loads none of the work that they wake.

In production it is a program of its own. The embedded engine has one worker, which runs it in a
thread: a program would load all of Django a second time.
"""

import logging
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import django
from celery import Celery
from celery.apps import beat
from celery.beat import ScheduleEntry, Scheduler

from importengine.processes import heartbeats

logger = logging.getLogger(__name__)


class Beat(beat.Beat):
    """Celery's program, without the tasks: they would be most of its memory and of its start."""

    def init_loader(self) -> None:
        """Set Django up instead of importing every task."""
        django.setup()
        if self.app is not None:
            self.app.finalize()


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


def begin(app: Celery) -> None:
    """Run the beat in a thread of this process."""
    heartbeats.begin_beat()
    threading.Thread(target=ring, args=(app,), name="beat", daemon=True).start()


def ring(app: Celery) -> None:
    """Send what is due until the process ends. If that fails, the worker stops: it starts again."""
    try:
        ringer = Ringer(app=app)
        while True:
            time.sleep(max(0.0, ringer.tick()))
    except Exception:
        logger.exception("the beat failed; this worker stops")
        os.kill(os.getpid(), signal.SIGTERM)


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
