"""
Programs record that they run; ``/readyz`` and the metrics read the records on any machine.

Each process has a row under a random name, because node names repeat. Times are those of the
database, the only clock that all machines share. A program that ends in order deletes its row, so
a row that is no longer renewed is of one that was killed, or whose machine is gone.
"""

import logging
import secrets
import socket
import threading
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import Error, connection, connections

from common import clock
from common.work.ending import at_end
from sandbox.forks import SERVERS

logger = logging.getLogger(__name__)

EVERY_S = 5.0
# With a scrape and an evaluation of alerts every 15 s, a dead program is an alert within a minute.
FRESH = timedelta(seconds=30)
FORGOTTEN = timedelta(minutes=10)
WORK = ("imports", "deliveries")
QUEUES = (*WORK, "beat")
PROGRAMS = (*QUEUES, "web")
SANDBOX = "sandbox"  # the server that forks jobs; recorded only if it was killed
END_S = 2.0  # for a row that is being written when the program ends
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


def begin_web() -> None:
    """Record a web process."""
    _begin("web")


@dataclass(frozen=True, slots=True)
class Programs:
    """The programs of this engine."""

    queues: frozenset[str]  # those that some program serves, including ``beat`` and ``web``
    killed: Mapping[str, int]  # programs that ended in the last minutes without saying so


def programs() -> Programs:
    """Return which programs run, and which were killed."""
    from importengine.models import SeenProgram

    at = database_now()
    rows = SeenProgram.objects.filter(seen_at__gt=at - FORGOTTEN, seen_at__lt=at + FRESH)
    seen = list(rows.order_by("queues").values_list("queues", "seen_at"))
    running = [queues for queues, seen_at in seen if seen_at > at - FRESH]
    return Programs(
        queues=frozenset(queue for queues in running for queue in queues.split(",")),
        killed=Counter(queues for queues, seen_at in seen if seen_at <= at - FRESH),
    )


def beats_at_once() -> list[str]:
    """Return the machines of beats that ran within half a minute; empty for one beat."""
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
    Beating(queues).begin()


class Beating:
    """Renews the record of this process from a thread, and deletes it when the process ends."""

    def __init__(self, queues: str) -> None:
        self._queues, self._name = queues, secrets.token_hex(8)
        self._began_at: datetime | None = None
        self._servers_lost = 0
        self._has_ended = threading.Event()
        self._writing = threading.Lock()

    def begin(self) -> None:
        """Start the thread."""
        threading.Thread(target=self._run, name="seen", daemon=True).start()
        at_end(self.end)

    def beat(self) -> None:
        """Record that this process runs, and servers of its jobs that were killed."""
        self._began_at = self._began_at or database_now()
        write_down(name=self._name, queues=self._queues, began_at=self._began_at)
        while self._servers_lost < SERVERS.lost():
            write_down(name=secrets.token_hex(8), queues=SANDBOX, began_at=self._began_at)
            self._servers_lost += 1

    def end(self) -> None:
        """Delete the record of this process, unless its database is away."""
        from importengine.models import SeenProgram

        self._has_ended.set()
        if self._writing.acquire(timeout=END_S):
            with suppress(Error):
                SeenProgram.objects.filter(name=self._name).delete()

    def _run(self) -> None:
        while True:
            with self._writing:
                if self._has_ended.is_set():
                    return
                try:
                    self.beat()
                except Error as error:
                    logger.warning("not recorded as seen: %s", type(error).__name__)
                connections.close_all()
            self._has_ended.wait(EVERY_S)
