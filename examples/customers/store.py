"""The members of a host, by customer, in SQLite: each once, under the ref of its deliveries."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Known = dict[str, Json]  # ref to values by field path

TABLE = """
CREATE TABLE IF NOT EXISTS delivery (
    id TEXT PRIMARY KEY, customer TEXT NOT NULL, reverts TEXT, results TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS member (
    customer TEXT NOT NULL, ref TEXT NOT NULL, row TEXT NOT NULL, PRIMARY KEY (customer, ref)
);
"""
NO_NUMBER = "The row names no member. Give it a number."
UPSERT = """
INSERT INTO member VALUES (?, ?, ?) ON CONFLICT (customer, ref) DO UPDATE SET row = excluded.row
"""


class Store:
    """Members, and the deliveries they came with; each is stored once, whole or not at all."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._open() as database:
            database.executescript(TABLE)

    def keep(self, customer: str, delivery: Json) -> list[Json]:
        """Store a delivery; return what became of each row, also where it was stored before."""
        name, reverts = delivery["deliveryId"], delivery.get("reverts", {}).get("deliveryId")
        with self._open() as database:
            again = "SELECT results FROM delivery WHERE id = ?"
            if (stored := database.execute(again, (name,)).fetchone()) is not None:
                return list(json.loads(stored[0]))
            before = _members(database, customer)
            results: list[Json] = []
            if reverts is None and delivery.get("action") == "delete":
                after = _deleted(before, delivery)
            elif reverts is None:
                taken_back = "SELECT 1 FROM delivery WHERE reverts = ?"
                came_late = database.execute(taken_back, (name,)).fetchone() is not None
                after, results = (before, []) if came_late else _imported(before, delivery)
            else:
                arrived = database.execute(again, (reverts,)).fetchone() is not None
                after = _reverted(before, delivery) if arrived else before
            _replace(database, customer, before, after)
            noted = (name, customer, reverts, json.dumps(results))
            database.execute("INSERT INTO delivery VALUES (?, ?, ?, ?)", noted)
        return results

    def edit(self, customer: str, ref: str, values: Json) -> bool:
        """Change a member by hand, as people of the host do; return whether it is there."""
        with self._open() as database:
            before = _members(database, customer)
            if ref not in before:
                return False
            after = {**before, ref: {**before[ref], **values}}
            _replace(database, customer, before, after)
        return True

    def members_of(self, customer: str) -> Known:
        """Return the members of one customer, in the order they came."""
        with self._open() as database:
            return _members(database, customer)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection that writes alone; its changes are committed, unless it raises."""
        database = sqlite3.connect(self._path, isolation_level="IMMEDIATE")
        try:
            with database:
                database.execute("BEGIN IMMEDIATE")
                yield database
        finally:
            database.close()


def _imported(before: Known, delivery: Json) -> tuple[Known, list[Json]]:
    """
    Return the members after an import, and what became of each row.

    Of a member that is there, only the cells named in ``changes`` are set: what the catalog keeps,
    and what people entered here, stays.
    """
    after = dict(before)
    refs = {entry["row"]: entry["ref"] for entry in delivery.get("rowEntities", ())}
    changes = _by_row(delivery)
    results: list[Json] = []
    for place, row in enumerate(delivery["rows"]):
        ref = refs.get(place)
        if ref is None:
            results.append({"row": place, "status": "refused", "message": NO_NUMBER})
            continue
        if ref in after:
            after[ref] = {**after[ref], **{path: new for path, _, new in changes.get(place, ())}}
        else:
            after[ref] = row
        results.append({"row": place, "status": "updated" if ref in before else "created"})
    return after, results


def _deleted(before: Known, delivery: Json) -> Known:
    """Return the members without those that a full sync deletes."""
    gone = {entity["ref"] for entity in _entities(delivery, "deleted")}
    return {ref: values for ref, values in before.items() if ref not in gone}


def _entities(delivery: Json, status: str) -> list[Json]:
    named = delivery.get("entities", {}).values()
    return [entity for entities in named for entity in entities if entity["status"] == status]


def _reverted(before: Known, delivery: Json) -> Known:
    """Return the members as they were before the delivery that this one takes back."""
    refs = {entry["row"]: entry["ref"] for entry in delivery.get("rowEntities", ())}
    created = {entity["ref"] for entity in _entities(delivery, "created")}
    after = {ref: values for ref, values in before.items() if ref not in created}
    for entity in _entities(delivery, "deleted"):
        after[entity["ref"]] = {f"member.{key}": value for key, value in entity["values"].items()}
    for place, cells in _by_row(delivery).items():
        if (ref := refs[place]) in after:
            after[ref] = {**after[ref], **{path: old for path, old, _ in cells}}
    return after


def _by_row(delivery: Json) -> dict[int, list[tuple[str, Any, Any]]]:
    """Return the changed cells of each row: field path, value before, value after."""
    by_row: dict[int, list[tuple[str, Any, Any]]] = {}
    for cell in delivery.get("changes", ()):
        change = (cell["field"], cell.get("before"), cell.get("after"))
        by_row.setdefault(cell["row"], []).append(change)
    return by_row


def _members(database: sqlite3.Connection, customer: str) -> Known:
    query = "SELECT ref, row FROM member WHERE customer = ? ORDER BY rowid"
    return {ref: json.loads(row) for ref, row in database.execute(query, (customer,))}


def _replace(database: sqlite3.Connection, customer: str, before: Known, after: Known) -> None:
    """Write the members that differ."""
    gone = [(customer, ref) for ref in before.keys() - after.keys()]
    database.executemany("DELETE FROM member WHERE customer = ? AND ref = ?", gone)
    rows = [
        (customer, ref, json.dumps(values))
        for ref, values in after.items()
        if before.get(ref) != values
    ]
    database.executemany(UPSERT, rows)
