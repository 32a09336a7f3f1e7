"""Groups of duplicate rows, and the effect of resolving them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from imports.bulk_changes.request import ResolveDuplicates
from imports.models import ImportRecord
from imports.services.review import rows_of
from staging import pages
from staging.columns import StagedTable
from staging.duplicates.dismissed import find_open
from staging.duplicates.grouping import Duplicates, Grouping
from staging.duplicates.resolving import resolved

SHOWN = 500  # rows shown per group


@dataclass(frozen=True, slots=True)
class DuplicatePage:
    """A page of duplicate groups, and their total number. dismissed: groups not among them."""

    revision: int
    groups: int
    rows: int
    dismissed: int
    items: list[dict[str, Any]] = field(default_factory=list)
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Resolving:
    """
    The effect of resolving.

    excluded: rows. filled: cells. groups: those that are resolved. tooLarge: those that stay.
    """

    revision: int
    excluded: int
    filled: int
    groups: int
    tooLarge: int  # noqa: N815 - as the wire has it


def duplicates(
    *, record: ImportRecord, grouping: Grouping, offset: int, limit: int, samples: int = 0
) -> DuplicatePage:
    """Return a page of the groups, ordered by rule, each with the values of its first rows."""
    table = rows_of(record)
    waiting = find_open(table, grouping)
    items: list[dict[str, Any]] = []
    passed = 0
    for groups in waiting.groups:
        first = max(0, offset - passed)
        items += _shown(groups, first, first + limit - len(items))
        passed += len(groups)
    if samples:
        _add_samples(table, items, samples)
    end = offset + len(items)
    return DuplicatePage(
        revision=table.revision.number,
        groups=passed,
        rows=sum(len(groups.rows) for groups in waiting.groups),
        dismissed=waiting.dismissed,
        items=items,
        next=str(end) if end < passed else None,
    )


def _shown(groups: Duplicates, start: int, end: int) -> list[dict[str, Any]]:
    too_large = groups.is_too_large
    return [
        {
            "fields": list(groups.fields),
            "rows": rows[:SHOWN],
            "count": len(rows),
            "tooLarge": bool(too_large[start + place]),
        }
        for place, rows in enumerate(groups.groups(start, end))
    ]


def _add_samples(table: StagedTable, items: Sequence[dict[str, Any]], samples: int) -> None:
    """Add the values of the first rows of each group, and the fields in which these rows differ."""
    import numpy as np

    rows = [row for item in items for row in item["rows"][:samples]]
    values = iter(pages.values_of(table, np.array(rows, np.int64)))
    for item in items:
        chosen = [
            {"row": row, "values": row_values}
            for row, row_values in zip(item["rows"][:samples], values, strict=False)
        ]
        item["samples"] = chosen
        item["differs"] = _differing([sample["values"] for sample in chosen])


def _differing(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [path for path in rows[0] if any(row[path] != rows[0][path] for row in rows)]


def preview_duplicates(*, record: ImportRecord, wish: ResolveDuplicates) -> Resolving:
    """Count the rows and cells that resolving would exclude and fill."""
    table = rows_of(record, wish.seen)
    made = resolved(table, wish.grouping, wish.keeping)
    return Resolving(
        revision=wish.seen,
        excluded=len(made.changes.exclude),
        filled=sum(map(len, made.changes.texts.values())),
        groups=made.groups,
        tooLarge=made.too_large,
    )
