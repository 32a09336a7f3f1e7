"""Prepare a change of any size: as an overlay if it is small, as new files if not."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from common.actors import Actor
from staging.changes import LOOKED_AT, MAX_OVERLAY, UNLIMITED, Changes, Effort, Prepared
from staging.columns import StagedTable
from staging.edits.cell_edits import prepare_edit
from staging.edits.rewrite import BulkChanges, prepare_rewrite
from staging.edits.texts import texts_at

if TYPE_CHECKING:
    from collections.abc import Collection

    from staging.arrays import Rows


def at_once(table: StagedTable) -> Effort:
    """Return the effort of one call for a bulk change: what fits without new files."""
    return Effort(cells=LOOKED_AT, changes=MAX_OVERLAY - len(table.overlay))


def prepare(
    table: StagedTable,
    changes: Changes | BulkChanges,
    *,
    kind: str,
    actor: Actor,
    at: datetime,
    effort: Effort = UNLIMITED,
) -> Prepared:
    """
    Prepare an operation without committing it.

    Raise BeyondEffort, before anything is written, if the effort allows fewer changes.
    """
    size = len(changes.rows) if isinstance(changes, Changes) else changes.cells
    effort.refuse_changing(size)
    if len(table.overlay) + size > MAX_OVERLAY:
        bulk = in_bulk(changes) if isinstance(changes, Changes) else changes
        return prepare_rewrite(table, bulk, kind=kind, effort=effort)
    few = changes if isinstance(changes, Changes) else one_by_one(changes)
    return prepare_edit(table, few, actor=actor, at=at, kind=kind)


def in_bulk(changes: Changes) -> BulkChanges:
    """Return changes as arrays."""
    by_field: dict[str, dict[int, str | None]] = {}
    for (row, path), text in changes.texts.items():
        by_field.setdefault(path, {})[row] = text
    return BulkChanges(
        {path: texts_at(texts) for path, texts in by_field.items()},
        exclude=_ascending(changes.exclude),
        include=_ascending(changes.include),
    )


def one_by_one(changes: BulkChanges) -> Changes:
    """Return changes cell by cell."""
    texts = {
        (row, path): text
        for path, column in changes.texts.items()
        for row, text in zip(column.rows.tolist(), column.texts.to_pylist(), strict=True)
    }
    return Changes(texts, frozenset(changes.exclude.tolist()), frozenset(changes.include.tolist()))


def _ascending(rows: Collection[int]) -> Rows:
    import numpy as np

    return np.array(sorted(rows), np.int64)
