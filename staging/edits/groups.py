"""Rows of one parent after a change: what is wrong in their groups now."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from staging import arrays
from staging.columns import StagedFiles, StagedTable
from staging.defects import column_alone

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from staging.arrays import Rows
    from staging.overlay import RowIssue
    from tabular.types.rows import Finding
    from tabular.validating import GroupRules

Values = Callable[[str], "pa.ChunkedArray"]


def rules_of(
    files: StagedFiles, changed: Collection[str], *, has_moved: bool
) -> tuple[GroupRules, ...]:
    """
    Return the rules about groups whose outcome may change.

    changed: field paths. has_moved: whether rows are excluded or included again.
    """
    from tabular.validating import group_rules

    plan = files.plan
    every = group_rules(plan.target, paths=plan.used_fields)
    return tuple(rules for rules in every if has_moved or not rules.reads.isdisjoint(changed))


def is_reported(issue: RowIssue, rules: Iterable[GroupRules]) -> bool:
    """Return whether an issue is one that the rules report."""
    return any(item.reports(issue["field"], issue["code"]) for item in rules)


@dataclass(frozen=True)
class Regrouped:
    """The groups that a change touches. values: a column as it will be."""

    table: StagedTable
    rules: GroupRules
    values: Values

    def rows(self, touched: Rows) -> Rows:
        """Return the rows of the groups that some rows are or were in, and some more, ascending."""
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        if self.rules.unique:  # any other group may have the same value
            return np.arange(self.table.row_count, dtype=np.int64)
        key = self.rules.nesting.keys[0]
        now = self.values(key)
        of_touched = pa.chunked_array(
            [self.table.values_at(key, touched), arrays.take(now, touched)]
        )
        named = of_touched.unique()
        mine = pc.is_in(now, value_set=named, skip_nulls=True).to_numpy()
        if named.null_count and len(self.rules.nesting.keys) > 1:
            mine |= now.is_null().to_numpy()
        return arrays.ascending(np.flatnonzero(mine).astype(np.int64), touched)

    def findings(self, rows: Rows, taken: NDArray[np.bool_]) -> list[Finding]:
        """Return what is wrong in the groups of some rows. taken: those that are not excluded."""
        import pyarrow as pa

        from tabular.model.defect import NOT_CHECKED
        from tabular.types.rows import Finding
        from tabular.validating import group_findings

        mine, key = rows[taken[rows]], self.rules.nesting.keys[0]
        with column_alone(self.table.revision.subject, key, "differing_parent_value"):
            return list(group_findings((self.rules,), self.values, mine))
        return [Finding(key, NOT_CHECKED, "error", mine, pa.nulls(len(mine), pa.string()))]
