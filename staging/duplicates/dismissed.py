"""
Groups that a person dismissed: their rows are not duplicates, and all of them stay.

A dismissal is a revision that changes no cell, so that undo takes it back. It holds for the rows
and their compared values: once one of these values changes, the group is shown again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from common.errors import Conflict
from staging import arrays
from staging.columns import StagedTable
from staging.duplicates.grouping import Duplicates, Grouping, find
from staging.models import Revision

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DISMISSED = "dismissed"  # the member of a revision's ``about``: pairs of a first row and a digest
MOST_DISMISSED = 1_000  # groups that one call dismisses


class TooManyGroups(Conflict):
    """Too many groups to keep at once. Keep them one by one."""

    code = "too_many_groups"


@dataclass(frozen=True, slots=True)
class Open:
    """The groups that wait for a decision, and how many were dismissed."""

    groups: list[Duplicates]
    dismissed: int


def find_open(table: StagedTable, grouping: Grouping) -> Open:
    """Return the groups of a table without those that were dismissed."""
    matches = find(table, grouping)
    digests = _dismissed(table.revision)
    if not digests:
        return Open(matches, 0)
    waiting = [_waits(table, groups, digests) for groups in matches]
    return Open(
        [groups.where(waits) for groups, waits in zip(matches, waiting, strict=True)],
        sum(int((~waits).sum()) for waits in waiting),
    )


def dismissals(
    table: StagedTable, groups: Iterable[tuple[Sequence[str], list[int]]]
) -> list[tuple[int, str]]:
    """Return what a revision keeps of dismissed groups. groups: each with the compared fields."""
    return [(rows[0], digest_of(table, fields, rows)) for fields, rows in groups]


def digest_of(table: StagedTable, fields: Sequence[str], rows: Sequence[int]) -> str:
    """Return a text that is the same for the same rows with the same values in these fields."""
    import numpy as np

    from tabular.types.hashing import hash_rows

    at = np.array(rows, np.int64)
    values = [
        table.files.by_field[path].json_texts(arrays.take(table.values(path), at))
        for path in fields
    ]
    digest = hashlib.sha256("\x1f".join(fields).encode())
    digest.update(at.tobytes())
    digest.update(hash_rows(values).tobytes())
    return digest.hexdigest()[:16]


def _waits(
    table: StagedTable, groups: Duplicates, digests: frozenset[tuple[int, str]]
) -> NDArray[np.bool_]:
    """Return whether each group waits: a group is read only if its first row was dismissed."""
    import numpy as np

    waits = np.ones(len(groups), dtype=bool)
    first = np.array(sorted({row for row, _ in digests}), np.int64)
    for number in np.flatnonzero(np.isin(groups.rows[groups.starts[:-1]], first)).tolist():
        (rows,) = groups.groups(number, number + 1)
        waits[number] = (rows[0], digest_of(table, groups.fields, rows)) not in digests
    return waits


def _dismissed(revision: Revision) -> frozenset[tuple[int, str]]:
    """Return what was dismissed on the way to a revision; undone ones are later, or abandoned."""
    made = Revision.objects.filter(
        subject=revision.subject,
        number__lte=revision.number or 0,
        kind=Revision.Kind.FIX,
        cells=0,
        is_abandoned=False,
    )
    kept = made.values_list("about", flat=True)
    return frozenset((row, digest) for about in kept for row, digest in about.get(DISMISSED, ()))
