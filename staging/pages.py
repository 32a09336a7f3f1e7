"""A page of typed rows with their issues, as people and programs see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict

import orjson

from common.language import spoken
from staging import arrays, columns
from staging.columns import SEVERITIES, StagedColumn, StagedTable
from staging.marking import marked
from staging.overlay import Patch, RowIssue
from tabular.model.issue import Severity, render

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows

ABOUT = ["field", "code", "severity", "value", "params"]  # of an issue in a file
MOST_KEPT = 2_000  # sentences of issues that are kept for the next row with the same


def shown(table: StagedTable, rows: Rows) -> list[dict[str, Any]]:
    """Give some rows in the given order: values, issues, and where they stand in the file."""
    taken = _taken(table, rows)
    patches = [table.patch(row) for row in rows.tolist()]
    values, marks = _values(table, taken, len(rows)), marked(table, rows, taken, patches)
    positions = arrays.take(table.files.rows.column("source"), rows).to_numpy()
    physical = table.files.numbers.rows(positions)
    pages = table.files.numbers.pages(positions)
    found = []
    for i, (row, patch) in enumerate(zip(rows.tolist(), patches, strict=True)):
        where, source_row = table.files.manifest.place.of_row(physical[i])
        found.append(
            {
                "row": row,
                "sourceRow": source_row,
                "sheet": where.sheet,
                "member": where.member,
                "page": pages[i] or where.page,
                "severity": SEVERITIES[patch.severity],
                "excluded": patch.is_excluded,
                "edited": sorted(patch.texts),
                **marks[i],
                "values": values[i],
                "issues": [issue_shown(issue, row) for issue in patch.issues],
            }
        )
    return found


def _taken(table: StagedTable, rows: Rows) -> dict[str, pa.Array]:
    """Give the typed values of some rows, by field."""
    patches = [table.overlay.patches.get(row) for row in rows.tolist()]
    return {
        column.field: _patched(arrays.take(table.files.values(column.field), rows), patches, column)
        for column in table.columns
    }


def _values(table: StagedTable, taken: Mapping[str, pa.Array], count: int) -> list[dict[str, Any]]:
    """Give the values as they would be delivered: the same encoder writes them."""
    shown: list[dict[str, Any]] = [{} for _ in range(count)]
    for column in table.columns:
        texts = column.json_texts(taken[column.field]).to_pylist()
        column_values = orjson.loads(f"[{','.join(text or 'null' for text in texts)}]")
        for row, value in zip(shown, column_values, strict=True):
            row[column.field] = value
    return shown


def _patched(taken: pa.Array, patches: list[Patch | None], column: StagedColumn) -> pa.Array:
    path = column.field
    edited = [i for i, patch in enumerate(patches) if patch and path in patch.values]
    if not edited:
        return taken
    import numpy as np
    import pyarrow as pa

    encoded = [patch.values[path] for i in edited if (patch := patches[i])]
    by = columns.decoded(encoded, taken.type)
    at = np.array(edited, np.int64)
    return arrays.replaced(pa.chunked_array([taken]), at, by).chunk(0)


class Remark(TypedDict):
    """What is said of a row and a field."""

    field: str  # path; empty: of the whole row
    message: str
    hint: str


class ShownIssue(Remark):
    """An issue with its sentence, as people and hosts are told."""

    code: str
    severity: Severity
    value: str | None


def issue_shown(issue: RowIssue, row: int) -> ShownIssue:
    """Give an issue of a row with its sentence."""
    known = {"value": issue["value"], "field": issue["field"], "row": row}
    message, hint = render(issue["code"], {**issue["params"], **known}, language=spoken())
    return {
        "field": issue["field"],
        "code": issue["code"],
        "severity": issue["severity"],
        "message": message,
        "value": issue["value"],
        "hint": hint,
    }


class Sentences:
    """Says issues with their sentences; what many rows have is said once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Any, ...], ShownIssue] = {}

    def said(self, row: int, *about: Any) -> ShownIssue:
        """Give an issue with its sentence. about: its members ``ABOUT``, as the files have them."""
        if about in self._kept:
            return self._kept[about]
        field, code, severity, value, written = about
        params = orjson.loads(written) if written else {}
        issue = RowIssue(field=field, code=code, severity=severity, value=value, params=params)
        shown = issue_shown(issue, row)
        if "{row}" in params.get("message", ""):  # a sentence of this row alone
            return shown
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[about] = shown
        return shown
