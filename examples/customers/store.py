"""The rows that a host took, by customer, in SQLite."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Json = dict[str, Any]

TABLE = """
CREATE TABLE IF NOT EXISTS delivery (id TEXT PRIMARY KEY, customer TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS imported (
    delivery TEXT NOT NULL REFERENCES delivery, place INTEGER NOT NULL, row TEXT NOT NULL,
    PRIMARY KEY (delivery, place)
);
"""


class Store:
    """Deliveries and their rows; each delivery is stored once, whole or not at all."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._open() as database:
            database.executescript(TABLE)

    def keep(self, customer: str, delivery: Json) -> bool:
        """Store the rows of a delivery; return whether it is new."""
        name = delivery["deliveryId"]
        rows = [(name, place, json.dumps(row)) for place, row in enumerate(delivery["rows"])]
        with self._open() as database:
            new = "INSERT INTO delivery VALUES (?, ?) ON CONFLICT DO NOTHING"
            if database.execute(new, (name, customer)).rowcount != 1:
                return False
            database.executemany("INSERT INTO imported VALUES (?, ?, ?)", rows)
        return True

    def rows_of(self, customer: str) -> list[Json]:
        """Return the rows of one customer, in the order they came."""
        query = (
            "SELECT row FROM imported JOIN delivery ON delivery.id = imported.delivery"
            " WHERE customer = ? ORDER BY delivery.rowid, place"
        )
        with self._open() as database:
            return [json.loads(text) for (text,) in database.execute(query, (customer,))]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection whose changes are committed at the end, unless it raises."""
        database = sqlite3.connect(self._path)
        try:
            with database:
                yield database
        finally:
            database.close()
