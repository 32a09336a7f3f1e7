"""The stored result of preparing an apply: read for bodies, for people and for learning."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from common import storage

DELETED = ("entity", "ref", "key", "values")  # of an entity; the last two are JSON
PIECE = 5_000  # links or entities written at a time

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows


@dataclass(frozen=True)
class Prepared:
    """The tables of a prepared apply; rows count the delivered rows from 0 unless noted."""

    folder: str
    tables: dict[str, pa.Table] = field(default_factory=dict)

    def table(self, name: str) -> pa.Table:
        """Return a table: ``rows`` (row of the revision, status), ``links`` and so on."""
        from tabular.protocol.tables import whole

        if name not in self.tables:
            self.tables[name] = whole(storage.local_path(self.folder) / f"{name}.arrow")
        return self.tables[name]

    @cached_property
    def numbers(self) -> Rows:
        """The delivered rows of the revision."""
        rows: Rows = self.table("rows")["row"].to_numpy()
        return rows

    @cached_property
    def nulls(self) -> dict[str, Rows]:
        """The rows of the revision whose reference is delivered as null, by field."""
        import pyarrow.compute as pc

        table = self.table("nulls")
        paths = table["field"].unique().to_pylist()
        return {
            path: table.filter(pc.equal(table["field"], path))["row"].to_numpy() for path in paths
        }

    @cached_property
    def omitted_references(self) -> dict[str, dict[int, list[str]]]:
        """The texts removed from cells of the revision on delivery, by field and row."""
        paths_by_row: dict[str, dict[int, list[str]]] = {}
        if (storage.local_path(self.folder) / "left_out.arrow").exists():  # not in older versions
            for item in self.table("left_out").to_pylist():
                paths_by_row.setdefault(item["field"], {}).setdefault(item["row"], []).append(
                    item["text"]
                )
        return paths_by_row

    @cached_property
    def kept(self) -> dict[str, tuple[Rows, pa.Array]]:
        """The cells of the revision that are delivered as known: rows and JSON texts, by field."""
        import pyarrow.compute as pc

        if not (storage.local_path(self.folder) / "kept.arrow").exists():  # not in older versions
            return {}
        table = self.table("kept")
        cells = {}
        for path in table["field"].unique().to_pylist():
            mine = table.filter(pc.equal(table["field"], path))
            cells[path] = (mine["row"].to_numpy(), mine["known"].combine_chunks())
        return cells

    def only_in(self, rows: Collection[int]) -> set[tuple[str, str]]:
        """Return the entities that some delivered rows are or name, and none of the others."""
        import pyarrow as pa
        import pyarrow.compute as pc

        wanted, tables = pa.array(sorted(rows), pa.int64()), [self.table("links")]
        if (storage.local_path(self.folder) / "own.arrow").exists():  # not in older versions
            tables.append(self.table("own"))
        mine: set[tuple[str, str]] = set()
        others: set[tuple[str, str]] = set()
        for table in tables:
            here = pc.is_in(table["row"], value_set=wanted)
            mine |= _pairs(table.filter(here))
            others |= _pairs(table.filter(pc.invert(here)))
        return mine - others

    def texts_outside(self, rows: Collection[int]) -> list[dict[str, Any]]:
        """Return the texts that were matched to entities in other rows than some."""
        import pyarrow as pa
        import pyarrow.compute as pc

        texts: list[dict[str, Any]] = self.table("texts").to_pylist()
        if not rows or not (storage.local_path(self.folder) / "matched.arrow").exists():
            return texts
        matched = self.table("matched")
        outside = pc.invert(pc.is_in(matched["row"], value_set=pa.array(sorted(rows), pa.int64())))
        named = matched.filter(outside)
        kept = set(zip(named["entity"].to_pylist(), named["text"].to_pylist(), strict=True))
        return [item for item in texts if (item["entity"], item["text"]) in kept]

    @property
    def deleted(self) -> pa.Table:
        """The entities that a full sync deletes: entity, ref, key and values."""
        import pyarrow as pa

        if not (storage.local_path(self.folder) / "deleted.arrow").exists():  # not a full sync
            return pa.table({name: pa.array([], pa.string()) for name in DELETED})
        return self.table("deleted")

    def deleted_pieces(self, first: int, end: int) -> Iterator[bytes]:
        """Yield the member ``entities`` with some of the entities that are deleted, in pieces."""
        import orjson
        import pyarrow.compute as pc

        some, lead = self.deleted.slice(first, end - first), b',"entities":{'
        for name in some["entity"].unique().to_pylist():
            mine = _rows(some.filter(pc.equal(some["entity"], name)))
            lines = (_entity({**item, "status": "deleted"}) for item in mine)
            yield from _joined(lead + orjson.dumps(name) + b":[", lines, b"]")
            lead = b","
        yield b"}"

    def graph(self, first: int, end: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return ``entities`` and ``links`` of some delivered rows, as a body has them."""
        import orjson

        text = b"".join(self.graph_pieces(first, end))
        members = orjson.loads(b"{" + text[1:] + b"}")
        return members.get("entities", {}), members.get("links", [])

    def graph_pieces(self, first: int, end: int) -> Iterator[bytes]:
        """Yield the members ``entities`` and ``links`` of some delivered rows, in pieces."""
        mine = self._of_rows("links", first, end)
        if mine.num_rows:
            yield b',"entities":{'
            yield from self._entities(mine, "entities")
            yield from _joined(b'},"links":[', _links(mine, first), b"]")

    def change_pieces(self, first: int, end: int) -> Iterator[bytes]:
        """Yield the members that a host gets that asked for changes, in pieces."""
        import pyarrow as pa

        links, own, changes = (
            self._of_rows(name, first, end) for name in ("links", "own", "differences")
        )
        named = pa.concat_tables([table.select(["entity", "ref"]) for table in (links, own)])
        if named.num_rows:
            yield b',"entities":{'
            yield from self._entities(named, "all")
            yield b"}"
        for member, lines in (
            ("links", _links(links, first)),
            ("rowEntities", _own(own, first)),
            ("changes", _changes(changes, first)),
        ):
            yield from _joined(f',"{member}":['.encode(), lines, b"]", is_kept_empty=False)

    def _of_rows(self, name: str, first: int, end: int) -> pa.Table:
        import numpy as np

        table = self.table(name)
        start, stop = np.searchsorted(table["row"].to_numpy(), (first, end))
        return table.slice(start, stop - start)

    def _entities(self, links: pa.Table, source: str) -> Iterator[bytes]:
        """Yield all entities that links name, ordered by name."""
        import orjson
        import pyarrow.compute as pc

        table = self.table(source)
        for place, name in enumerate(sorted(links["entity"].unique().to_pylist())):
            refs = links.filter(pc.equal(links["entity"], name))["ref"].unique()
            mine = table.filter(pc.equal(table["entity"], name))
            mine = mine.filter(pc.is_in(mine["ref"], value_set=refs))
            opening = (b"," if place else b"") + orjson.dumps(name) + b":["
            yield from _joined(opening, map(_entity, _rows(mine)), b"]")


def _pairs(table: pa.Table) -> set[tuple[str, str]]:
    return set(zip(table["entity"].to_pylist(), table["ref"].to_pylist(), strict=True))


def prepared_of(folder: str) -> Prepared | None:
    """Return a prepared apply; None without any entities in rows and known ones to compare."""
    return Prepared(folder) if folder else None


def _joined(
    opening: bytes, items: Iterator[bytes], closing: bytes, *, is_kept_empty: bool = True
) -> Iterator[bytes]:
    """Join the items of a list or object, thousands at a time."""
    lead = opening
    while some := list(islice(items, PIECE)):
        yield lead + b",".join(some)
        lead = b","
    if lead == b"," or is_kept_empty:
        yield closing if lead == b"," else opening + closing


def _rows(table: pa.Table) -> Iterator[dict[str, Any]]:
    for batch in table.to_batches(max_chunksize=PIECE):
        yield from batch.to_pylist()


def _entity(entity: dict[str, Any]) -> bytes:
    import orjson

    about = orjson.dumps({"ref": entity["ref"], "status": entity["status"]})[:-1]
    return about + f',"key":{entity["key"]},"values":{entity["values"]}}}'.encode()  # they are JSON


def _own(own: pa.Table, first: int) -> Iterator[bytes]:
    """Yield which entity each row is, in each entry with a key."""
    import orjson

    for item in _rows(own):
        yield orjson.dumps({**item, "row": item["row"] - first})


def _changes(differences: pa.Table, first: int) -> Iterator[bytes]:
    """Yield each changed cell; what it was and what it is are JSON already."""
    import orjson

    for item in _rows(differences):
        about = orjson.dumps({"row": item["row"] - first, "field": item["field"]})[:-1]
        before, after = (item[side] or "null" for side in ("before", "after"))
        yield about + f',"before":{before},"after":{after}}}'.encode()


def _links(links: pa.Table, first: int) -> Iterator[bytes]:
    """Yield a link for each row and field; ``row`` counts from the first of them."""
    import orjson

    for (row, field_, entity), some in groupby(_rows(links), itemgetter("row", "field", "entity")):
        refs = list(dict.fromkeys(item["ref"] for item in some))
        yield orjson.dumps({"row": row - first, "field": field_, "entity": entity, "refs": refs})
