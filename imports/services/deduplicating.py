"""Show rows that are equal as groups, and resolve them in one step that can be undone."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from common.actors import Actor
from imports.models import ImportRecord
from imports.services.bulk import require_seen
from imports.services.reviewing import Changed, carry_out, rows_of
from staging.changes import Prepared
from staging.columns import StagedTable
from staging.edits.duplicates import By, Keep, find, resolved
from staging.edits.preparing import prepare
from staging.models import Revision

SHOWN = 500  # rows of one group


@dataclass(frozen=True, slots=True)
class DuplicatePage:
    """Some groups of equal rows, and how many there are in all."""

    revision: int
    groups: int
    rows: int
    items: list[dict[str, Any]] = field(default_factory=list)
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Resolving:
    """What resolving would do."""

    revision: int
    excluded: int
    filled: int


def duplicates(*, record: ImportRecord, by: By, offset: int, limit: int) -> DuplicatePage:
    """Give a page of the groups, those of one rule after those of the other."""
    table = rows_of(record)
    found = find(table, by)
    items: list[dict[str, Any]] = []
    passed = 0
    for one in found:
        first = max(0, offset - passed)
        for rows in one.groups(first, first + limit - len(items)):
            shown = {"fields": list(one.fields), "rows": rows[:SHOWN], "count": len(rows)}
            items.append(shown)
        passed += len(one)
    end = offset + len(items)
    return DuplicatePage(
        revision=table.revision.number,
        groups=passed,
        rows=sum(len(one.rows) for one in found),
        items=items,
        next=str(end) if end < passed else None,
    )


def preview_duplicates(*, record: ImportRecord, seen: int, by: By, keep: Keep) -> Resolving:
    """Count what resolving would leave out and fill."""
    changes = resolved(rows_of(record, seen), by, keep)
    filled = sum(map(len, changes.texts.values()))
    return Resolving(revision=seen, excluded=len(changes.exclude), filled=filled)


def resolve_duplicates(
    *, record: ImportRecord, seen: int, by: By, keep: Keep, actor: Actor, at: datetime
) -> Changed:
    """Resolve all groups; RowsChanged when the rows are not those the caller saw."""

    def prepared(table: StagedTable) -> Prepared:
        require_seen(table, seen)
        changes = resolved(table, by, keep)
        return prepare(table, changes, kind=Revision.Kind.FIX, actor=actor, at=at)

    return carry_out(record=record, prepare=prepared, actor=actor, at=at)
