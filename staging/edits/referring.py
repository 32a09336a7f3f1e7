"""References of a table after a change: whom they mean now, and what is wrong with them."""

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
    from tabular.resolving.resolution import Known, Resolution
    from tabular.transforming import Plan
    from tabular.types.rows import Finding


Values = Callable[[str], "pa.ChunkedArray"]


def has_references(files: StagedFiles) -> bool:
    """Whether the rows refer to anything."""
    return files.manifest.references is not None


def concerned_paths(files: StagedFiles) -> frozenset[str]:
    """Name the fields whose change can change a reference: those that refer or describe whom."""
    if not has_references(files):
        return frozenset()
    from tabular.resolving.pointers import paths_of, pointers_of

    plan = files.origin.plan
    found: set[str] = set()
    for pointer in pointers_of(plan.catalog, plan.used_fields):
        mine = paths_of(plan.catalog, pointer.entity)
        found |= {pointer.path, *mine.values()}
    return frozenset(found)


def resolved(
    table: StagedTable,
    *,
    values: Values,
    taken: NDArray[np.bool_],
    edited: Rows,
    names: Collection[str] = (),
    plan: Plan | None = None,
) -> Resolution:
    """
    Resolve the references of a table as it is, or is to be.

    values: gives the column of a field. taken: the rows that are not left out. edited: rows whose
    texts the transform did not see. names: further entities to gather. plan: None for that of the
    table.
    """
    from tabular.resolving.resolution import resolve

    plan = plan or table.files.origin.plan
    resolution = resolve(
        plan.catalog,
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
    """Return what is wrong with the references of the rows that are not left out."""
    import numpy as np

    from tabular.resolving.findings import findings

    logged = len(resolution.defects)
    found = findings(resolution, rows=np.flatnonzero(taken).astype(np.int64))
    log_defects(table.revision.subject, resolution.defects[logged:])
    return found


def issues_by_row(found: Collection[Finding]) -> dict[int, list[RowIssue]]:
    """Write findings as row states have them."""
    by_row: dict[int, list[RowIssue]] = {}
    for finding in found:
        said = _each(finding.params, len(finding.rows))
        cells = zip(finding.rows.tolist(), finding.values.to_pylist(), said, strict=True)
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
    """Whether an issue is about a reference."""
    from tabular.resolving.findings import CODES

    return issue["code"] in CODES


def _each(params: Any, count: int) -> list[str | None]:
    """Give the params of each of some rows; they may be one for all."""
    if params is None or isinstance(params, str):
        return [params] * count
    said: list[str | None] = params.to_pylist()
    return said


def rows_with_issues(table: StagedTable) -> set[int]:
    """List the rows with an issue about a reference."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from tabular.resolving.findings import CODES

    issues = issues_now(table)
    codes = pc.cast(issues.column("code"), pa.string())
    at = pc.is_in(codes, value_set=pa.array(sorted(CODES)))
    return set(issues.column("row").filter(at).to_pylist())


def known_elsewhere(files: StagedFiles) -> frozenset[tuple[str, str]]:
    """Return the texts that were known in another scope of the tenant only, with their field."""
    about = files.manifest.references
    if about is None:
        return frozenset()
    from tabular.resolving.files import read_elsewhere

    return read_elsewhere(storage.local_path(about.folder))


def edited_rows(table: StagedTable) -> Rows:
    """List the rows that were edited since the transform."""
    import numpy as np

    return np.flatnonzero(table.is_edited).astype(np.int64)


def _known(files: StagedFiles, values: Values, edited: Rows) -> Known:
    """Give what was known at the transform, and what is known of texts it did not see."""
    from tabular.resolving.files import read_known
    from tabular.resolving.resolution import wanted_of

    about = files.manifest.references
    if about is None:
        raise LookupError("the rows refer to nothing")
    known = read_known(storage.local_path(about.folder))
    if about.tenant is None or not len(edited):
        return known
    from references.looking_up import known_for
    from references.selectors import sets_of

    plan = files.origin.plan
    wanted = wanted_of(
        plan.catalog,
        used=plan.used_fields,
        values=lambda path: arrays.take(values(path), edited),
    )
    return known.and_also(known_for(sets_of(about.tenant, about.scope), wanted))
