"""Small tables of a prepared apply, made of those of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from staging import arrays
from tabular.resolving.known_values import SETTLED, UNDECIDED

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows


def by_field(differences: pa.Table) -> dict[str, int]:
    """Count the rows in which each field differs, most rows first."""
    counts = {
        count["values"]: count["counts"]
        for count in differences["field"].value_counts().to_pylist()
    }
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def renumbered(table: pa.Table, rows: Rows) -> pa.Table:
    """Return what concerns some rows of a revision, with these counted from 0."""
    import numpy as np
    import pyarrow as pa

    at = arrays.places_in(rows, table["row"].to_numpy())
    kept = at >= 0
    place = table.schema.get_field_index("row")
    mine = table.filter(pa.array(kept)).set_column(place, "row", pa.array(at[kept], pa.int64()))
    if (np.diff(at[kept]) >= 0).all():
        return mine
    return mine.take(pa.array(np.argsort(at[kept], kind="stable")))


def placed(table: pa.Table, rows: Rows) -> pa.Table:
    """Return what concerns some rows, counted from 0, with the numbers of these rows."""
    import pyarrow as pa

    at = pa.array(rows[table["row"].to_numpy()])
    return table.set_column(table.schema.get_field_index("row"), "row", at)


def rows_by_field(held: pa.Table) -> dict[str, set[int]]:
    """Return the rows of held cells, by field."""
    rows: dict[str, set[int]] = {}
    for path, row in zip(held["field"].to_pylist(), held["row"].to_pylist(), strict=True):
        rows.setdefault(path, set()).add(row)
    return rows


def kept(held: pa.Table) -> pa.Table:
    """Return the cells that are delivered with the known value: ``field``, ``row``, ``known``."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from tabular.types.value_texts import exact_texts

    settled = held.filter(pc.is_in(held["why"], value_set=pa.array(SETTLED)))
    columns = [settled["field"], settled["row"], exact_texts(settled["known"].combine_chunks())]
    return pa.table(columns, names=["field", "row", "known"]).sort_by("row")


def table_of_values(
    entities: Mapping[tuple[str, str], dict[str, Any]],
    statements: Mapping[tuple[str, str], dict[str, Any]],
    base: Mapping[tuple[str, str], Mapping[str, Any]],
    keys: Mapping[str, str],
) -> pa.Table:
    """
    Return a table of what becomes known of entities, and of what the file said of them.

    base: what was known of them when they were compared.
    """
    import orjson
    import pyarrow as pa

    columns = {
        "entity": [entity for entity, _ in entities],
        "ref": [ref for _, ref in entities],
        "key": [keys[entity] for entity, _ in entities],
        "values": [orjson.dumps(values).decode() for values in entities.values()],
        "said": [orjson.dumps(statements[pair]).decode() for pair in entities],
        "base": [orjson.dumps(base.get(pair, {})).decode() for pair in entities],
    }
    return pa.table({name: pa.array(column, pa.string()) for name, column in columns.items()})


def undecided(held: pa.Table, chosen: pa.Table) -> list[dict[str, Any]]:
    """Return the fields whose cells in chosen rows wait for a decision: field, why, rows."""
    import pyarrow as pa
    import pyarrow.compute as pc

    waits = pc.is_in(held["why"], value_set=pa.array(UNDECIDED))
    mine = held.filter(pc.and_(waits, pc.is_in(held["row"], value_set=chosen["row"])))
    return by_field_and_reason(mine)


def by_field_and_reason(held: pa.Table) -> list[dict[str, Any]]:
    """Count held cells by field, and why: {field, why, rows}."""
    counted = held.group_by(["field", "why"], use_threads=False).aggregate([([], "count_all")])
    return [
        {"field": item["field"], "why": item["why"], "rows": item["count_all"]}
        for item in counted.sort_by([("field", "ascending"), ("why", "ascending")]).to_pylist()
    ]
