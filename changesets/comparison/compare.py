"""
Prepare an apply before its bodies are written: which entities rows name, and how they differ.

The result is stored in files of its own, so that a retry after a crashed worker has the same
result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from common import storage
from references import selectors as references
from references.lookup import known_for, refs_of
from staging.columns import StagedTable
from staging.edits import entity_links
from staging.exports.delivered_rows import Delivered
from tabular.protocol.answers import Answers

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from changesets.models import Changeset
    from staging.arrays import Rows
    from tabular.resolving.graph import Compared
    from tabular.resolving.resolution import Resolution

ONLY = {  # which rows an apply is limited to, by their status
    "": ("new", "changed", "unchanged", "unclear"),
    "new": ("new",),
    "changed": ("changed",),
    "known": ("changed", "unchanged"),
}
FILES = ("rows", "nulls", "left_out", "links", "entities", "differences", "told", "texts")
FOLDER = "applies"  # in the storage


def is_needed(changeset: Changeset, table: StagedTable) -> bool:
    """Return whether rows name entities, or there are known ones to compare them with."""
    return entity_links.has_references(table.files) or bool(_compared_names(changeset, table))


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    The result of preparing: the folder of its files, the rows to deliver, and counts by status.

    changed_fields: in how many rows each field differs, most rows first.
    """

    folder: str
    row_count: int
    counts: dict[str, int]
    changed_fields: dict[str, int]


def dangling_rows(table: StagedTable) -> list[int]:
    """Return the rows without errors that refer to rows with errors."""
    import numpy as np

    if not entity_links.has_references(table.files):
        return []
    taken = np.zeros(table.row_count, dtype=bool)
    taken[Delivered(table, includes_invalid=False).numbers] = True
    resolution = entity_links.resolved(
        table, values=table.values, taken=taken, edited=entity_links.edited_rows(table)
    )
    findings = entity_links.findings_of(table, resolution, taken)
    rows = [finding.rows for finding in findings if finding.severity == "error"]
    return sorted({row for some in rows for row in some.tolist()})


def prepare(changeset: Changeset, table: StagedTable) -> Outcome:
    """Prepare an apply."""
    work = _Work(changeset, table)
    with storage.working_folder("prepare") as folder:
        made = folder / "out"
        made.mkdir()
        from tabular.protocol.tables import write

        tables = work.tables()
        for name, part in tables.items():
            write(made / f"{name}.arrow", part)
        return Outcome(
            storage.adopt(FOLDER, made),
            tables["rows"].num_rows,
            work.counts,
            _by_field(tables["differences"]),
        )


def _sets(changeset: Changeset) -> dict[str, references.Sets]:
    record = changeset.record
    return {} if record.from_page else references.sets_of(record.tenant, record.scope)


def _compared_names(changeset: Changeset, table: StagedTable) -> list[str]:
    """Return the mapped entries whose entities have a key and of which some are known."""
    from tabular.resolving.pointers import key_fields, paths_of

    plan = table.files.plan
    keys, known = key_fields(plan.target), _sets(changeset)
    return [
        entry.id
        for entry in plan.target.entries
        if entry.id in keys
        and entry.id in known
        and paths_of(plan.target, entry.id).get(keys[entry.id]) in plan.columns_by_path
    ]


class _Work:
    def __init__(self, changeset: Changeset, table: StagedTable) -> None:
        self.changeset, self.table = changeset, table
        self.plan = table.files.plan
        self.sets = _sets(changeset)
        includes = changeset.invalid_rows == "include"
        self.delivered = Delivered(table, includes_invalid=includes)
        self.counts: dict[str, int] = {}

    @cached_property
    def taken(self) -> NDArray[np.bool_]:
        import numpy as np

        mask = np.zeros(self.table.row_count, dtype=bool)
        mask[self.delivered.numbers] = True
        return mask

    @cached_property
    def resolution(self) -> Resolution:
        """The entities that the delivered rows name, as the review showed them."""
        from tabular.resolving.resolution import resolve, wanted_of

        names = _compared_names(self.changeset, self.table)
        edited = entity_links.edited_rows(self.table)
        if entity_links.has_references(self.table.files):
            return entity_links.resolved(
                self.table, values=self._values, taken=self.taken, edited=edited, names=names
            )
        wanted = wanted_of(
            self.plan.target, used=self.plan.used_fields, values=self._values, names=names
        )
        return resolve(
            self.plan.target,
            used=self.plan.used_fields,
            values=self._values,
            known=known_for(self.sets, wanted),
            answers=Answers(),
            taken=self.taken,
            names=names,
        )

    def _values(self, path: str) -> pa.ChunkedArray:
        """Return a column as it is delivered, for every row of the revision."""
        return self.delivered.column(path)

    def tables(self) -> dict[str, pa.Table]:
        """Return every table, by name; rows are numbered as delivered."""
        import numpy as np
        import pyarrow as pa

        from tabular.resolving import graph
        from tabular.resolving.pointers import key_fields

        comparison = self._compared()
        statuses = np.array(graph.STATUSES)[comparison.statuses]
        chosen = self.taken & np.isin(statuses, ONLY[self.changeset.only])
        rows = np.flatnonzero(chosen).astype(np.int64)
        links = _renumbered(graph.links_of(self.resolution), rows)
        if self.sets:
            names, counts = np.unique(statuses[rows], return_counts=True)
            self.counts = dict(zip(names.tolist(), counts.tolist(), strict=True))
        entities, known = self._values_in_file(chosen), self._values_known(links)
        nulls = graph.rows_left_null(self.resolution)
        return {
            "rows": pa.table({"row": rows, "status": pa.array(statuses[rows])}),
            "nulls": pa.table(
                {
                    "field": pa.array([p for p, at in nulls.items() for _ in at], pa.string()),
                    "row": np.concatenate([np.zeros(0, np.int64), *nulls.values()]),
                }
            ),
            "left_out": graph.omitted_parts(self.resolution),
            "links": links,
            "entities": graph.entity_table(self.resolution, links, entities, known),
            "differences": _renumbered(comparison.differences, rows),
            "told": _table_of_values(entities, key_fields(self.plan.target)),
            "texts": graph.texts_of(self.resolution),
        }

    def _compared(self) -> Compared:
        import numpy as np
        import pyarrow as pa

        from tabular.resolving import graph
        from tabular.resolving.pointers import paths_of

        statuses = np.zeros(self.table.row_count, np.int8)
        differences = [graph.DIFFERENCES.empty_table()]
        for name in _compared_names(self.changeset, self.table):
            fed = {
                key: path
                for key, path in paths_of(self.plan.target, name).items()
                if path in self.plan.columns_by_path
            }
            comparison = graph.compare(
                self._fresh(name),
                name,
                self._json_texts,
                fed=fed,
                empty_clears=self.changeset.empty_cells == "clear",
            )
            statuses = np.maximum(statuses, comparison.statuses)
            differences.append(comparison.differences)
        joined = pa.concat_tables(differences)
        order = np.argsort(joined["row"].to_numpy(), kind="stable")
        return graph.Compared(statuses, joined.take(pa.array(order)))

    def _fresh(self, name: str) -> Resolution:
        """Resolve the rows' own entities by what is known now, not by what was known in review."""
        from dataclasses import replace

        from tabular.resolving.entities import entities_of
        from tabular.resolving.resolution import wanted_of

        catalog, used = self.plan.target, self.plan.used_fields
        wanted = wanted_of(catalog, used=used, values=self._values, names=[name])
        known = known_for(self.sets, {name: replace(wanted[name], alike={}, learned=None)})
        entities = entities_of(
            name,
            catalog=catalog,
            known=known.entities,
            values=self._values,
            used=used,
            taken=self.taken,
        )
        return replace(self.resolution, entities={name: entities})

    def _json_texts(self, path: str) -> pa.Array:
        import pyarrow as pa

        column = self.table.files.by_field[path]
        chunks = [column.json_texts(chunk).cast(pa.string()) for chunk in self._values(path).chunks]
        return pa.chunked_array(chunks, pa.string()).combine_chunks()

    def _values_in_file(self, chosen: NDArray[np.bool_]) -> dict[tuple[str, str], dict[str, Any]]:
        """Return the values in the chosen rows of entities that are worth remembering."""
        import numpy as np

        from tabular.resolving import graph

        values_by_ref: dict[tuple[str, str], dict[str, Any]] = {}
        for entity, ref, values in graph.made_of(self.resolution):
            values_by_ref[entity, ref] = values
        for name, entities in self.resolution.entities.items():
            if not len(entities.of_rows):
                continue
            entities.of_rows = np.where(chosen, entities.of_rows, -1)
            clears = self.changeset.empty_cells == "clear"
            by_ref = graph.entity_values(self.resolution, name, self._json_texts, with_nulls=clears)
            values_by_ref |= {(name, ref): values for ref, values in by_ref.items()}
        return values_by_ref

    def _values_known(self, links: pa.Table) -> dict[tuple[str, str], dict[str, Any]]:
        """Return the currently known values of the entities that links name."""
        import pyarrow.compute as pc

        values_by_ref: dict[tuple[str, str], dict[str, Any]] = {}
        for entity in links["entity"].unique().to_pylist():
            if entity in self.sets:
                refs = links.filter(pc.equal(links["entity"], entity))["ref"].unique().to_pylist()
                values = refs_of(self.sets[entity], refs)
                values_by_ref |= {(entity, ref): value for ref, value in values.items()}
        return values_by_ref


def _by_field(differences: pa.Table) -> dict[str, int]:
    """Count the rows in which each field differs, most rows first."""
    counts = {
        count["values"]: count["counts"]
        for count in differences["field"].value_counts().to_pylist()
    }
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _renumbered(table: pa.Table, rows: Rows) -> pa.Table:
    """Return what concerns some rows of a revision, with these counted from 0."""
    import numpy as np
    import pyarrow as pa

    about = table["row"].to_numpy()
    at = np.searchsorted(rows, about).clip(max=max(len(rows) - 1, 0))
    kept = rows[at] == about if len(rows) else np.zeros(len(about), dtype=bool)
    place = table.schema.get_field_index("row")
    mine = table.filter(pa.array(kept))
    return mine.set_column(place, "row", pa.array(at[kept], pa.int64()))


def _table_of_values(
    entities: Mapping[tuple[str, str], dict[str, Any]], keys: Mapping[str, str]
) -> pa.Table:
    import orjson
    import pyarrow as pa

    columns = {
        "entity": [entity for entity, _ in entities],
        "ref": [ref for _, ref in entities],
        "key": [keys[entity] for entity, _ in entities],
        "values": [orjson.dumps(values).decode() for values in entities.values()],
    }
    return pa.table({name: pa.array(column, pa.string()) for name, column in columns.items()})
