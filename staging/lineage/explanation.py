"""Where each value of one row comes from, and who changed it, through every transform since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pydantic.alias_generators import to_camel

from common.errors import NotFound
from staging import arrays
from staging.columns import StagedTable
from staging.defects import log_defects
from staging.edits.cell_edits import texts_of
from staging.edits.moved_edits import row_in
from staging.lineage.history import between
from staging.manifest import Place
from staging.models import CellEdit, Revision
from staging.selectors import table_of
from tabular.model.places import folded_name, letters

if TYPE_CHECKING:
    from tabular.rechecking.explaining import RowStory

EXCLUDED = "excluded"
BY_ENGINE = frozenset({Revision.Kind.TRANSFORM, Revision.Kind.REPLAY})


def edits_of(table: StagedTable, row: int) -> list[Json]:
    """
    Return who changed a row, from what to what, oldest first. Undone changes are not listed.

    A change moved to a new transform keeps its author and its time.
    """
    edits: list[Json] = []
    steps = between(table.revision, 0)
    fields: set[str] | None = None  # those whose change survives; None: all
    while steps:
        transform = steps[-1].transform
        mine = [step for step in steps if step.transform == transform]
        changes = _changes(mine, row)
        edits = [
            change for change in changes if fields is None or (change["field"] or "") in fields
        ] + edits
        steps = [step for step in steps if step.transform != transform]
        if not steps or mine[0].kind != Revision.Kind.REPLAY:
            return edits
        brought, former = table_of(mine[0]), table_of(steps[-1])
        patch = brought.patch(row)
        carried = {*patch.texts, *([""] if patch.is_excluded else [])}
        fields = carried if fields is None else carried & fields
        there = row_in(former, brought, row)
        if there is None:
            return edits
        row = there
    return edits


def _changes(steps: list[Revision], row: int) -> Iterator[Json]:
    """Yield what the steps over one transform changed in a row."""
    by_number: dict[int, list[Json]] = {}
    edits = CellEdit.objects.filter(
        subject=steps[0].subject, row=row, revision__in=[step.number for step in steps]
    )
    for edit in edits.order_by("revision", "pk"):
        by_number.setdefault(edit.revision, []).append(
            _change(edit.field, edit.text, edit.previous)
            | {"by": edit.actor, "at": edit.at.isoformat()}
        )
    for before, step in zip([None, *steps], steps, strict=False):
        changes = by_number.get(step.number, [])
        if step.is_base and step.kind not in BY_ENGINE and before is not None:
            changes = list(_in_bulk(table_of(before), table_of(step), row))
        author = {"by": step.actor, "at": step.created_at.isoformat()}
        about = {"revision": step.number, "kind": step.kind, "about": step.about}
        yield from ({**author, **item, **about} for item in changes)


def _in_bulk(before: StagedTable, after: StagedTable, row: int) -> Iterator[Json]:
    """Compare a row's texts, because a large operation writes files, not one line per cell."""
    was, now = before.patch(row), after.patch(row)
    fresh = {p for p, text in now.texts.items() if p not in was.texts or was.texts[p] != text}
    texts = texts_of(before, {row}, fresh)[row] if fresh else {}
    for path in sorted(fresh):
        yield _change(path, now.texts[path], texts[path])
    if was.is_excluded != now.is_excluded:
        states = (EXCLUDED, None) if now.is_excluded else (None, EXCLUDED)
        yield _change("", *states)


def _change(path: str, text: str | None, previous: str | None) -> Json:
    return {"field": path or None, "text": text, "previous": previous}


Json = dict[str, Any]


class UnknownRow(NotFound):
    """There is no such row."""

    code = "unknown_row"


def explained(table: StagedTable, row: int) -> dict[str, Any]:
    """Return the provenance of each cell of a row, by API names. Raise UnknownRow."""
    import numpy as np

    from tabular.rechecking.explaining import explain

    if not 0 <= row < table.row_count:
        raise UnknownRow("unknown_row.number", row=row)
    at = np.array([row], np.int64)
    about = table.files.rows
    place = tuple(arrays.take(about.column(n), at)[0].as_py() for n in ("source", "ordinal"))
    files = table.files
    story = explain(
        files.source,
        (place[0], place[1]),
        plan=files.plan,
        inferred=files.inferred,
        edits=table.patch(row).texts,
    )
    log_defects(table.revision.subject, story.defects)
    whole = table.files.manifest.place
    where, source_row = whole.of_row(story.source_row)
    page = story.page or where.page
    return {
        "file": whole.file and asdict(whole.file),
        "member": where.member,
        "row": row,
        "sourceRow": source_row,
        "sheet": where.sheet,
        "page": page,
        "box": _box(where, page),
        "cells": [
            {**_camel(asdict(cell)), "places": _places(where, source_row, cell.texts, story)}
            for cell in story.cells
        ],
        "edits": edits_of(table, row),
    }


def _places(
    where: Place,
    row: int,
    texts: Iterable[str],
    story: RowStory,
) -> list[Json]:
    """
    Return the positions of the cells that a value comes from: row and column from 0, and ``B4``.

    story: of the row, with the boxes of its cells in a PDF, in the order of the table's columns.
    """
    names = [folded_name(name) for name in where.columns or ()]
    box_of = dict(zip(names, story.boxes, strict=False))
    sure_of = dict(zip(names, story.confidences, strict=False))
    place_of = dict(zip(names, where.places or (), strict=False))
    places: list[Json] = []
    for column in texts:
        place = place_of.get(folded_name(column))
        is_named = place is not None and where.sheet is not None
        cell = f"{letters(place)}{row + 1}" if place is not None and is_named else None
        box = box_of.get(folded_name(column))
        sure = sure_of.get(folded_name(column))
        named = {"name": column, "row": row, "column": place, "cell": cell}
        places.append({**named, "box": box, "confidence": sure})
    return places


def _box(where: Place, page: int | None) -> list[float] | None:
    """Return the table's box on its page, in points: left, top, right, bottom."""
    for box in (where.range or "").split():
        if box.startswith(f"p{page}:"):
            return [float(side) for side in box.partition(":")[2].split(",")]
    return None


def _camel(cell: dict[str, Any]) -> dict[str, Any]:
    return {to_camel(name): value for name, value in cell.items()}
