"""
What the rows of a file will change of what is known: each row's status, entities and changes.

A row is judged by its own cells alone, so any rows can be planned apart from the others: a file
slice by slice, and after an edit the edited rows.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.model.catalog import Catalog
from tabular.resolving.entities import Entities, Values, entities_of
from tabular.resolving.graph import DIFFERENCES, HELD, JsonTexts
from tabular.resolving.known_values import FieldPolicy
from tabular.resolving.merging import Unread, all_read, compare
from tabular.resolving.pointers import paths_of
from tabular.values.arrays import Rows

MATCHED = pa.schema(
    [
        ("row", pa.int64()),
        ("entity", pa.string()),
        ("ref", pa.string()),  # null: several are known under the row's key
        ("key", pa.string()),  # the key then; else null
        ("own", pa.int64()),  # how many of them exactly this scope knows, not the whole tenant
    ]
)
LEFT_OUT = -1  # the status of a row that would not be delivered
PLANNED = pa.schema(
    [
        ("status", pa.int8()),
        ("refs", pa.list_(pa.struct([f for f in MATCHED if f.name != "row"]))),
        ("changes", pa.list_(pa.struct([f for f in DIFFERENCES if f.name != "row"]))),
        ("held", pa.list_(pa.struct([f for f in HELD if f.name != "row"]))),
    ]
)


@dataclass(frozen=True, slots=True)
class RowPlan:
    """
    What n rows change; tables are ordered by row.

    statuses: n, as in ``graph.STATUSES``. matched: the known entities of the rows (``MATCHED``).
    differences: the cells that change them (``graph.DIFFERENCES``). held: the cells that differ and
    change nothing, or wait for a decision (``graph.HELD``).
    """

    statuses: NDArray[np.int8]
    matched: pa.Table
    differences: pa.Table
    held: pa.Table

    def as_table(self, is_delivered: NDArray[np.bool_]) -> pa.Table:
        """
        Return a line for each row (``PLANNED``).

        is_delivered: n; a row that is not changes nothing, but it names its entities.
        """
        count = len(self.statuses)
        differences, held = (
            table.filter(pa.array(is_delivered[table["row"].to_numpy()]))
            for table in (self.differences, self.held)
        )
        columns = [
            pa.array(np.where(is_delivered, self.statuses, LEFT_OUT).astype(np.int8)),
            _listed(self.matched, PLANNED.field("refs"), count),
            _listed(differences, PLANNED.field("changes"), count),
            _listed(held, PLANNED.field("held"), count),
        ]
        return pa.table(columns, schema=PLANNED)


def plan_rows(
    catalog: Catalog,
    *,
    names: Collection[str],
    known: pa.Table,
    values: Values,
    json_texts: JsonTexts,
    used: Collection[str],
    count: int,
    policies: Mapping[str, FieldPolicy],
    unread: Unread = all_read,
    is_scoped: bool = False,
) -> RowPlan:
    """
    Compare ``count`` rows with what is known of the entities of some names.

    known: a table as of ``entities.KNOWN``, with at least the entities that have a key of the rows.
    values, json_texts: return the typed values of a field, and these as delivered. used: the field
    paths that are fed. policies: of fields, by path. unread: which cells of some rows have an
    error. is_scoped: whether they are rows of a scope.
    """
    statuses = np.zeros(count, np.int8)
    matched, differences = [MATCHED.empty_table()], [DIFFERENCES.empty_table()]
    held = [HELD.empty_table()]
    for name in names:
        entities = entities_of(name, catalog=catalog, known=known, values=values, used=used)
        paths = [path for path in paths_of(catalog, name).values() if path in used]
        fed = {path: catalog.live_fields[path] for path in paths}
        compared = compare(entities, json_texts, fed=fed, policies=policies, unread=unread)
        statuses = np.maximum(statuses, compared.statuses)
        differences.append(compared.differences)
        held.append(compared.held)
        matched.append(_matched(entities, known, is_scoped=is_scoped))
    return RowPlan(statuses, *map(_by_row, (matched, differences, held)))


def _matched(entities: Entities, known: pa.Table, *, is_scoped: bool) -> pa.Table:
    numbers = entities.of_rows
    own = np.ones(entities.known_count, np.int64)
    if is_scoped:
        mine = pc.and_(pc.equal(known["entity"], entities.entity), pc.invert(known["shared"]))
        value_set = known.filter(mine)["ref"].combine_chunks()
        refs = pa.array(entities.refs[: entities.known_count], pa.string())
        own = pc.is_in(refs, value_set=value_set).to_numpy(zero_copy_only=False).astype(np.int64)
    rows = np.flatnonzero((numbers >= 0) & (numbers < entities.known_count))
    refs = pa.array(entities.refs, pa.string()).take(pa.array(numbers[rows]))
    named = _lines(entities, rows, refs, pa.nulls(len(rows), pa.string()), own[numbers[rows]])
    rows, keys, counts = entities.shared_keys(own)
    shared = _lines(entities, rows, pa.nulls(len(rows), pa.string()), keys, counts)
    return pa.concat_tables([named, shared])


def _lines(entities: Entities, rows: Rows, refs: pa.Array, keys: pa.Array, own: Rows) -> pa.Table:
    name = pa.repeat(pa.scalar(entities.entity), len(rows))
    return pa.table([pa.array(rows.astype(np.int64)), name, refs, keys, own], schema=MATCHED)


def _by_row(tables: list[pa.Table]) -> pa.Table:
    joined = pa.concat_tables(tables)
    order = np.argsort(joined["row"].to_numpy(), kind="stable")
    return joined.take(pa.array(order))


def _listed(table: pa.Table, field: pa.Field, count: int) -> pa.Array:
    """Return the lines of a table as one list for each of ``count`` rows."""
    offsets = np.searchsorted(table["row"].to_numpy(), np.arange(count + 1)).astype(np.int32)
    members = list(field.type.value_type)
    columns = [table[member.name].combine_chunks() for member in members]
    items = pa.StructArray.from_arrays(columns, fields=members)
    return pa.ListArray.from_arrays(pa.array(offsets), items).cast(field.type)
