"""References of a table after a change: which entities they mean now, and which are wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from common import storage
from staging import arrays
from staging.columns import StagedFiles, StagedTable
from staging.defects import log_defects
from staging.issues import issues_now
from staging.overlay import RowIssue

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from staging.arrays import Rows
    from tabular.protocol.plan import TransformPlan
    from tabular.resolving.resolution import Known, Resolution
    from tabular.types.rows import Finding


Values = Callable[[str], "pa.ChunkedArray"]


def has_references(files: StagedFiles) -> bool:
    """Return whether the rows have references."""
    return files.manifest.references is not None


def concerned_paths(files: StagedFiles) -> frozenset[str]:
    """Return the fields that affect references: those that refer or describe an entity."""
    if not has_references(files):
        return frozenset()
    from tabular.resolving.pointers import paths_of, pointers_of

    plan = files.plan
    paths: set[str] = set()
    for pointer in pointers_of(plan.target, plan.used_fields):
        mine = paths_of(plan.target, pointer.entity)
        paths |= {pointer.path, *mine.values()}
    return frozenset(paths)


def resolved(
    table: StagedTable,
    *,
    values: Values,
    taken: NDArray[np.bool_],
    edited: Rows,
    names: Collection[str] = (),
    plan: TransformPlan | None = None,
) -> Resolution:
    """
    Return the resolved references of a table as it is or as it will be.

    values: returns the column of a field. taken: the rows that are not excluded. edited: rows whose
    texts the transform did not see. names: further entities to gather. plan: None for the table's
    own.
    """
    from tabular.resolving.resolution import resolve

    plan = plan or table.files.plan
    resolution = resolve(
        plan.target,
        used=plan.used_fields,
        values=values,
        known=_known(table.files, values, edited),
        answers=plan.answers,
        taken=taken,
        names=names,
    )
    log_defects(table.revision.subject, resolution.defects)
    return resolution


def findings_of(
    table: StagedTable, resolution: Resolution, taken: NDArray[np.bool_]
) -> list[Finding]:
    """Return what is wrong with the references of the rows that are not excluded."""
    import numpy as np

    from tabular.resolving.findings import findings

    logged = len(resolution.defects)
    listed = findings(resolution, rows=np.flatnonzero(taken).astype(np.int64))
    log_defects(table.revision.subject, resolution.defects[logged:])
    return listed


def rows_newly_unresolved(
    table: StagedTable, resolution: Resolution, taken: NDArray[np.bool_]
) -> list[Rows]:
    """Return the rows whose reference is wrong or left out, and is not so in the review."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    from tabular.resolving.findings import LEFT_OUT

    listed = findings_of(table, resolution, taken)
    listed = [item for item in listed if item.severity == "error" or item.code == LEFT_OUT]
    if not listed:
        return []
    issues = issues_now(table)
    words = ("field", "code", "severity")
    fields, codes, severities = (issues.column(word).cast(pa.string()) for word in words)
    is_shown = pc.or_(pc.equal(severities, "error"), pc.equal(codes, LEFT_OUT))
    rows: list[Rows] = []
    for item in listed:
        mine = pc.and_(is_shown, pc.equal(fields, item.field))
        shown = issues.column("row").filter(mine).to_numpy()
        rows.append(item.rows[~np.isin(item.rows, shown)])
    return rows


def issues_by_row(findings: Collection[Finding]) -> dict[int, list[RowIssue]]:
    """Return findings in the format of row states."""
    by_row: dict[int, list[RowIssue]] = {}
    for finding in findings:
        params = _each(finding.params, len(finding.rows))
        cells = zip(finding.rows.tolist(), finding.values.to_pylist(), params, strict=True)
        for row, value, text in cells:
            issue = RowIssue(
                field=finding.field,
                code=finding.code,
                severity=finding.severity,
                value=value,
                params=json.loads(text) if text else {},
            )
            by_row.setdefault(row, []).append(issue)
    return by_row


def is_of_references(issue: RowIssue) -> bool:
    """Return whether an issue is about a reference."""
    from tabular.resolving.findings import CODES

    return issue["code"] in CODES


def _each(params: Any, count: int) -> list[str | None]:
    """Return the params of each of some rows; one value may apply to all."""
    if params is None or isinstance(params, str):
        return [params] * count
    texts: list[str | None] = params.to_pylist()
    return texts


def rows_with_issues(table: StagedTable) -> set[int]:
    """Return the rows with an issue about a reference."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from tabular.resolving.findings import CODES

    issues = issues_now(table)
    codes = pc.cast(issues.column("code"), pa.string())
    at = pc.is_in(codes, value_set=pa.array(sorted(CODES)))
    return set(issues.column("row").filter(at).to_pylist())


def known_elsewhere(files: StagedFiles) -> frozenset[tuple[str, str]]:
    """Return the texts known only in another scope of the tenant, with their fields."""
    about = files.manifest.references
    if about is None:
        return frozenset()
    from tabular.resolving.files import read_elsewhere

    return read_elsewhere(storage.local_path(about.folder))


def edited_rows(table: StagedTable) -> Rows:
    """Return the rows that were edited since the transform."""
    import numpy as np

    return np.flatnonzero(table.is_edited).astype(np.int64)


def _known(files: StagedFiles, values: Values, edited: Rows) -> Known:
    """Return the known entities of the transform, plus those of texts it did not see."""
    from tabular.resolving.files import read_known
    from tabular.resolving.resolution import wanted_of

    about = files.manifest.references
    if about is None:
        raise LookupError("the rows refer to nothing")
    known = read_known(storage.local_path(about.folder))
    if about.tenant is None or not len(edited):
        return known
    from references.lookup import known_for
    from references.selectors import sets_of

    plan = files.plan
    wanted = wanted_of(
        plan.target,
        used=plan.used_fields,
        values=lambda path: arrays.take(values(path), edited),
    )
    return known.and_also(known_for(sets_of(about.tenant, about.scope), wanted))
