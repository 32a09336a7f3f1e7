"""Turn the hosts' findings about rows into issues of the rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from staging import arrays
from staging.changes import MAX_OVERLAY, Prepared, counted
from staging.columns import SEVERITIES, StagedTable
from staging.edits.rewrite import BulkChanges, prepare_rewrite
from staging.issues import issues_now
from staging.overlay import Patch, RowIssue
from tabular.model.issue import CODES_OF_HOSTS

if TYPE_CHECKING:
    from tabular.types.rows import Finding


CODE = "host_check"
DECLINED, REPEATED = "host_value_refused", "host_value_repeats"  # values that were not set
VALUE_LENGTH = 1_000  # characters of a value kept in an issue
# By row: field, severity and message; for a value that was not set, its code and ``other``.
Sentence = Mapping[int, Sequence[Mapping[str, Any]]]


def differing(table: StagedTable, results: Sentence) -> dict[int, list[RowIssue]]:
    """Return the rows whose issues differ from the hosts' findings, with these findings."""
    fresh = _issues(table, results)
    now: dict[int, list[RowIssue]] = {}
    for row in _rows_with_findings(table):
        now[row] = [issue for issue in table.patch(row).issues if issue["code"] in CODES_OF_HOSTS]
    rows = sorted(fresh.keys() | now.keys())
    return {row: fresh.get(row, []) for row in rows if fresh.get(row, []) != now.get(row, [])}


def prepare_findings(table: StagedTable, results: Sentence, *, kind: str) -> Prepared:
    """Prepare the revision in which the hosts' new findings replace their earlier ones."""
    changed = differing(table, results)
    if len(table.overlay) + len(changed) > MAX_OVERLAY:
        findings = list(_findings(_issues(table, results)))
        return prepare_rewrite(table, _nothing(), kind=kind, found_by_hosts=findings)
    patches = {row: _with(table.patch(row), issues) for row, issues in changed.items()}
    former = [table.patch(row) for row in patches]
    return Prepared(
        kind=kind,
        parent=table.revision,
        counts=counted(table.revision.row_counts, former, patches.values()),
        cells=0,
        patches=patches,
    )


def _rows_with_findings(table: StagedTable) -> list[int]:
    import pyarrow as pa
    import pyarrow.compute as pc

    issues = issues_now(table)
    mine = pc.is_in(pc.cast(issues.column("code"), pa.string()), pa.array(sorted(CODES_OF_HOSTS)))
    rows: list[int] = sorted(set(issues.column("row").filter(mine).to_pylist()))
    return rows


def _issues(table: StagedTable, results: Sentence) -> dict[int, list[RowIssue]]:
    """Return findings in the format of row states, each once, in order."""
    texts = _texts(table, results)
    by_row: dict[int, list[RowIssue]] = {}
    for row, findings in results.items():
        mine = {
            (
                finding.get("field", ""),
                finding["severity"],
                finding.get("code", CODE),
                finding.get("message", finding.get("other", "")),
            )
            for finding in findings
        }
        by_row[row] = [
            RowIssue(
                field=path,
                code=code,
                severity=severity,
                value=texts.get((row, path)),
                params={"said" if code == CODE else "other": words},
            )
            for path, severity, code, words in sorted(mine)
        ]
    return by_row


def _texts(table: StagedTable, results: Sentence) -> dict[tuple[int, str], str | None]:
    """Return the values of the cells that findings concern, as texts."""
    import numpy as np
    import pyarrow.compute as pc

    from tabular.types.hashing import shown_in_issues

    by_field: dict[str, list[int]] = {}
    for row, findings in results.items():
        for path in {finding.get("field", "") for finding in findings} - {""}:
            by_field.setdefault(path, []).append(row)
    by_cell: dict[tuple[int, str], str | None] = {}
    for path, rows in by_field.items():
        values = shown_in_issues(arrays.take(table.values(path), np.array(rows, np.int64)))
        texts = pc.utf8_slice_codeunits(values, 0, VALUE_LENGTH).to_pylist()
        by_cell |= {(row, path): text for row, text in zip(rows, texts, strict=True)}
    return by_cell


def _findings(issues: Mapping[int, Sequence[RowIssue]]) -> Iterator[Finding]:
    """Yield issues as findings of a job, one for each field, code and severity."""
    import numpy as np
    import pyarrow as pa

    from tabular.types.rows import Finding

    groups: dict[tuple[str, str, Any], list[tuple[int, RowIssue]]] = {}
    for row, some in issues.items():
        for item in some:
            kind = (item["field"], item["code"], item["severity"])
            groups.setdefault(kind, []).append((row, item))
    for (path, code, severity), members in groups.items():
        rows = np.array([row for row, _ in members], np.int64)
        values = pa.array([member["value"] for _, member in members], pa.string())
        params = pa.array([json.dumps(member["params"]) for _, member in members], pa.string())
        yield Finding(path, code, severity, rows, values, params)


def _with(patch: Patch, issues: Sequence[RowIssue]) -> Patch:
    kept = tuple(issue for issue in patch.issues if issue["code"] not in CODES_OF_HOSTS)
    merged = (*kept, *issues)
    worst = max((SEVERITIES.index(item["severity"]) for item in merged), default=0)
    return replace(patch, issues=merged, severity=worst)


def _nothing() -> BulkChanges:
    import numpy as np

    none = np.zeros(0, np.int64)
    return BulkChanges({}, exclude=none, include=none)
