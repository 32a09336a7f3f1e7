"""Resolve groups of duplicates in one step: which row stays, and what it takes from the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from common.errors import Conflict
from staging.changes import UNLIMITED, Effort, require_fields
from staging.columns import StagedTable
from staging.duplicates.dismissed import (
    DISMISSED,
    MOST_DISMISSED,
    TooManyGroups,
    dismissals,
    find_open,
)
from staging.duplicates.grouping import Duplicates, Grouping
from staging.duplicates.moments import moments_of
from staging.edits.cell_edits import text_columns
from staging.edits.rewrite import BulkChanges
from staging.edits.texts import Texts

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from staging.arrays import Rows

Keep = Literal["first", "last", "newest", "fullest", "merge", "all"]
KEEPS: tuple[Keep, ...] = ("first", "last", "newest", "fullest", "merge", "all")
Choice = Literal["first", "last", "longest", "newest"]
CHOICES: tuple[Choice, ...] = ("first", "last", "longest", "newest")
NOTED_GROUPS = 1_000  # between two progress notes
NEAR_COST = 20  # a similar cell takes as long as so many equal ones


class UnknownGroup(Conflict):
    """These rows are not a group of duplicates. Load the groups again."""

    code = "unknown_group"


class GroupTooLarge(Conflict):
    """This group is too large to resolve. Compare more fields, or more strictly."""

    code = "group_too_large"


@dataclass(frozen=True, slots=True)
class Keeping:
    """
    Which row of each group stays.

    newest_by: the field with the date that ``newest`` compares. merge: with ``merge``, the value
    that a field takes: one of ``CHOICES``, or the row whose cell it takes as it is. Other fields
    keep the first row's value, or take the first one of the others if it is empty. group: rows of
    the only group that is resolved; empty: every group.
    """

    keep: Keep
    newest_by: str | None = None
    merge: Mapping[str, Choice | int] = field(default_factory=dict)
    group: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolved:
    """The changes that resolve groups, how many groups they are, and how many were too large."""

    changes: BulkChanges
    groups: int
    too_large: int = 0


def resolved(
    table: StagedTable, grouping: Grouping, keeping: Keeping, effort: Effort = UNLIMITED
) -> Resolved:
    """
    Return the changes that resolve the groups: rows excluded and, with ``merge``, cells filled.

    Groups that are too large stay as they are. Raise BeyondEffort if the groups exclude more rows
    than the effort allows, UnknownGroup or GroupTooLarge for a single group.
    """
    import numpy as np

    _require_fields(table, keeping)
    if grouping.by == "near":
        effort.refuse_looking(NEAR_COST * len(grouping.fields) * table.row_count)
    matches = find_open(table, grouping).groups
    if keeping.group:
        matches = [_only(matches, keeping)]
    if keeping.keep == "all":
        return Resolved(_dismissing(table, matches), sum(map(len, matches)))
    too_large = sum(int(groups.is_too_large.sum()) for groups in matches)
    matches = [groups.where(~groups.is_too_large) for groups in matches]
    cells = _Cells(table, keeping)
    out = np.zeros(table.row_count, dtype=bool)
    taken: dict[str, list[tuple[int, int]]] = {}  # field to (row, the row whose text it takes)
    for groups in matches:
        effort.refuse_changing(len(groups.rows) - len(groups))
        for rows in _noted(groups, effort):
            left = [row for row in rows if not out[row]]
            if len(left) < 2:
                continue
            kept = cells.kept(left)
            out[[row for row in left if row != kept]] = True
            if keeping.keep == "merge":
                cells.merge(left, taken)
    texts = {path: _texts(table, path, pairs) for path, pairs in taken.items()}
    exclude = np.flatnonzero(out).astype(np.int64)
    changes = BulkChanges(texts, exclude=exclude, include=_nothing())
    return Resolved(changes, sum(map(len, matches)), too_large)


def _require_fields(table: StagedTable, keeping: Keeping) -> None:
    named = {f"/merge/{path}": path for path in keeping.merge}
    require_fields(table, {"/newestBy": keeping.newest_by, **named})


def _only(matches: list[Duplicates], keeping: Keeping) -> Duplicates:
    """Return the group that has all named rows."""
    import numpy as np

    for groups in matches:
        at = np.flatnonzero(groups.rows == keeping.group[0])
        if not len(at):
            continue
        number = int(np.searchsorted(groups.starts, at[0], "right")) - 1
        (rows,) = groups.groups(number, number + 1)
        rows_named = {row for row in keeping.merge.values() if isinstance(row, int)}
        if {*keeping.group, *rows_named} <= set(rows):
            taken = np.arange(len(groups)) == number
            if groups.is_too_large[number] and keeping.keep != "all":
                raise GroupTooLarge(members={"rows": len(rows), "allowed": groups.most})
            return groups.where(taken)
    raise UnknownGroup


def _noted(groups: Duplicates, effort: Effort) -> Iterator[list[int]]:
    for place, rows in enumerate(groups.groups()):
        if place % NOTED_GROUPS == 0:
            effort.note("finding", int(groups.starts[place]), len(groups.rows))
        yield rows


def _dismissing(table: StagedTable, matches: list[Duplicates]) -> BulkChanges:
    if sum(map(len, matches)) > MOST_DISMISSED:
        raise TooManyGroups(members={"groups": sum(map(len, matches)), "allowed": MOST_DISMISSED})
    named = [(groups.fields, rows) for groups in matches for rows in groups.groups()]
    about = {"groups": len(named), DISMISSED: dismissals(table, named)}
    return BulkChanges({}, exclude=_nothing(), include=_nothing(), about=about)


def _nothing() -> Rows:
    import numpy as np

    return np.zeros(0, np.int64)


class _Cells:
    """What the cells of a table have, as far as it decides which of them stay."""

    def __init__(self, table: StagedTable, keeping: Keeping) -> None:
        self._table, self._keeping = table, keeping

    @cached_property
    def _is_filled(self) -> dict[str, NDArray[np.bool_]]:
        import pyarrow.compute as pc

        paths = self._table.files.by_field
        return {path: pc.is_valid(self._table.values(path)).to_numpy() for path in paths}

    @cached_property
    def _counts(self) -> Rows:
        import numpy as np

        counts = np.zeros(self._table.row_count, np.int64)
        for is_filled in self._is_filled.values():
            counts += is_filled
        return counts

    @cached_property
    def _moments(self) -> Rows:
        return moments_of(self._table, self._keeping.newest_by or "")

    @cached_property
    def _lengths(self) -> dict[str, Rows]:
        import pyarrow.compute as pc

        def lengths(path: str) -> Rows:
            column = self._table.files.by_field[path]
            chunks = self._table.values(path).chunks
            texts = [column.json_texts(chunk) for chunk in chunks]
            return _joined([pc.fill_null(pc.utf8_length(text), 0) for text in texts])

        longest = [path for path, choice in self._keeping.merge.items() if choice == "longest"]
        return {path: lengths(path) for path in longest}

    def kept(self, rows: Sequence[int]) -> int:
        """Return the row of a group that stays; of equal ones the first."""
        match self._keeping.keep:
            case "last":
                return rows[-1]
            case "newest":
                return max(rows, key=lambda row: (int(self._moments[row]), -row))
            case "fullest":
                return max(rows, key=lambda row: (int(self._counts[row]), -row))
        return rows[0]

    def merge(self, rows: Sequence[int], taken: dict[str, list[tuple[int, int]]]) -> None:
        """Add what the first row takes from the others, field by field."""
        first = rows[0]
        for path, is_filled in self._is_filled.items():
            choice = self._keeping.merge.get(path)
            filled = [row for row in rows if is_filled[row]]
            if isinstance(choice, int):
                donor: int | None = choice
            else:
                donor = self._chosen(path, choice, filled) if filled else None
            if donor is not None and donor != first:
                taken.setdefault(path, []).append((first, donor))

    def _chosen(self, path: str, choice: Choice | None, filled: Sequence[int]) -> int:
        match choice:
            case "last":
                return filled[-1]
            case "longest":
                return max(filled, key=lambda row: (int(self._lengths[path][row]), -row))
            case "newest":
                return max(filled, key=lambda row: (int(self._moments[row]), -row))
        return filled[0]


def _joined(parts: list[pa.Array]) -> Rows:
    import numpy as np

    arrays = [part.to_numpy(zero_copy_only=False) for part in parts]
    return np.concatenate([np.zeros(0, np.int64), *arrays]).astype(np.int64)


def _texts(table: StagedTable, path: str, pairs: list[tuple[int, int]]) -> Texts:
    import numpy as np

    pairs.sort()
    taken = np.array([donor for _, donor in pairs], np.int64)
    order = np.argsort(taken, kind="stable")
    texts: pa.Array = text_columns(table, taken[order], {path})[path]
    back = np.empty(len(taken), np.int64)
    back[order] = np.arange(len(taken))
    return Texts(np.array([row for row, _ in pairs], np.int64), texts.take(back))
