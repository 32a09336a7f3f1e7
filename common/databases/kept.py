"""
Keep closed connections open for a moment: the next call takes one instead of connecting again.

Connecting takes several times as long as a query. Django's own persistent connections are one for
each thread, and a web process has more threads than a database may have connections; psycopg's pool
lets callers wait while the database is away, instead of telling them at once. Here few connections
wait, for seconds, and a failure to connect is as it was.
"""

import os
import select
import threading
import time
from abc import abstractmethod
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

MOST = 8  # that wait, in one process
FRESH_S = 5.0  # one that waited longer may have been cut off without notice, and is closed


class Kept:
    """The connections of this process that wait, the last used at the end."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[tuple[float, Any]] = []  # since when, by the monotonic clock
        os.register_at_fork(before=self.close)  # a child would share them

    def keep(self, connection: Any) -> None:
        """Let a connection wait; close those that waited too long, or are too many."""
        now = time.monotonic()
        with self._lock:
            self._waiting.append((now, connection))
            ended = [item for item in self._waiting if now - item[0] > FRESH_S]
            self._waiting = self._waiting[len(ended) :]
            ended += self._waiting[:-MOST]
            self._waiting = self._waiting[-MOST:]
        _close(ended)

    def take(self) -> Any:
        """Return the connection that was used last, or None if there is none that is fresh."""
        with self._lock:
            if self._waiting and time.monotonic() - self._waiting[-1][0] <= FRESH_S:
                return self._waiting.pop()[1]
        self.close()
        return None

    def close(self) -> None:
        """Close all."""
        with self._lock:
            ended, self._waiting = self._waiting, []
        _close(ended)


class KeepsConnections(BaseDatabaseWrapper):
    """A backend whose setting ``KEEP`` lets connections wait."""

    _kept = Kept()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return one that waits and is still open, or else a new one."""
        while self.settings_dict.get("KEEP") and (kept := self._kept.take()) is not None:
            if self.is_open(kept):
                return kept
            kept.close()
        return super().get_new_connection(conn_params)

    def _close(self) -> None:
        """Let the connection wait, unless something went wrong or is under way."""
        connection = self.connection
        may_wait = self.settings_dict.get("KEEP") and not self.in_atomic_block
        if may_wait and not self.errors_occurred and self.is_open(connection):
            self._kept.keep(connection)
        else:
            super()._close()  # type: ignore[misc]  # Django's stubs leave it out

    @abstractmethod
    def is_open(self, connection: Any) -> bool:
        """Return whether a connection is open and idle; it asks no server."""


def has_news(socket: int) -> bool:
    """Return whether a server sent something unasked: of an idle connection, that it is over."""
    poll = select.poll()
    poll.register(socket, select.POLLIN)
    return bool(poll.poll(0))


def _close(ended: list[tuple[float, Any]]) -> None:
    for _, connection in ended:
        connection.close()
