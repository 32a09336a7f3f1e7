"""Groups of duplicate rows, and the effect of resolving them."""

from dataclasses import dataclass, field
from typing import Any

from imports.bulk_changes.request import ResolveDuplicates
from imports.models import ImportRecord
from imports.services.review import rows_of
from staging.changes import UNLIMITED
from staging.edits.duplicates import By, find

SHOWN = 500  # rows shown per group


@dataclass(frozen=True, slots=True)
class DuplicatePage:
    """A page of duplicate groups, and their total number."""

    revision: int
    groups: int
    rows: int
    items: list[dict[str, Any]] = field(default_factory=list)
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Resolving:
    """The effect of resolving."""

    revision: int
    excluded: int
    filled: int


def duplicates(*, record: ImportRecord, by: By, offset: int, limit: int) -> DuplicatePage:
    """Return a page of the groups, ordered by rule."""
    table = rows_of(record)
    groups = find(table, by)
    items: list[dict[str, Any]] = []
    passed = 0
    for item in groups:
        first = max(0, offset - passed)
        for rows in item.groups(first, first + limit - len(items)):
            shown = {"fields": list(item.fields), "rows": rows[:SHOWN], "count": len(rows)}
            items.append(shown)
        passed += len(item)
    end = offset + len(items)
    return DuplicatePage(
        revision=table.revision.number,
        groups=passed,
        rows=sum(len(item.rows) for item in groups),
        items=items,
        next=str(end) if end < passed else None,
    )


def preview_duplicates(*, record: ImportRecord, wish: ResolveDuplicates) -> Resolving:
    """Count the rows and cells that resolving would exclude and fill."""
    changes = wish.changes(record, rows_of(record, wish.seen), UNLIMITED)
    filled = sum(map(len, changes.texts.values()))
    return Resolving(revision=wish.seen, excluded=len(changes.exclude), filled=filled)
