"""The backend, under the name that Django looks for."""

from sqlite3 import Connection
from typing import Any
from weakref import WeakSet

from django.db.backends.sqlite3 import base

from common.databases.kept import KeepsConnections, Kept


class DatabaseWrapper(KeepsConnections, base.DatabaseWrapper):
    """
    A connection to SQLite.

    A cursor with rows that were not fetched holds the database as it was when it read the first.
    The next call must not see that, so cursors end with their call.
    """

    _kept = Kept()

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._cursors: WeakSet[Any] = WeakSet()

    def create_cursor(self, name: Any = None) -> Any:
        """Return a cursor that ends with this call."""
        cursor = super().create_cursor(name)
        self._cursors.add(cursor)
        return cursor

    def _close(self) -> None:
        cursors, self._cursors = self._cursors, WeakSet()
        for cursor in list(cursors):
            cursor.close()
        super()._close()

    def is_open(self, connection: Connection) -> bool:
        """Return whether a connection is idle; files are not cut off."""
        return not connection.in_transaction
