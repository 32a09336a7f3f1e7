"""
Workers and beats record that they run; ``/readyz`` reads the records on any machine.

Each process has a row under a random name, because node names repeat. Times are those of the
database, the only clock that all machines share.
"""

import logging
import secrets
import socket
import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import Error, connection, connections

from common import clock

logger = logging.getLogger(__name__)

EVERY_S = 10.0
FRESH = timedelta(seconds=60)
FORGOTTEN = timedelta(minutes=10)
WORK = ("imports", "deliveries")
QUEUES = (*WORK, "beat")
MOST_OFF = timedelta(seconds=15)  # a lease is renewed that often


@dataclass(frozen=True, slots=True)
class Clock:
    """A machine whose clock differs from the database's."""

    program: str
    host: str
    ahead: timedelta

    @property
    def sentence(self) -> str:
        """Return the difference as a sentence; it names no machine."""
        seconds = round(self.ahead.total_seconds())
        way = "ahead of" if seconds > 0 else "behind"
        return f"{self.program}: {abs(seconds)} s {way} the database's clock"


def begin_worker(sender: Any, **_: Any) -> None:
    """Record a worker that accepts messages now."""
    _begin(",".join(sorted(sender.app.amqp.queues.consume_from)))


def begin_beat(**_: Any) -> None:
    """Record a beat."""
    _begin("beat")


def queues_seen() -> set[str]:
    """Return the queues that some program serves, including ``beat``."""
    return {queue for program in _fresh() for queue in program.queues.split(",")}


def beats_at_once() -> list[str]:
    """Return the machines of beats that ran concurrently within a minute; empty for one beat."""
    beats = sorted(
        (item for item in _fresh() if item.queues == "beat"),
        key=lambda heartbeat: heartbeat.began_at,
    )
    both = [
        {former, later}
        for place, later in enumerate(beats)
        for former in beats[:place]
        if former.seen_at > later.began_at  # otherwise it ended before: a restart
    ]
    return sorted(beat.host for beat in set().union(*both))


def clocks_off() -> list[Clock]:
    """Return the machines whose clocks differ too much from the database's, this one first."""
    here = Clock("this process", socket.gethostname(), clock_ahead())
    seen = [
        Clock(item.queues, item.host, timedelta(seconds=item.clock_ahead_s)) for item in _fresh()
    ]
    return [item for item in (here, *seen) if abs(item.ahead) > MOST_OFF]


def clock_ahead() -> timedelta:
    """Return how far this machine's clock is certainly ahead of the database's."""
    before, there, after = clock.now(), database_now(), clock.now()
    if there > after:
        return after - there
    return max(before - there, timedelta())


def database_now() -> datetime:
    """Return the time of the database's clock; SQLite uses that of this machine."""
    if connection.vendor != "postgresql":
        return clock.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        at: datetime = cursor.fetchone()[0]
    return at


def write_down(*, name: str, queues: str, began_at: datetime) -> None:
    """Record that a program runs now, and delete old records of others."""
    from importengine.models import SeenProgram

    at = database_now()
    about = {"host": socket.gethostname(), "queues": queues, "began_at": began_at, "seen_at": at}
    ahead_s = clock_ahead().total_seconds()
    SeenProgram.objects.update_or_create(name=name, defaults={**about, "clock_ahead_s": ahead_s})
    SeenProgram.objects.filter(seen_at__lt=at - FORGOTTEN).delete()


def _fresh() -> list[Any]:
    from importengine.models import SeenProgram

    at = database_now()
    return list(SeenProgram.objects.filter(seen_at__gt=at - FRESH, seen_at__lt=at + FRESH))


def _begin(queues: str) -> None:
    threading.Thread(target=_run, args=(queues,), name="seen", daemon=True).start()


def _run(queues: str) -> None:
    name, began_at = secrets.token_hex(8), None
    while True:
        try:
            began_at = began_at or database_now()
            write_down(name=name, queues=queues, began_at=began_at)
        except Error as error:
            logger.warning("not recorded as seen: %s", type(error).__name__)
        connections.close_all()
        time.sleep(EVERY_S)
