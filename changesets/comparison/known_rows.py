"""Compare rows with what is known of their entities, a slice at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from references.lookup import known_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from references.selectors import Sets
    from staging.arrays import Rows
    from staging.columns import StagedFiles
    from tabular.protocol.plan import TransformPlan
    from tabular.resolving.known_values import FieldPolicy
    from tabular.resolving.row_plan import RowPlan

ROWS_AT_ONCE = 20_000
ValuesAt = Callable[[str, "Rows"], "pa.Array"]  # field path and m rows to their typed values


def compared_names(plan: TransformPlan, sets: Mapping[str, Sets]) -> list[str]:
    """Return the mapped entries whose entities have a key and of which some are known."""
    return [name for name in keyed_names(plan) if name in sets]


def keyed_names(plan: TransformPlan) -> list[str]:
    """Return the mapped entries whose entities have a key."""
    from tabular.resolving.pointers import key_fields, paths_of

    keys = key_fields(plan.target)
    return [
        entry.id
        for entry in plan.target.entries
        if entry.id in keys
        and paths_of(plan.target, entry.id).get(keys[entry.id]) in plan.columns_by_path
    ]


@dataclass(frozen=True)
class KnownRows:
    """
    Rows of a table, and what their scope knows of the entities in them.

    sets: what the scope sees, by entity. values_at: returns the values that are compared. policies:
    what cells do to known values, by field path. rows_in_error: returns the rows with an error in a
    field, ascending, where such rows are compared.
    """

    files: StagedFiles
    scope: str
    sets: Mapping[str, Sets]
    values_at: ValuesAt
    policies: Mapping[str, FieldPolicy]
    rows_in_error: Callable[[str], Rows] | None = None

    @cached_property
    def names(self) -> list[str]:
        """The names of the entities that are compared."""
        return compared_names(self.files.plan, self.sets)

    def planned(self, rows: Rows) -> RowPlan:
        """Return what some rows change; they are numbered from 0."""
        import pyarrow as pa

        from tabular.resolving.resolution import wanted_keys
        from tabular.resolving.row_plan import plan_rows

        taken: dict[str, pa.Array] = {}

        def values(path: str) -> pa.Array:
            if path not in taken:
                taken[path] = self.values_at(path, rows)
            return taken[path]

        def json_texts(path: str) -> pa.Array:
            return self.files.by_field[path].json_texts(values(path)).cast(pa.string())

        plan = self.files.plan
        catalog, used = plan.target, frozenset(plan.columns_by_path)
        wanted = wanted_keys(catalog, used=used, values=values, names=self.names)
        return plan_rows(
            catalog,
            names=self.names,
            known=known_for(self.sets, wanted).entities,
            values=values,
            json_texts=json_texts,
            used=used,
            count=len(rows),
            is_scoped=bool(self.scope),
            policies=self.policies,
            unread=lambda path, some: self._unread(path, rows[some]),
        )

    def _unread(self, path: str, rows: Rows) -> NDArray[np.bool_]:
        import numpy as np

        if self.rows_in_error is None:
            return np.zeros(len(rows), dtype=bool)
        return np.isin(rows, self.rows_in_error(path))

    def slices(self, rows: Rows) -> Iterator[tuple[Rows, RowPlan]]:
        """Yield some rows, thousands at a time, with what they change."""
        for start in range(0, len(rows), ROWS_AT_ONCE):
            some = rows[start : start + ROWS_AT_ONCE]
            yield some, self.planned(some)
            self.files.let_go_of_pages()
