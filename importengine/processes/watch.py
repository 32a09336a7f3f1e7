"""Whether the engine does its work, besides its processes running."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException

from django.conf import settings
from django.db import Error, close_old_connections, connections

from common import clock
from common.work.claims import Claimable, due, held
from deliveries.models import Delivery
from imports.models import ImportRecord

LOOK_EVERY_S = 5.0
# A loaded machine takes half a minute to start a program.
PATIENCE_S = max(settings.PATIENCE_S, settings.LEASE_S)
WEB_PATIENCE_S = 2.0 * settings.PATIENCE_S
PROBE_TIMEOUT_S = 10.0


def is_left(model: type[Claimable]) -> bool:
    """Return whether work is due and none is being done: there is no live lease."""
    rows = model._default_manager.all()
    at = clock.now()
    return rows.filter(due(at)).exists() and not rows.filter(held(at)).exists()


def answers(host: str, port: int) -> bool:
    """Return whether the web process answers at all."""
    host = "127.0.0.1" if host in {"0.0.0.0", "::", ""} else host  # noqa: S104  (not bound here)
    connection = HTTPConnection(host, port, timeout=PROBE_TIMEOUT_S)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


@dataclass
class Watched:
    """A condition that must not persist, and the programs to restart if it does."""

    goes_wrong: Callable[[], bool]
    patience_s: float
    programs: tuple[str, ...]
    wrong_since: float | None = None

    def look(self, at: float) -> tuple[str, ...]:
        """Return the programs to restart. at: monotonic."""
        if not self.goes_wrong():
            self.wrong_since = None
            return ()
        self.wrong_since = at if self.wrong_since is None else self.wrong_since
        if at - self.wrong_since < self.patience_s:
            return ()
        self.wrong_since = None
        return self.programs


class Watch:
    """Checks from a separate thread, so that a hanging database blocks nothing."""

    def __init__(
        self, *, answers: Callable[[], bool], names: set[str], on_ready: Callable[[], object]
    ) -> None:
        self._answers, self._on_ready = answers, on_ready
        takers = [names & {"worker", word, "beat"} for word in ("imports", "deliveries")]
        self._watched = [
            Watched(lambda: is_left(ImportRecord), PATIENCE_S, tuple(takers[0])),
            Watched(lambda: is_left(Delivery), PATIENCE_S, tuple(takers[1])),
            Watched(lambda: not answers(), WEB_PATIENCE_S, ("web",)),
        ]
        self._found: set[str] = set()
        self._lock = threading.Lock()
        threading.Thread(target=self._run, name="watch", daemon=True).start()

    def __call__(self) -> set[str]:
        """Return the programs to restart, once."""
        with self._lock:
            names, self._found = self._found, set()
        return names

    def _run(self) -> None:
        while not self._answers():
            time.sleep(0.2)
        self._on_ready()
        while True:
            for watched in self._watched:
                self._look(watched)
            time.sleep(LOOK_EVERY_S)

    def _look(self, watched: Watched) -> None:
        try:
            problem = watched.look(time.monotonic())
        except Error:  # the database is unavailable: nothing is known
            watched.wrong_since = None
            connections.close_all()
            return
        close_old_connections()
        with self._lock:
            self._found |= set(problem)
