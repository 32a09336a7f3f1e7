"""The issues of a revision: those of the files, replaced by new ones in edited rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from staging import arrays
from staging.columns import StagedTable
from staging.pages import issue_shown

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class IssueGroup:
    """Issues with the same code, field and severity, over the rows that are not excluded."""

    code: str
    field: str
    severity: str
    count: int
    row: int  # the first row with the issue
    message: str  # the message in that row


def issues_now(table: StagedTable) -> pa.Table:
    """Return the issues of every row, excluded or not: ``row`` to ``params``, sorted by row."""
    import numpy as np
    import pyarrow as pa

    files, overlay = table.files, table.overlay
    if not overlay:
        return files.issues
    stale = np.isin(files.issue_rows, overlay.rows)
    fresh = pa.Table.from_pylist(list(_of_overlay(table)), files.issues.schema)
    kept = files.issues.filter(pa.array(~stale))
    joined = pa.concat_tables([kept, fresh]).unify_dictionaries()
    order = np.argsort(joined.column("row").to_numpy(), kind="stable")
    return joined.take(pa.array(order))


def _of_overlay(table: StagedTable) -> Iterator[dict[str, Any]]:
    for row in table.overlay.rows.tolist():
        for issue in table.overlay.patches[row].issues:
            params: Mapping[str, Any] = issue["params"]
            yield {**issue, "row": row, "params": json.dumps(params) if params else None}


def summarised(table: StagedTable) -> list[IssueGroup]:
    """Count the issues by code, field and severity, most frequent first."""
    import pyarrow as pa

    issues = issues_now(table)
    if table.is_excluded.any():
        shown = ~table.is_excluded[issues.column("row").to_numpy()]
        issues = issues.filter(pa.array(shown))
    keys = ["code", "field", "severity"]
    words = issues.select(keys).unify_dictionaries()
    places = pa.array(range(issues.num_rows), pa.int64())
    plain = pa.table({key: _numbers(words.column(key)) for key in keys} | {"place": places})
    counted = plain.group_by(keys).aggregate([([], "count_all"), ("place", "min")]).to_pylist()
    spelled = (
        {key: words.column(key).chunk(0).dictionary.to_pylist() for key in keys} if counted else {}
    )
    groups = [
        IssueGroup(
            **{key: spelled[key][item[key]] for key in keys},
            count=item["count_all"],
            **_first(issues, item["place_min"]),
        )
        for item in counted
    ]
    return sorted(groups, key=lambda g: (-g.count, g.code, g.field, g.severity))


def _first(issues: pa.Table, place: int) -> dict[str, Any]:
    (issue,) = issues.slice(place, 1).to_pylist()
    issue["params"] = json.loads(issue["params"]) if issue["params"] else {}
    return {"row": issue["row"], "message": issue_shown(issue, issue["row"])["message"]}


def _numbers(words: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the indices of dictionary words, which group faster than the words."""
    import pyarrow as pa

    return pa.chunked_array([chunk.indices for chunk in words.chunks], pa.int32())


def errors_of(table: StagedTable) -> pa.Table:
    """Return the issues that are errors: ``row``, ``field``, ``code``, ``severity``, ``value``."""
    import pyarrow.compute as pc

    issues = issues_now(table)
    return issues.filter(pc.equal(issues.column("severity"), "error"))


def rows_in_error(errors: pa.Table, path: str) -> NDArray[np.int64]:
    """Return the rows with an error in a field, ascending."""
    import pyarrow.compute as pc

    rows = errors.filter(pc.equal(errors.column("field"), path)).column("row")
    return arrays.ascending(rows.to_numpy())


def texts_with(table: StagedTable, *, field: str, code: str) -> list[dict[str, Any]]:
    """
    Return a field's distinct texts with an issue: {value, count}, most frequent first.

    Excluded rows do not count.
    """
    import pyarrow as pa
    import pyarrow.compute as pc  # only imported when rows are examined

    issues = issues_now(table)
    if table.is_excluded.any():
        issues = issues.filter(pa.array(~table.is_excluded[issues["row"].to_numpy()]))
    about = pc.and_(pc.equal(issues["field"], field), pc.equal(issues["code"], code))
    counted = pc.value_counts(issues.filter(about)["value"]).to_pylist()
    counts = [{"value": count["values"], "count": count["counts"]} for count in counted]
    return sorted(counts, key=lambda count: (-count["count"], count["value"]))
