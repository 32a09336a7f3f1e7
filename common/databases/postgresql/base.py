"""The backend, under the name that Django looks for."""

from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection
from psycopg.pq import TransactionStatus

from common.databases.kept import KeepsConnections, Kept, has_news


class DatabaseWrapper(KeepsConnections, base.DatabaseWrapper):
    """A connection to PostgreSQL."""

    _kept = Kept()

    def is_open(self, connection: "Connection[Any]") -> bool:
        """Return whether a connection is open and idle; it asks no server."""
        if connection.closed or connection.info.transaction_status != TransactionStatus.IDLE:
            return False
        return not has_news(connection.fileno())
