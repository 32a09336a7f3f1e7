"""Compute plans: of every row of a base, slice by slice, and of the rows that edits changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from changesets.comparison.known_rows import ROWS_AT_ONCE, KnownRows
from changesets.models import Plan
from changesets.plans.missing import nameable_count, synced_entries
from changesets.plans.planned_rows import FILE, PlannedRows, opened
from changesets.plans.tally import Tally, matched, matched_counts, missing_counts
from common import storage
from imports.page_policy import fixed_at_apply
from staging import selectors as staging
from staging.columns import SEVERITY_WARNING
from tabular.resolving.known_values import policies_of

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from imports.models import ImportRecord
    from references.selectors import Sets
    from staging.arrays import Rows
    from staging.columns import StagedTable
    from staging.overlay import Patch

FOLDER = "plans"  # in the storage


def compared_rows(record: ImportRecord, table: StagedTable, sets: Mapping[str, Sets]) -> KnownRows:
    """Return the rows of an import, and what its scope knows of the entities in them."""
    clears = fixed_at_apply(record).get("emptyCells") == "clear"
    policies = policies_of(table.files.plan.target, empty_clears=clears)
    return KnownRows(table.files, record.scope, sets, table.values_at, policies)


def plan_of_base(
    record: ImportRecord, table: StagedTable, sets: Mapping[str, Sets], seen: dict[str, Any]
) -> Plan:
    """Compute the plan of every row of a base; it is written slice by slice."""
    comparison, tally = compared_rows(record, table, sets), Tally()
    with storage.working_folder("plan") as folder:
        made = folder / "out"
        made.mkdir()
        _write_slices(made / FILE, table, comparison, tally)
        named = matched_counts([opened(made)])
        name = storage.adopt(FOLDER, made)
    known = _known_counts(record, comparison.names, sets)
    return Plan(
        record=record,
        revision=table.revision.number,
        base=table.revision.number,
        folder=name,
        whole=name,
        seen=seen,
        known=known,
        missing=missing_counts(known, named),
        counts=tally.counts,
        changed_fields=tally.changed_fields,
        held_fields=tally.held_fields,
    )


def _known_counts(
    record: ImportRecord, names: list[str], sets: Mapping[str, Sets]
) -> dict[str, int]:
    """
    Return how many entities exactly this scope knows, by entity.

    Of an entry with ``fullSync`` those that have a key: no row can name the others.
    """
    from tabular.resolving.pointers import key_fields

    synced, keys = synced_entries(record.target), key_fields(record.target)
    return {
        entity: nameable_count(record, entity, keys[entity])
        if entity in synced
        else sum(item.entities.count() for item in sets[entity] if item.scope == record.scope)
        for entity in names
    }


def _write_slices(path: Path, table: StagedTable, comparison: KnownRows, tally: Tally) -> None:
    import numpy as np

    from tabular.protocol.tables import write_parts
    from tabular.resolving.row_plan import PLANNED

    is_delivered = _is_delivered(table)

    def planned() -> Iterator[pa.Table]:
        for start in range(0, table.row_count, ROWS_AT_ONCE):
            some = np.arange(start, min(start + ROWS_AT_ONCE, table.row_count))
            lines = comparison.planned(some).as_table(is_delivered[some])
            tally.add(lines)
            yield lines
            table.files.let_go_of_pages()

    write_parts(path, PLANNED, planned())


def _is_delivered(table: StagedTable) -> NDArray[np.bool_]:
    """Return for each row whether an apply delivers it."""
    import numpy as np

    mask = np.zeros(table.row_count, dtype=bool)
    mask[table.numbers(at_most=SEVERITY_WARNING).to_numpy()] = True
    return mask


def plan_of_edited(
    record: ImportRecord,
    table: StagedTable,
    sets: Mapping[str, Sets],
    whole: Plan,
    before: Plan | None,
) -> Plan:
    """
    Compute the plan of a revision that edits of a base lead to.

    whole: the plan of the base. before: that of another revision with edits of the same base.
    """
    former = staging.at_revision(record.public_id, before.revision) if before else None
    patches: Mapping[int, Patch] = former.overlay.patches if former is not None else {}
    rows = _changed(table.overlay.patches, patches)
    parts = [_with_rows(compared_rows(record, table, sets), table, rows)]
    if before is not None and former is not None:
        kept = opened(storage.local_path(before.folder))
        parts.append(_without(kept, rows, table.overlay.rows))
    return _over(record, table, whole, _joined(parts))


def _changed(now: Mapping[int, Patch], before: Mapping[int, Patch]) -> Rows:
    import numpy as np

    changed = [row for row, patch in now.items() if before.get(row) != patch]
    return np.array(sorted(changed), np.int64)


def _with_rows(comparison: KnownRows, table: StagedTable, rows: Rows) -> pa.Table:
    """Plan some edited rows: ``row`` and their lines."""
    import numpy as np
    import pyarrow as pa

    patches = [table.overlay.patches[row] for row in rows.tolist()]
    is_delivered = np.array(
        [not patch.is_excluded and patch.severity <= SEVERITY_WARNING for patch in patches], bool
    )
    planned = comparison.planned(rows).as_table(is_delivered)
    return planned.add_column(0, "row", pa.array(rows, pa.int64()))


def _without(edited: pa.Table, rows: Rows, still: Rows) -> pa.Table:
    """Return the edited lines that stay: not planned again, and still edited."""
    import numpy as np
    import pyarrow as pa

    about = edited["row"].to_numpy()
    return edited.filter(pa.array(np.isin(about, still) & ~np.isin(about, rows)))


def _joined(parts: list[pa.Table]) -> pa.Table:
    import numpy as np
    import pyarrow as pa

    joined = pa.concat_tables(parts)
    order = np.argsort(joined["row"].to_numpy())
    return joined.take(pa.array(order)).combine_chunks()


def _over(record: ImportRecord, table: StagedTable, whole: Plan, edited: pa.Table) -> Plan:
    from tabular.protocol.tables import write

    base = opened(storage.local_path(whole.whole))
    replaced = base.take(edited["row"])
    held = Counter({(item["field"], item["why"]): item["rows"] for item in whole.held_fields})
    tally = Tally(Counter(whole.counts), Counter(whole.changed_fields), held)
    tally.subtract(replaced)
    tally.add(edited)
    missing = whole.missing
    if not matched(replaced).equals(matched(edited)):
        named = matched_counts(PlannedRows(base, edited).tables())
        missing = missing_counts(whole.known, named)
    with storage.working_folder("plan") as folder:
        made = folder / "out"
        made.mkdir()
        write(made / FILE, edited)
        name = storage.adopt(FOLDER, made)
    return Plan(
        record=record,
        revision=table.revision.number,
        base=whole.base,
        folder=name,
        whole=whole.whole,
        seen=whole.seen,
        known=whole.known,
        missing=missing,
        counts=tally.counts,
        changed_fields=tally.changed_fields,
        held_fields=tally.held_fields,
    )


def plan_of_unknown(table: StagedTable) -> tuple[PlannedRows, Tally]:
    """Return the planned rows, and their counts, where nothing is known of their entities."""
    import numpy as np

    from tabular.resolving.graph import DIFFERENCES, HELD, NEW
    from tabular.resolving.row_plan import MATCHED, RowPlan

    statuses = np.full(table.row_count, NEW, np.int8)
    is_delivered = _is_delivered(table)
    tables = [schema.empty_table() for schema in (MATCHED, DIFFERENCES, HELD)]
    nothing = RowPlan(statuses, *tables)
    planned: pa.Table = nothing.as_table(is_delivered)
    tally = Tally()
    tally.add(planned)
    return PlannedRows(planned), tally
