"""Rows as people take them along: the text of what failed, the delivered value of what is right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from staging import pages
from staging.columns import SEVERITIES, SEVERITY_ERROR, StagedTable
from staging.editing import texts_of

if TYPE_CHECKING:
    from staging.arrays import Rows

SLICE_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class ExportedRow:
    """One row. cells: by field path, texts when the row has errors, JSON values otherwise."""

    row: int
    cells: dict[str, Any]
    issues: list[dict[str, Any]]
    has_errors: bool


def exported(table: StagedTable, rows: Rows) -> Iterator[ExportedRow]:
    """Stream some rows, a thousand at a time."""
    for start in range(0, len(rows), SLICE_ROWS):
        shown = pages.shown(table, rows[start : start + SLICE_ROWS])
        failed = {one["row"] for one in shown if one["severity"] == SEVERITIES[SEVERITY_ERROR]}
        texts = texts_of(table, failed, {column.field for column in table.columns})
        for one in shown:
            yield ExportedRow(
                row=one["row"],
                cells=texts.get(one["row"], one["values"]),
                issues=one["issues"],
                has_errors=one["row"] in failed,
            )
