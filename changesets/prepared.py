"""What an apply was worked out to, at rest: read by bodies, by people and by learning."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from common import storage

if TYPE_CHECKING:
    import pyarrow as pa

    from changesets.models import Changeset
    from staging.arrays import Rows


@dataclass(frozen=True)
class Prepared:
    """The tables of a prepared apply; rows count the delivered rows from 0 unless said."""

    folder: str
    tables: dict[str, pa.Table] = field(default_factory=dict)

    def table(self, name: str) -> pa.Table:
        """Read a table: ``rows`` (row of the revision, status), ``links`` and so on."""
        from tabular.resolving.files import read

        if name not in self.tables:
            self.tables[name] = read(storage.local_path(self.folder) / f"{name}.arrow")
        return self.tables[name]

    @cached_property
    def numbers(self) -> Rows:
        """The rows of the revision that are delivered."""
        rows: Rows = self.table("rows")["row"].to_numpy()
        return rows

    @cached_property
    def nulls(self) -> dict[str, Rows]:
        """The rows of the revision whose reference is delivered as null, by field."""
        import pyarrow.compute as pc

        found = self.table("nulls")
        paths = found["field"].unique().to_pylist()
        return {
            path: found.filter(pc.equal(found["field"], path))["row"].to_numpy() for path in paths
        }

    def graph(self, first: int, end: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Give ``entities`` and ``links`` of some delivered rows, as a body has them."""
        import numpy as np
        import orjson
        import pyarrow as pa
        import pyarrow.compute as pc

        links = self.table("links")
        start, stop = np.searchsorted(links["row"].to_numpy(), (first, end))
        mine = links.slice(start, stop - start)
        lists: dict[tuple[int, str], dict[str, Any]] = {}
        for link in mine.to_pylist():
            one = lists.setdefault(
                (link["row"], link["field"]),
                {
                    "row": link["row"] - first,
                    "field": link["field"],
                    "entity": link["entity"],
                    "refs": [],
                },
            )
            if link["ref"] not in one["refs"]:
                one["refs"].append(link["ref"])
        named = pc.binary_join_element_wise(mine["entity"], mine["ref"], "\x1f")
        table = self.table("entities")
        pairs = pc.binary_join_element_wise(table["entity"], table["ref"], "\x1f")
        wanted = table.filter(pc.is_in(pairs, value_set=pa.chunked_array(named).combine_chunks()))
        entities: dict[str, Any] = {}
        for one in wanted.to_pylist():
            item = {"ref": one["ref"], "status": one["status"]}
            item |= {name: orjson.loads(one[name]) for name in ("key", "values")}
            entities.setdefault(one["entity"], []).append(item)
        return entities, list(lists.values())


def prepared_of(changeset: Changeset) -> Prepared | None:
    """Give what was worked out; None for rows that name nobody and are compared with nothing."""
    return Prepared(changeset.prepared) if changeset.prepared else None
