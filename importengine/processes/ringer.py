"""Beat: it sends wake-ups by name, and loads none of the work that they wake."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import django
from celery.apps import beat
from celery.beat import ScheduleEntry, Scheduler


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
