"""Find and replace, and fix a group of issues: previewed first, then carried out."""

import dataclasses
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from common.actors import Actor
from common.errors import Conflict
from imports.models import ImportRecord
from imports.services.reviewing import Changed, carry_out, rows_as_of, rows_of
from staging.changes import Prepared, require_fields
from staging.columns import StagedTable
from staging.edits import replacing
from staging.edits.fixing import Fix, Fixable, fix_group
from staging.edits.preparing import prepare
from staging.edits.replacing import Search, find_and_replace
from staging.edits.rewriting import BulkChanges
from staging.models import Revision
from staging.views import View, resolve

if TYPE_CHECKING:
    from staging.arrays import Rows


class RowsChanged(Conflict):
    """The rows changed since you looked. Look at the preview again."""

    code = "rows_changed"


@dataclass(frozen=True, slots=True)
class Preview:
    """What a change would do, and the first cells it would do it to."""

    revision: int
    cells: int
    of: int  # cells that were looked at, or that have the issue
    samples: list[dict[str, Any]] = field(default_factory=list)


def preview_replace(
    *, record: ImportRecord, seen: int, search: Search, view: View, as_of: int | None = None
) -> Preview:
    """Count the cells that a replacement would change."""
    table = rows_of(record, seen)
    changes = _replacement(table, search, view, rows_as_of(record, table, as_of))
    return Preview(
        revision=seen,
        cells=changes.cells,
        of=table.row_count,
        samples=replacing.samples(table, changes),
    )


def replace(
    *,
    record: ImportRecord,
    seen: int,
    search: Search,
    view: View,
    as_of: int | None = None,
    actor: Actor,
    at: datetime,
) -> Changed:
    """
    Replace in every row of a view; RowsChanged when they are not those the caller saw.

    as_of: the revision at which the rows of the view were chosen, if not ``seen``.
    """

    def prepared(table: StagedTable) -> Prepared:
        require_seen(table, seen)
        changes = _replacement(table, search, view, rows_as_of(record, table, as_of))
        found = prepare(table, changes, kind=Revision.Kind.REPLACE, actor=actor, at=at)
        return dataclasses.replace(found, about=search.told)

    return carry_out(record=record, prepare=prepared, actor=actor, at=at)


def preview_fix(*, record: ImportRecord, seen: int, field: str, code: str, fix: Fix) -> Preview:
    """Count how many issues of a group a fix would give a value."""
    table = rows_of(record, seen)
    found = _fixable(table, field, code, fix)
    return Preview(
        revision=seen,
        cells=found.fixes,
        of=found.of,
        samples=replacing.samples(table, found.changes),
    )


def fix(
    *,
    record: ImportRecord,
    seen: int,
    field: str,
    code: str,
    fix: Fix,
    actor: Actor,
    at: datetime,
) -> Changed:
    """Fix a group of issues; RowsChanged when they are not those the caller saw."""
    told = {"field": field, "code": code, **fix.told}

    def prepared(table: StagedTable) -> Prepared:
        require_seen(table, seen)
        changes = _fixable(table, field, code, fix).changes
        found = prepare(table, changes, kind=Revision.Kind.FIX, actor=actor, at=at)
        return dataclasses.replace(found, about=told)

    return carry_out(record=record, prepare=prepared, actor=actor, at=at)


def _replacement(
    table: StagedTable, search: Search, view: View, chosen: StagedTable
) -> BulkChanges:
    searched = {f"/inFields/{number}": path for number, path in enumerate(search.fields)}
    require_fields(table, searched | view.named)
    rows: Rows | None = None if view.is_whole else resolve(chosen, view)
    return find_and_replace(table, search, rows)


def _fixable(table: StagedTable, field: str, code: str, fix: Fix) -> Fixable:
    require_fields(table, {"/field": field})
    return fix_group(table, field=field, code=code, fix=fix)


def require_seen(table: StagedTable, seen: int) -> None:
    """Refuse to change rows that are no longer those the caller saw."""
    if table.revision.number != seen:
        raise RowsChanged(
            revision=table.revision.number,
            by=table.revision.actor,
            at=table.revision.created_at.isoformat(),
        )
