"""Find rows that are equal in some fields or in all, as groups, and resolve each in one step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from staging import arrays
from staging.changes import UNLIMITED, Effort
from staging.columns import StagedTable
from staging.edits.cell_edits import text_columns
from staging.edits.rewrite import BulkChanges
from staging.edits.texts import Texts

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from staging.arrays import Rows


By = Literal["unique", "all"]
Keep = Literal["first", "last", "fullest", "merge"]
BYS: tuple[By, ...] = ("unique", "all")
NOTED_GROUPS = 1_000  # between two progress notes
KEEPS: tuple[Keep, ...] = ("first", "last", "fullest", "merge")


@dataclass(frozen=True)
class Duplicates:
    """Groups of rows that are equal in ``fields``. rows: those of all groups, group by group."""

    fields: tuple[str, ...]
    rows: Rows  # ascending within a group; groups by their first row
    starts: Rows  # where each group begins in ``rows``; the last item is the number of rows

    def __len__(self) -> int:
        return len(self.starts) - 1

    def groups(self, start: int = 0, end: int | None = None) -> Iterator[list[int]]:
        """Yield some groups, each as a list of its rows."""
        for number in range(start, min(len(self) if end is None else end, len(self))):
            yield self.rows[self.starts[number] : self.starts[number + 1]].tolist()


def find(table: StagedTable, by: By) -> list[Duplicates]:
    """
    Group the rows that are equal in the fields of each ``unique`` rule, or in all fields.

    Excluded rows do not count. A row in which all fields of a rule are empty is not a duplicate
    under that rule.
    """
    import numpy as np

    taken = np.flatnonzero(~table.is_excluded).astype(np.int64)
    if by == "all":
        paths = tuple(column.field for column in table.columns)
        return [_grouped(table, paths, taken, with_empty=True)]
    named = dict.fromkeys(group.fields for group in table.files.groups)
    return [_grouped(table, paths, taken, with_empty=False) for paths in named]


def _grouped(
    table: StagedTable, paths: tuple[str, ...], rows: Rows, *, with_empty: bool
) -> Duplicates:
    import numpy as np

    numbers = np.zeros(len(rows), np.int64)  # rows that are equal so far share a number
    kept = np.full(len(rows), with_empty)
    for path in paths:
        if not len(rows):
            break
        codes = _codes(table, path, rows)
        numbers = _numbered(numbers, codes)
        again = np.bincount(numbers)[numbers] > 1  # rows that are unique by now stay unique
        rows, numbers, kept = rows[again], numbers[again], (kept | (codes > 0))[again]
    rows, numbers = rows[kept], numbers[kept]
    order = np.argsort(numbers, kind="stable")
    sizes = np.unique(numbers, return_counts=True)[1] if len(numbers) else np.zeros(0, np.int64)
    is_double = np.repeat(sizes > 1, sizes)
    grouped, sizes = rows[order][is_double], sizes[sizes > 1]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    by_first = np.argsort(grouped[starts[:-1]], kind="stable")
    at = np.concatenate([np.zeros(0, np.int64), *_spans(starts, by_first)])
    ends = np.concatenate([[0], np.cumsum(sizes[by_first])]).astype(np.int64)
    return Duplicates(paths, grouped[at], ends)


def _spans(starts: Rows, order: Rows) -> list[Rows]:
    import numpy as np

    sizes = np.diff(starts)[order]
    if not len(order):
        return []
    offsets = np.repeat(starts[order] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
    return [np.arange(int(sizes.sum()), dtype=np.int64) + offsets]


def _codes(table: StagedTable, path: str, rows: Rows) -> Rows:
    """Return a number for each row's value in a field, from 1; empty values are 0."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    values = arrays.take(table.values(path), rows)
    if pa.types.is_nested(values.type):
        values = table.files.by_field[path].json_texts(values)
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    indices = pc.fill_null(values.dictionary_encode().indices.cast(pa.int64()), -1)
    return np.asarray(indices.to_numpy(zero_copy_only=False), np.int64) + 1


def _numbered(numbers: Rows, codes: Rows) -> Rows:
    """Return dense numbers for the pairs of two numbers, so that no product ever overflows."""
    import numpy as np
    import pyarrow as pa

    pairs = pa.array(numbers * (int(codes.max(initial=0)) + 1) + codes)
    return np.asarray(pairs.dictionary_encode().indices.to_numpy(), np.int64)


def resolved(table: StagedTable, by: By, keep: Keep, effort: Effort = UNLIMITED) -> BulkChanges:
    """
    Return the changes that resolve the groups: rows excluded and, with ``merge``, cells filled.

    Raise BeyondEffort if the groups exclude more rows than the effort allows.
    """
    import numpy as np

    cells = _Cells(table)
    out = np.zeros(table.row_count, dtype=bool)
    filled: dict[str, list[tuple[int, int]]] = {}  # field to (row, the row whose text it takes)
    for groups in find(table, by):
        effort.refuse_changing(len(groups.rows) - len(groups))
        for place, rows in enumerate(groups.groups()):
            if place % NOTED_GROUPS == 0:
                effort.note("finding", int(groups.starts[place]), len(groups.rows))
            left = [row for row in rows if not out[row]]
            if len(left) < 2:
                continue
            kept = cells.kept(left, keep)
            out[[row for row in left if row != kept]] = True
            if keep == "merge":
                cells.fill(left, filled)
    texts = {path: _texts(table, path, pairs) for path, pairs in filled.items()}
    nothing = np.zeros(0, np.int64)
    return BulkChanges(texts, exclude=np.flatnonzero(out).astype(np.int64), include=nothing)


class _Cells:
    """Which cells of a table have a value."""

    def __init__(self, table: StagedTable) -> None:
        self._table = table

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

    def kept(self, rows: Sequence[int], keep: Keep) -> int:
        """Return the row of a group that stays."""
        if keep == "last":
            return rows[-1]
        if keep == "fullest":
            return max(rows, key=lambda row: (int(self._counts[row]), -row))
        return rows[0]

    def fill(self, rows: Sequence[int], filled: dict[str, list[tuple[int, int]]]) -> None:
        """Fill each empty cell of the first row from the first other row that has a value."""
        first, *others = rows
        for path, is_filled in self._is_filled.items():
            if is_filled[first]:
                continue
            donor = next((row for row in others if is_filled[row]), None)
            if donor is not None:
                filled.setdefault(path, []).append((first, donor))


def _texts(table: StagedTable, path: str, pairs: list[tuple[int, int]]) -> Texts:
    import numpy as np

    pairs.sort()
    taken = np.array([donor for _, donor in pairs], np.int64)
    order = np.argsort(taken, kind="stable")
    texts: pa.Array = text_columns(table, taken[order], {path})[path]
    back = np.empty(len(taken), np.int64)
    back[order] = np.arange(len(taken))
    return Texts(np.array([row for row, _ in pairs], np.int64), texts.take(back))
