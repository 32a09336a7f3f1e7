"""Move edits to a new transform of the same table, by the position of their cells in the file."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from common.actors import ENGINE
from staging import arrays
from staging.changes import Prepared
from staging.columns import StagedTable
from staging.edits.preparation import prepare
from staging.edits.rewrite import BulkChanges
from staging.edits.texts import Texts, edited_fields, edited_texts
from staging.lineage.history import between
from staging.manifest import Place, TablePlace
from staging.models import CellEdit, OrphanedEdit, Revision

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from staging.arrays import Rows


ORDINALS = 1 << 20  # more rows than unpivoting ever makes from one row


def rebase(
    former: StagedTable, table: StagedTable, *, at: datetime
) -> tuple[Prepared | None, list[OrphanedEdit]]:
    """
    Prepare the edits of ``former`` over ``table``.

    Returns the operation, or None if no edit can be moved, and the edits whose cell is gone:
    another table of the file was chosen, its row is dropped, or its field no longer exists.
    """
    import numpy as np

    matching = _Matching(former, table)
    lost: list[OrphanedEdit] = []
    texts: dict[str, Texts] = {}
    for path in sorted(edited_fields(former)):
        edits = edited_texts(former, path)
        rows, is_kept = matching.rows(edits.rows)
        if path not in table.files.by_field:
            is_kept[:] = False
        kept = Texts(rows[is_kept], edits.texts.filter(is_kept))
        if len(kept):
            texts[path] = kept.sorted()
        gone = zip(edits.rows[~is_kept], edits.texts.filter(~is_kept).to_pylist(), strict=True)
        lost += [matching.lost(row, path, text) for row, text in gone]
    excluded = np.flatnonzero(former.is_excluded).astype(np.int64)
    rows, is_kept = matching.rows(excluded)
    lost += [matching.lost(row, "", "excluded") for row in excluded[~is_kept]]
    changes = BulkChanges(texts, exclude=np.sort(rows[is_kept]), include=excluded[:0])
    if not changes.cells:
        return None, lost
    prepared = prepare(table, changes, kind=Revision.Kind.REPLAY, actor=ENGINE, at=at)
    # No user edits here: the author and time of each edit are stored where it was made.
    return replace(prepared, edits=()), lost


class _Matching:
    """Finds the rows of one table in another, by the physical row of the file and the ordinal."""

    def __init__(self, former: StagedTable, table: StagedTable) -> None:
        import numpy as np

        self._former, self._table = former, table
        was, now = former.files.manifest.place, table.files.manifest.place
        self._is_same = _identity(was) == _identity(now)
        keys = _keys(table, np.arange(table.row_count, dtype=np.int64))
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]

    def rows(self, former_rows: Rows) -> tuple[Rows, NDArray[np.bool_]]:
        """Return the matching row of each, and whether there is one."""
        import numpy as np

        if not len(self._keys) or not len(former_rows):
            return former_rows, np.zeros(len(former_rows), dtype=bool)
        wanted = _keys(self._former, former_rows)
        at = np.searchsorted(self._keys, wanted).clip(max=len(self._keys) - 1)
        is_there = (self._keys[at] == wanted) & self._is_same
        return self._order[at].astype(np.int64), is_there

    def lost(self, row: Any, path: str, text: str | None) -> OrphanedEdit:
        """Record an edit whose cell is gone, with its author and time."""
        import numpy as np

        (key,) = _keys(self._former, np.array([row], np.int64)).tolist()
        source, ordinal = divmod(key, ORDINALS)
        actor, at = self._authors.get((source, ordinal, path), self._author)
        return OrphanedEdit(
            subject=self._former.revision.subject,
            revision=self._table.revision.transform,
            source=source,
            ordinal=ordinal,
            field=path,
            text=text,
            actor=actor,
            at=at,
        )

    @cached_property
    def _steps(self) -> list[Revision]:
        return between(self._former.revision, 0)

    @cached_property
    def _authors(self) -> dict[tuple[int, int, str], tuple[dict[str, Any], datetime]]:
        """Who last changed each cell, and when, for cells that were changed one by one."""
        edits = CellEdit.objects.filter(
            subject=self._former.revision.subject,
            revision__in=[step.number for step in self._steps],
        ).order_by("revision", "pk")
        return {(e.source, e.ordinal, e.field): (e.actor, e.at) for e in edits}

    @cached_property
    def _author(self) -> tuple[dict[str, Any], datetime]:
        """Who made the newest bulk change, and when."""
        engines = (Revision.Kind.TRANSFORM, Revision.Kind.REPLAY)
        in_bulk = [s for s in self._steps if s.is_base and s.kind not in engines]
        newest = in_bulk[-1] if in_bulk else self._former.revision
        return newest.actor or ENGINE.as_dict(), newest.created_at


def row_in(former: StagedTable, table: StagedTable, row: int) -> int | None:
    """Return the row of a former transform that corresponds to a row of a new one, or None."""
    import numpy as np

    was, now = former.files.manifest.place, table.files.manifest.place
    if _identity(was) != _identity(now):
        return None
    (key,) = _keys(table, np.array([row], np.int64)).tolist()
    keys = _keys(former, np.arange(former.row_count, dtype=np.int64))
    matches = np.flatnonzero(keys == key)
    return int(matches[0]) if len(matches) else None


def _identity(where: TablePlace) -> tuple[object, ...]:
    """Return the identity of a table, regardless of how many rows were taken back."""
    parts = ((number, _of_one(part)) for number, part in sorted(where.parts.items()))
    return (*_of_one(where), *parts)


def _of_one(where: Place) -> tuple[object, ...]:
    first = min(where.places or (0,))  # tables next to each other have rows with the same number
    box = where.range if where.page else None
    return where.member, where.sheet, where.page, box, first


def _keys(table: StagedTable, rows: Rows) -> NDArray[np.int64]:
    import numpy as np

    about = table.files.rows
    positions = arrays.take(about.column("source"), rows).to_numpy()
    ordinals = arrays.take(about.column("ordinal"), rows).to_numpy().astype(np.int64)
    physical = np.array(table.files.numbers.rows(positions), np.int64)
    keys: NDArray[np.int64] = physical * ORDINALS + ordinals
    return keys
