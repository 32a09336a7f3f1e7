"""Count what planned rows change, and count again when some of them were edited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

COUNTED = ("new", "changed", "unchanged", "unclear")


@dataclass
class Tally:
    """Rows by status, and rows by field that differs."""

    statuses: Counter[str] = field(default_factory=Counter)
    fields: Counter[str] = field(default_factory=Counter)
    held: Counter[tuple[str, str]] = field(default_factory=Counter)  # by field, and why

    def add(self, planned: pa.Table) -> None:
        """Count some planned rows."""
        self.statuses.update(_statuses(planned))
        self.fields.update(_fields(planned))
        self.held.update(_held(planned))

    def subtract(self, planned: pa.Table) -> None:
        """Count some planned rows no more."""
        self.statuses.subtract(_statuses(planned))
        self.fields.subtract(_fields(planned))
        self.held.subtract(_held(planned))

    @property
    def counts(self) -> dict[str, int]:
        """Rows by status."""
        return {status: self.statuses[status] for status in COUNTED}

    @property
    def changed_fields(self) -> dict[str, int]:
        """Rows by field that differs, most rows first."""
        fields = [(name, count) for name, count in self.fields.items() if count]
        return dict(sorted(fields, key=lambda item: (-item[1], item[0])))

    @property
    def held_fields(self) -> list[dict[str, Any]]:
        """Rows by field whose cells differ and change nothing, or wait for a decision."""
        counted = sorted(self.held.items())
        return [{"field": path, "why": why, "rows": n} for (path, why), n in counted if n]


def matched_counts(tables: Iterable[pa.Table]) -> dict[str, int]:
    """Return how many distinct entities the planned rows name, of those the scope itself knows."""
    import pyarrow as pa

    named = pa.concat_tables([matched(table) for table in tables])
    by_name = named.group_by(["entity", "ref", "key"], use_threads=False)
    distinct = by_name.aggregate([("own", "max")])
    counts = distinct.group_by("entity", use_threads=False).aggregate([("own_max", "sum")])
    return {item["entity"]: item["own_max_sum"] for item in counts.to_pylist()}


def matched(planned: pa.Table) -> pa.Table:
    """Return the known entities of some planned rows, as in ``row_plan.MATCHED``."""
    import pyarrow as pa
    import pyarrow.compute as pc

    items = pc.list_flatten(planned["refs"].combine_chunks())
    return pa.Table.from_struct_array(items)


def missing_counts(known: Mapping[str, int], named: Mapping[str, int]) -> dict[str, int]:
    """Return how many known entities no row names, by entity."""
    return {name: max(0, count - named.get(name, 0)) for name, count in known.items()}


def _statuses(planned: pa.Table) -> dict[str, int]:
    import pyarrow.compute as pc

    from tabular.resolving.graph import STATUSES

    counts: Counter[str] = Counter()
    for item in pc.value_counts(planned["status"].combine_chunks()).to_pylist():
        if item["values"] >= 0:
            counts[STATUSES[item["values"]]] += item["counts"]
    return counts


def _fields(planned: pa.Table) -> dict[str, int]:
    import pyarrow.compute as pc

    changes = pc.list_flatten(planned["changes"].combine_chunks())
    counts = pc.value_counts(pc.struct_field(changes, "field")).to_pylist()
    return {item["values"]: item["counts"] for item in counts}


def _held(planned: pa.Table) -> dict[tuple[str, str], int]:
    import pyarrow as pa
    import pyarrow.compute as pc

    items = pa.Table.from_struct_array(pc.list_flatten(planned["held"].combine_chunks()))
    counted = items.group_by(["field", "why"], use_threads=False).aggregate([([], "count_all")])
    return {(item["field"], item["why"]): item["count_all"] for item in counted.to_pylist()}
