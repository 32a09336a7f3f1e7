"""
Prepare an apply before its bodies are written: which entities rows name, and how they differ.

The result is stored in files of its own, so that a retry after a crashed worker has the same
result.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from changesets.comparison import tables
from changesets.comparison.differences import (
    chosen_rows,
    compared_with_known,
    versions_of,
)
from changesets.comparison.kept_links import with_kept
from changesets.comparison.outcome import Prepared
from changesets.features import gathered_names, has_asked, sets_of
from common import storage
from references.lookup import known_for, refs_of
from staging.columns import StagedTable
from staging.edits import entity_links
from staging.exports.delivered_rows import Delivered
from tabular.protocol.answers import Answers
from tabular.resolving.known_values import HOST, FieldPolicy, policies_of

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from changesets.full_sync.deleted import Deleted
    from changesets.models import Changeset
    from tabular.resolving.graph import Compared
    from tabular.resolving.resolution import Resolution

DELIVERED = ("rows", "differences", "kept", "links", "own")
FOLDER = "applies"  # in the storage


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    The result of preparing: the folder of its files, the rows to deliver, and counts by status.

    changed_fields: in how many rows each field differs, most rows first. undecided: the fields that
    wait for a decision, {field, why, rows}. seen: what rows were compared with (versions_of).
    deletes: by entity, how many a full sync deletes, of how many known.
    """

    folder: str
    row_count: int
    counts: dict[str, int]
    changed_fields: dict[str, int]
    undecided: list[dict[str, Any]]
    seen: dict[str, Any]
    deletes: dict[str, list[int]] | None = None


def dangling_rows(table: StagedTable, *, includes_invalid: bool) -> list[int]:
    """
    Return the rows whose reference means nothing once values with errors are not delivered.

    includes_invalid: whether rows with errors are delivered, without these values. A reference that
    the review already shows as wrong, or as left out, does not count.
    """
    import numpy as np

    if not entity_links.has_references(table.files):
        return []
    delivered = Delivered(table, includes_invalid=includes_invalid)
    taken = np.zeros(table.row_count, dtype=bool)
    taken[delivered.numbers] = True
    resolution = entity_links.resolved(
        table, values=delivered.column, taken=taken, edited=entity_links.edited_rows(table)
    )
    rows = entity_links.rows_newly_unresolved(table, resolution, taken)
    return sorted({row for some in rows for row in some.tolist()})


def prepare(changeset: Changeset, table: StagedTable, deleted: Deleted | None = None) -> Outcome:
    """Prepare an apply. deleted: of a full sync; what is still named is left out of it."""
    work = _Work(changeset, table)
    with storage.working_folder("prepare") as folder:
        made = folder / "out"
        made.mkdir()
        from tabular.protocol.tables import write

        parts = work.tables()
        if deleted is not None:
            deleted = deleted.without(work.named, changeset.record, table)
            parts["deleted"] = deleted.table
        for name, part in parts.items():
            write(made / f"{name}.arrow", part)
        return Outcome(
            storage.adopt(FOLDER, made),
            parts["rows"].num_rows,
            work.counts,
            tables.by_field(parts["differences"]),
            tables.undecided(work.compared.held, parts["rows"]),
            versions_of(work.sets) if deleted is None else deleted.seen,
            deleted.counts if deleted is not None else None,
        )


def is_outdated(changeset: Changeset) -> bool:
    """Return whether what is known changed since an apply was prepared."""
    return changeset.seen not in (None, versions_of(sets_of(changeset.record)))


def say_the_same(first: str, second: str) -> bool:
    """Return whether two prepared applies deliver the same. first, second: their folders."""
    former, later = Prepared(first), Prepared(second)
    about = ["entity", "ref", "status", "key"]  # a host may change any other value of an entity
    return (
        all(former.table(name).equals(later.table(name)) for name in DELIVERED)
        and former.table("entities").select(about).equals(later.table("entities").select(about))
        and former.deleted.select(["entity", "ref"]).equals(later.deleted.select(["entity", "ref"]))
    )


class _Work:
    def __init__(self, changeset: Changeset, table: StagedTable) -> None:
        self.changeset, self.table = changeset, table
        self.plan = table.files.plan
        self.sets = sets_of(changeset.record)
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

        from tabular.resolving.pointers import pointers_of

        names = gathered_names(self.changeset, self.table)
        if not entity_links.has_references(self.table.files):
            return self._gathered(names)
        resolution = entity_links.resolved(
            self.table,
            values=self._values,
            taken=self.taken,
            edited=entity_links.edited_rows(self.table),
        )
        pointers = pointers_of(self.plan.target, self.plan.used_fields)
        pointed = {pointer.entity for pointer in pointers}
        apart = [name for name in names if name not in pointed]  # the review did not look these up
        entities = {**resolution.entities, **self._gathered(apart).entities}
        return replace(resolution, entities=entities)

    def _gathered(self, names: Collection[str]) -> Resolution:
        """Return the rows' own entities of some names."""
        from tabular.resolving.pointers import pointers_of
        from tabular.resolving.resolution import resolve, wanted_of

        catalog = self.plan.target
        pointing = {pointer.path for pointer in pointers_of(catalog, self.plan.used_fields)}
        used = self.plan.used_fields.keys() - pointing
        wanted = wanted_of(catalog, used=used, values=self._values, names=names)
        return resolve(
            catalog,
            used=used,
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

        comparison = self.compared
        statuses = np.array(graph.STATUSES)[comparison.statuses]
        rows = chosen_rows(comparison, self.delivered.numbers, self.changeset.only)
        chosen = np.zeros(self.table.row_count, dtype=bool)
        chosen[rows] = True
        self.all_links, self.all_own = self._links(), graph.own_entities(self.resolution)
        links = tables.renumbered(self.all_links, rows)
        if self.sets:
            names, counts = np.unique(statuses[rows], return_counts=True)
            self.counts = dict(zip(names.tolist(), counts.tolist(), strict=True))
        linked = set(zip(links["entity"].to_pylist(), links["ref"].to_pylist(), strict=True))
        entities, known = self._values_in_file(chosen, linked), self._values_known(links)
        statements = self._said(entities)
        nulls = graph.rows_left_null(self.resolution)
        own = tables.renumbered(self.all_own, rows)
        differences = tables.renumbered(comparison.differences, rows)
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
            "differences": differences,
            "kept": tables.kept(comparison.held),
            "told": tables.table_of_values(
                entities, statements, self._base(), key_fields(self.plan.target)
            ),
            "texts": graph.texts_of(self.resolution),
            "matched": tables.renumbered(graph.rows_of_texts(self.resolution), rows),
            "own": own,
            **self._asked(own, links, entities, differences),
        }

    def _base(self) -> dict[tuple[str, str], dict[str, Any]]:
        """Return what was known of the rows' own entities when they were compared."""
        return {
            (name, ref): values
            for name, entities in self.resolution.entities.items()
            for ref, values in zip(entities.refs, entities.values, strict=False)  # known ones first
        }

    def _links(self) -> pa.Table:
        """Return the entities that the delivered cells name, by the row of the revision."""
        from tabular.resolving import graph
        from tabular.resolving.pointers import pointers_of

        pointers = pointers_of(self.plan.target, self.plan.used_fields)
        kept = tables.kept(self.compared.held)
        return with_kept(graph.links_of(self.resolution), kept, pointers, self.sets)

    def _asked(
        self,
        own: pa.Table,
        links: pa.Table,
        entities: Mapping[tuple[str, str], dict[str, Any]],
        differences: pa.Table,
    ) -> dict[str, pa.Table]:
        """Return what hosts that asked for changes get besides: every entity of the rows."""
        import pyarrow as pa

        from tabular.resolving import graph
        from tabular.resolving.pointers import paths_of

        if not has_asked(self.changeset):
            return {}
        named = pa.concat_tables([table.select(["entity", "ref"]) for table in (links, own)])
        changed: set[tuple[str, str]] = set()
        for name in own["entity"].unique().to_pylist():
            paths = paths_of(self.plan.target, name).values()
            changed |= graph.with_differences(own, name, differences, paths)
        return {
            "all": graph.entity_table(
                self.resolution, named, entities, self._values_known(named), changed
            ),
        }

    @property
    def named(self) -> pa.Table:
        """Entity and ref of what the rows are and refer to, before some of them are chosen."""
        import pyarrow as pa

        return pa.concat_tables(
            [table.select(["entity", "ref"]) for table in (self.all_links, self.all_own)]
        )

    @cached_property
    def policies(self) -> dict[str, FieldPolicy]:
        """What cells do to known values, by field path."""
        return policies_of(
            self.plan.target,
            empty_clears=self.changeset.empty_cells == "clear",
            chosen=self.changeset.field_policies,
        )

    @cached_property
    def compared(self) -> Compared:
        """The rows compared with what is known now, not with what was known in review."""
        return compared_with_known(
            self.changeset.record, self.delivered, self.table, self.sets, self.policies
        )

    def _json_texts(self, path: str) -> pa.Array:
        import pyarrow as pa

        column = self.table.files.by_field[path]
        chunks = [column.json_texts(chunk).cast(pa.string()) for chunk in self._values(path).chunks]
        return pa.chunked_array(chunks, pa.string()).combine_chunks()

    def _values_in_file(
        self, chosen: NDArray[np.bool_], linked: Collection[tuple[str, str]]
    ) -> dict[tuple[str, str], dict[str, Any]]:
        """
        Return the values in the chosen rows of entities that are worth remembering.

        linked: name and ref of the entities that a delivered cell names; one that is only named by
        cells that are delivered otherwise is not created.
        """
        import numpy as np

        from tabular.resolving import graph

        values_by_ref: dict[tuple[str, str], dict[str, Any]] = {}
        for entity, ref, values in graph.made_of(self.resolution):
            if (entity, ref) in linked:
                values_by_ref[entity, ref] = values
        held = tables.rows_by_field(self.compared.held)
        for name, entities in self.resolution.entities.items():
            if not len(entities.of_rows):
                continue
            entities.of_rows = np.where(chosen, entities.of_rows, -1)
            by_ref = graph.entity_values(
                self.resolution, name, self._json_texts, policies=self.policies, held=held
            )
            values_by_ref |= {(name, ref): values for ref, values in by_ref.items()}
        return values_by_ref

    def _said(
        self, entities: Mapping[tuple[str, str], dict[str, Any]]
    ) -> dict[tuple[str, str], dict[str, Any]]:
        """
        Return what the file says of entities, also where the host's own change counts.

        The next import compares its values with these, to see what the file changed.
        """
        import orjson
        import pyarrow.compute as pc

        from tabular.resolving.pointers import paths_of

        statements = {pair: dict(values) for pair, values in entities.items()}
        held = self.compared.held
        of_host = held.filter(pc.equal(held["why"], HOST)).to_pylist()
        for name, known in self.resolution.entities.items() if of_host else ():
            keys = {path: key for key, path in paths_of(self.plan.target, name).items()}
            for cell in (cell for cell in of_host if cell["field"] in keys):
                number = int(known.of_rows[cell["row"]])
                if number >= 0:
                    value = None if cell["file"] is None else orjson.loads(cell["file"])
                    statements[name, known.refs[number]][keys[cell["field"]]] = value
        return statements

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
