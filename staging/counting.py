"""Count the texts that have an issue: what a person would settle all at once."""

from typing import Any

from staging.columns import StagedTable
from staging.issues import issues_now


def texts_with(table: StagedTable, *, field: str, code: str) -> list[dict[str, Any]]:
    """
    Give the distinct texts of a field with an issue: {value, count}, most frequent first.

    Rows that are left out do not count.
    """
    import pyarrow as pa
    import pyarrow.compute as pc  # only where rows are looked at

    issues = issues_now(table)
    if table.is_excluded.any():
        issues = issues.filter(pa.array(~table.is_excluded[issues["row"].to_numpy()]))
    about = pc.and_(pc.equal(issues["field"], field), pc.equal(issues["code"], code))
    counted = pc.value_counts(issues.filter(about)["value"]).to_pylist()
    found = [{"value": one["values"], "count": one["counts"]} for one in counted]
    return sorted(found, key=lambda one: (-one["count"], one["value"]))
