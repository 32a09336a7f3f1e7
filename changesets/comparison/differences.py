"""How the rows of an apply differ from what is known now, and which of them it delivers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from changesets.comparison import tables
from changesets.comparison.known_rows import KnownRows
from changesets.features import sets_of
from references import selectors as references
from staging import arrays
from staging.exports.delivered_rows import Delivered
from tabular.resolving.known_values import UNDECIDED, FieldPolicy

if TYPE_CHECKING:
    import pyarrow as pa

    from imports.models import ImportRecord
    from staging.arrays import Rows
    from staging.columns import StagedTable
    from tabular.resolving.graph import Compared

ONLY = {  # which rows an apply is limited to, by their status
    "": ("new", "changed", "unchanged", "unclear"),
    "new": ("new",),
    "changed": ("changed",),
    "known": ("changed", "unchanged"),
}


def versions_of(sets: Mapping[str, references.Sets]) -> dict[str, Any]:
    """Return the sets and versions that rows are compared with; another version, another result."""
    return {name: [[item.pk, item.version] for item in seen] for name, seen in sets.items()}


def compared_with_known(
    record: ImportRecord,
    delivered: Delivered,
    table: StagedTable,
    sets: Mapping[str, references.Sets],
    policies: Mapping[str, FieldPolicy],
) -> Compared:
    """Return how the delivered rows differ from what is known now, by the row of the revision."""
    import numpy as np
    import pyarrow as pa

    from tabular.resolving import graph

    statuses = np.zeros(table.row_count, np.int8)
    differences, held = [graph.DIFFERENCES.empty_table()], [graph.HELD.empty_table()]
    rows = KnownRows(
        table.files,
        record.scope,
        sets,
        lambda path, some: arrays.take(delivered.column(path), some),
        policies,
        delivered.rows_in_error,
    )
    for some, plan in rows.slices(np.sort(delivered.numbers)):
        statuses[some] = plan.statuses
        differences.append(tables.placed(plan.differences, some))
        held.append(tables.placed(plan.held, some))
    return graph.Compared(statuses, pa.concat_tables(differences), pa.concat_tables(held))


def undecided_of(
    record: ImportRecord,
    table: StagedTable,
    *,
    policies: Mapping[str, FieldPolicy],
    includes_invalid: bool,
    only: str,
) -> pa.Table:
    """Return the cells that would wait for a decision at an apply (``graph.HELD``)."""
    import pyarrow as pa
    import pyarrow.compute as pc

    delivered = Delivered(table, includes_invalid=includes_invalid)
    result = compared_with_known(record, delivered, table, sets_of(record), policies)
    rows = chosen_rows(result, delivered.numbers, only)
    held = result.held
    waits = pc.is_in(held["why"], value_set=pa.array(UNDECIDED))
    return held.filter(pc.and_(waits, pc.is_in(held["row"], value_set=pa.array(rows))))


def chosen_rows(result: Compared, rows: Rows, only: str) -> Rows:
    """Return those of some delivered rows that an apply is limited to."""
    import numpy as np

    from tabular.resolving import graph

    statuses = np.array(graph.STATUSES)[result.statuses[rows]]
    return rows[np.isin(statuses, ONLY[only])].astype(np.int64)
