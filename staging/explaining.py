"""Where each value of one row comes from: the row is run again, with its edits."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pydantic.alias_generators import to_camel

from common.errors import NotFound
from staging import arrays
from staging.columns import StagedTable
from staging.history import between
from staging.models import CellEdit
from tabular.model.places import letters, place_of_row
from tabular.model.table import folded_name

Json = dict[str, Any]


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
    whole: Json = table.files.manifest["place"]
    where, source_row = place_of_row(whole, story.source_row)
    page = story.page or where["page"]
    return {
        "file": whole.get("file"),
        "member": where.get("member"),
        "row": row,
        "sourceRow": source_row,
        "sheet": where["sheet"],
        "page": page,
        "box": _box(where, page),
        "cells": [
            {**_camel(asdict(cell)), "places": _places(where, source_row, cell.texts, story.boxes)}
            for cell in story.cells
        ],
        "edits": _edits(table, row),
    }


def _places(
    where: Mapping[str, Any],
    row: int,
    texts: Iterable[str],
    boxes: Sequence[tuple[float, ...]],
) -> list[Json]:
    """
    Say where the cells stand that a value comes from: row and column from 0, and ``B4``.

    boxes: in a PDF those of the row's cells, in the order of the table's columns.
    """
    box_of = dict(zip(map(folded_name, where.get("columns") or ()), boxes, strict=False))
    names = map(folded_name, where.get("columns") or ())
    place_of = dict(zip(names, where.get("places") or (), strict=False))
    found: list[Json] = []
    for column in texts:
        place = place_of.get(folded_name(column))
        is_named = place is not None and where["sheet"] is not None
        cell = f"{letters(place)}{row + 1}" if place is not None and is_named else None
        box = box_of.get(folded_name(column))
        found.append({"name": column, "row": row, "column": place, "cell": cell, "box": box})
    return found


def _box(where: Mapping[str, Any], page: int | None) -> list[float] | None:
    """Give the box of the table on its page, in points: left, top, right, bottom."""
    for box in (where.get("range") or "").split():
        if box.startswith(f"p{page}:"):
            return [float(side) for side in box.partition(":")[2].split(",")]
    return None


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
