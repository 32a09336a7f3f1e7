"""The backend, under the name that Django looks for."""

from sqlite3 import Connection

from django.db.backends.sqlite3 import base

from common.databases.kept import KeepsConnections, Kept


class DatabaseWrapper(KeepsConnections, base.DatabaseWrapper):
    """A connection to SQLite."""

    _kept = Kept()

    def is_open(self, connection: Connection) -> bool:
        """Return whether a connection is idle; files are not cut off."""
        return not connection.in_transaction
