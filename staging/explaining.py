"""Where each value of one row comes from: the row is run again, with its edits."""

from dataclasses import asdict
from typing import Any

from pydantic.alias_generators import to_camel

from common.errors import NotFound
from staging import arrays
from staging.columns import StagedTable
from staging.history import between
from staging.models import CellEdit


class UnknownRow(NotFound):
    """There is no such row."""

    code = "unknown_row"


def explained(table: StagedTable, row: int) -> dict[str, Any]:
    """Give the provenance of each cell of a row, by wire names; UnknownRow."""
    import numpy as np

    from tabular.rechecking import explain

    if not 0 <= row < table.row_count:
        raise UnknownRow(f"There is no row {row}.")
    at = np.array([row], np.int64)
    about = table.files.rows
    place = tuple(arrays.take(about.column(n), at)[0].as_py() for n in ("source", "ordinal"))
    origin = table.files.origin
    story = explain(
        origin.source,
        (place[0], place[1]),
        plan=origin.plan,
        settled=origin.settled,
        edits=table.patch(row).texts,
    )
    return {
        "row": row,
        "sourceRow": story.source_row,
        "sheet": table.files.manifest["place"]["sheet"],
        "page": story.page or table.files.manifest["place"]["page"],
        "cells": [_camel(asdict(cell)) for cell in story.cells],
        "edits": _edits(table, row),
    }


def _camel(cell: dict[str, Any]) -> dict[str, Any]:
    return {to_camel(name): value for name, value in cell.items()}


def _edits(table: StagedTable, row: int) -> list[dict[str, Any]]:
    """List who changed this row cell by cell, oldest first; what was undone is not among it."""
    path = [revision.number for revision in between(table.revision, 0)]
    kept = CellEdit.objects.filter(subject=table.revision.subject, row=row, revision__in=path)
    return [
        {
            "field": edit.field or None,
            "text": edit.text,
            "previous": edit.previous,
            "by": edit.actor,
            "at": edit.at.isoformat(),
            "revision": edit.revision,
        }
        for edit in kept.order_by("revision", "pk")
    ]
