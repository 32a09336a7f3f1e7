"""Bring edits over to a new transform of the same table, by where their cells stand in the file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from common.actors import ENGINE
from staging import arrays
from staging.changes import Prepared
from staging.columns import StagedTable
from staging.models import LostEdit, Revision
from staging.preparing import prepare
from staging.rewriting import BulkChanges
from staging.texts import Texts, edited_fields, edited_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from staging.arrays import Rows

ORDINALS = 1 << 20  # more rows than unpivoting ever makes of one


def replay(
    former: StagedTable, table: StagedTable, *, at: datetime
) -> tuple[Prepared | None, list[LostEdit]]:
    """
    Work out the edits of ``former`` over ``table``.

    Returns the operation, None where there is nothing to bring over, and the edits whose cell is
    gone: another table of the file was chosen, its row is dropped, or its field is not there.
    """
    import numpy as np

    matching = _Matching(former, table)
    lost: list[LostEdit] = []
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
        lost += [matching.lost(row, path, text, at) for row, text in gone]
    excluded = np.flatnonzero(former.is_excluded).astype(np.int64)
    rows, is_kept = matching.rows(excluded)
    lost += [matching.lost(row, "", "excluded", at) for row in excluded[~is_kept]]
    changes = BulkChanges(texts, exclude=np.sort(rows[is_kept]), include=excluded[:0])
    if not changes.cells:
        return None, lost
    return prepare(table, changes, kind=Revision.Kind.REPLAY, actor=ENGINE, at=at), lost


class _Matching:
    """Finds the rows of one table in another, by physical row of the file and ordinal."""

    def __init__(self, former: StagedTable, table: StagedTable) -> None:
        import numpy as np

        self._former = former
        was, now = former.files.manifest["place"], table.files.manifest["place"]
        self._is_same = _identity(was) == _identity(now)
        keys = _keys(table, np.arange(table.row_count, dtype=np.int64))
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]

    def rows(self, former_rows: Rows) -> tuple[Rows, NDArray[np.bool_]]:
        """Give the row of each, and whether it is there at all."""
        import numpy as np

        if not len(self._keys) or not len(former_rows):
            return former_rows, np.zeros(len(former_rows), dtype=bool)
        wanted = _keys(self._former, former_rows)
        at = np.searchsorted(self._keys, wanted).clip(max=len(self._keys) - 1)
        is_there = (self._keys[at] == wanted) & self._is_same
        return self._order[at].astype(np.int64), is_there

    def lost(self, row: Any, path: str, text: str | None, at: datetime) -> LostEdit:
        """Note an edit whose cell is gone."""
        import numpy as np

        (key,) = _keys(self._former, np.array([row], np.int64)).tolist()
        return LostEdit(
            subject=self._former.revision.subject,
            source=key // ORDINALS,
            ordinal=key % ORDINALS,
            field=path,
            text=text,
            actor=self._former.revision.actor or ENGINE.as_dict(),
            at=at,
        )


def _identity(where: Mapping[str, Any]) -> tuple[Any, ...]:
    """Say which table it is, however many of its rows were taken back."""
    parts = where.get("parts") or {}
    first = min(where.get("places") or (0,))  # tables side by side have rows of the same number
    box = where.get("range") if where.get("page") else None
    place = (where.get("member"), where.get("sheet"), where.get("page"), box, first)
    return (*place, *((number, _identity(part)) for number, part in sorted(parts.items())))


def _keys(table: StagedTable, rows: Rows) -> NDArray[np.int64]:
    import numpy as np

    about = table.files.rows
    positions = arrays.take(about.column("source"), rows).to_numpy()
    ordinals = arrays.take(about.column("ordinal"), rows).to_numpy().astype(np.int64)
    physical = np.array(table.files.numbers.rows(positions), np.int64)
    keys: NDArray[np.int64] = physical * ORDINALS + ordinals
    return keys
