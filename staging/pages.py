"""A page of typed rows with their issues, as users and programs see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict

import orjson

from common.http.language import current_language
from common.response_size import PAGE_BYTES, cut_to_fit
from staging import arrays, columns
from staging.columns import SEVERITIES, StagedColumn, StagedTable
from staging.defects import column_alone
from staging.marks import marked
from staging.overlay import Patch, RowIssue
from tabular.model.defect import NOT_CHECKED
from tabular.model.issue import Severity, render

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows

BYTES_OF_ROW, BYTES_OF_CELL, BYTES_OF_ISSUE = 200, 8, 150  # estimates, without the file's texts
MOST_KEPT = 2_000  # messages of issues, cached for further rows with the same issue


def shown(table: StagedTable, rows: Rows) -> list[dict[str, Any]]:
    """Return some rows in the given order: values, issues, and their positions in the file."""
    taken = _taken(table, rows)
    patches = table.patches(rows)
    values, unwritten = _values(table, taken, len(rows))
    marks = marked(table, rows, taken, patches)
    positions = table.files.places.take("source", rows).to_numpy()
    physical = table.files.numbers.rows(positions)
    pages = table.files.numbers.pages(positions)
    rows_shown = []
    for i, (row, patch) in enumerate(zip(rows.tolist(), patches, strict=True)):
        where, source_row = table.files.manifest.place.of_row(physical[i])
        rows_shown.append(
            {
                "row": row,
                "sourceRow": source_row,
                "sheet": where.sheet,
                "member": where.member,
                "page": pages[i] or where.page,
                "severity": "error" if unwritten else SEVERITIES[patch.severity],
                "excluded": patch.is_excluded,
                "edited": sorted(patch.texts),
                **marks[i],
                "values": values[i],
                "issues": [issue_shown(issue, row) for issue in (*patch.issues, *unwritten)],
            }
        )
    return rows_shown


def values_of(table: StagedTable, rows: Rows) -> list[dict[str, Any]]:
    """Return the values of some rows in the given order, by field, as they are delivered."""
    values, _ = _values(table, _taken(table, rows), len(rows))
    return values


def fitting_rows(table: StagedTable, rows: Rows) -> Rows:
    """
    Return the first rows whose texts fit into one response; at least one.

    It reads no text, so a page of very long cells costs no more than what it shows.
    """
    import numpy as np

    table.files.fetch(rows)
    names = sum(len(column.field) + BYTES_OF_CELL for column in table.columns)
    sizes = np.full(len(rows), BYTES_OF_ROW + names, np.int64)
    for column in table.columns:
        sizes += table.files.text_bytes(column.field, rows)
    sizes += BYTES_OF_ISSUE * table.files.issues_at(rows).counts
    most = int(np.searchsorted(np.cumsum(sizes), PAGE_BYTES, side="right"))
    return rows[: max(1, most)]


def cut(row: dict[str, Any]) -> dict[str, Any]:
    """
    Return a shown row that is too large for one response with its long texts cut.

    The member ``cut`` names their fields. Exports, results and deliveries keep the full values.
    """
    shorter: dict[str, Any] = cut_to_fit(row)
    cells = [(name, path) for name in ("values", "texts") for path in row.get(name, ())]
    shortened = {path for name, path in cells if row[name][path] != shorter[name][path]}
    return {**shorter, "cut": sorted(shortened)}


def _taken(table: StagedTable, rows: Rows) -> dict[str, pa.Array]:
    """Return the typed values of some rows, by field."""
    patches = [table.overlay.patches.get(row) for row in rows.tolist()]
    return {
        column.field: _patched(table.files.values_at(column.field, rows), patches, column)
        for column in table.columns
    }


def _values(
    table: StagedTable, taken: Mapping[str, pa.Array], count: int
) -> tuple[list[dict[str, Any]], list[RowIssue]]:
    """
    Return the values as they would be delivered: the same encoder writes them.

    Also returns an issue for each field whose values cannot be written because of our own defect.
    """
    shown: list[dict[str, Any]] = [{} for _ in range(count)]
    unwritten: list[RowIssue] = []
    for column in table.columns:
        column_values: list[Any] | None = None
        with column_alone(table.revision.subject, column.field, "show"):
            texts = column.json_texts(taken[column.field]).to_pylist()
            column_values = orjson.loads(f"[{','.join(text or 'null' for text in texts)}]")
        if column_values is None:
            column_values = [None] * count
            unwritten.append(not_checked(column.field))
        for row, value in zip(shown, column_values, strict=True):
            row[column.field] = value
    return shown, unwritten


def not_checked(path: str) -> RowIssue:
    """Return the issue of a cell on which the engine failed."""
    return RowIssue(field=path, code=NOT_CHECKED, severity="error", value=None, params={})


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
    """A message about a row and a field."""

    field: str  # path; empty: about the whole row
    message: str
    hint: str


class ShownIssue(Remark):
    """An issue with its message, as shown to users and hosts."""

    code: str
    severity: Severity
    value: str | None


def issue_shown(issue: RowIssue, row: int) -> ShownIssue:
    """Return an issue of a row with its message."""
    known = {"value": issue["value"], "field": issue["field"], "row": row}
    message, hint = render(issue["code"], {**issue["params"], **known}, language=current_language())
    return {
        "field": issue["field"],
        "code": issue["code"],
        "severity": issue["severity"],
        "message": message,
        "value": issue["value"],
        "hint": hint,
    }


class Sentences:
    """Renders the messages of issues; a message that many rows share is rendered once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Any, ...], ShownIssue] = {}

    def localized(self, row: int, *about: Any) -> ShownIssue:
        """Return an issue with its message. about: its members ``ABOUT``, as in the files."""
        if about in self._kept:
            return self._kept[about]
        field, code, severity, value, written = about
        params = orjson.loads(written) if written else {}
        issue = RowIssue(field=field, code=code, severity=severity, value=value, params=params)
        shown = issue_shown(issue, row)
        if "{row}" in params.get("message", ""):  # a message for this row alone
            return shown
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[about] = shown
        return shown
