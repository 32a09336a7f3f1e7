"""Group rows that are equal in some fields or in all, or that nearly are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from staging import arrays
from staging.changes import require_fields
from staging.columns import StagedTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from staging.arrays import Rows


By = Literal["unique", "all", "fields", "near"]
BYS: tuple[By, ...] = ("unique", "all", "fields", "near")
THRESHOLD = 0.9  # how similar texts are that differ in one letter of ten


@dataclass(frozen=True, slots=True)
class Grouping:
    """
    What makes rows duplicates of each other.

    fields: those that are compared; with ``unique`` only the rule of exactly these, with ``all``
    ignored. threshold: with ``near``, how similar the texts of each field are at least, 0 to 1.
    """

    by: By = "unique"
    fields: tuple[str, ...] = ()
    threshold: float = THRESHOLD


@dataclass(frozen=True)
class Duplicates:
    """Groups of rows that are equal in ``fields``. rows: those of all groups, group by group."""

    fields: tuple[str, ...]
    rows: Rows  # ascending within a group; groups by their first row
    starts: Rows  # where each group begins in ``rows``; the last item is the number of rows
    most: int | None = None  # rows of a group that may be resolved; None: any number

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> Rows:
        """The number of rows of each group."""
        import numpy as np

        return np.diff(self.starts)

    @property
    def is_too_large(self) -> NDArray[np.bool_]:
        """Whether each group has more rows than may be resolved."""
        import numpy as np

        sizes = self.sizes
        return np.zeros(len(sizes), dtype=bool) if self.most is None else sizes > self.most

    def groups(self, start: int = 0, end: int | None = None) -> Iterator[list[int]]:
        """Yield some groups, each as a list of its rows."""
        for number in range(start, min(len(self) if end is None else end, len(self))):
            yield self.rows[self.starts[number] : self.starts[number + 1]].tolist()

    def where(self, taken: NDArray[np.bool_]) -> Duplicates:
        """Return some of the groups."""
        import numpy as np

        sizes = self.sizes
        rows = self.rows[np.repeat(taken, sizes)]
        starts = np.concatenate([[0], np.cumsum(sizes[taken])]).astype(np.int64)
        return Duplicates(self.fields, rows, starts, self.most)


def find(table: StagedTable, grouping: Grouping) -> list[Duplicates]:
    """
    Group the rows that are equal in the fields of each ``unique`` rule, in chosen fields or in all.

    With ``near``, rows whose texts are similar. Excluded rows do not count. A row in which all
    compared fields are empty is not a duplicate, except of a row that is empty in all fields.
    Raise UnknownField for a field that the rows lack.
    """
    import numpy as np

    require_fields(table, {f"/fields/{n}": path for n, path in enumerate(grouping.fields)})
    taken = np.flatnonzero(~table.is_excluded).astype(np.int64)
    match grouping.by:
        case "near":
            from staging.duplicates.near import near

            return [near(table, grouping, taken)]
        case "all":
            paths = tuple(column.field for column in table.columns)
            return [_grouped(table, paths, taken, with_empty=True)]
        case "fields":
            return [_grouped(table, grouping.fields, taken, with_empty=False)]
    named = dict.fromkeys(group.fields for group in table.files.groups)
    wanted = [paths for paths in named if grouping.fields in {(), paths}]
    return [_grouped(table, paths, taken, with_empty=False) for paths in wanted]


def _grouped(
    table: StagedTable, paths: tuple[str, ...], rows: Rows, *, with_empty: bool
) -> Duplicates:
    import numpy as np

    numbers = np.zeros(len(rows), np.int64)  # rows that are equal so far share a number
    kept = np.full(len(rows), with_empty)
    for path in paths:
        if not len(rows):
            break
        codes = codes_of(table, path, rows)
        numbers = numbered(numbers, codes)
        again = np.bincount(numbers)[numbers] > 1  # rows that are unique by now stay unique
        rows, numbers, kept = rows[again], numbers[again], (kept | (codes > 0))[again]
    return grouped_by(paths, rows[kept], numbers[kept])


def grouped_by(
    paths: tuple[str, ...], rows: Rows, numbers: Rows, most: int | None = None
) -> Duplicates:
    """Return the groups of two or more rows that share a number. rows: n, ascending; numbers: n."""
    import numpy as np

    order = np.argsort(numbers, kind="stable")
    sizes = np.unique(numbers, return_counts=True)[1] if len(numbers) else np.zeros(0, np.int64)
    is_double = np.repeat(sizes > 1, sizes)
    grouped, sizes = rows[order][is_double], sizes[sizes > 1]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    by_first = np.argsort(grouped[starts[:-1]], kind="stable")
    at = np.concatenate([np.zeros(0, np.int64), *_spans(starts, by_first)])
    ends = np.concatenate([[0], np.cumsum(sizes[by_first])]).astype(np.int64)
    return Duplicates(paths, grouped[at], ends, most)


def _spans(starts: Rows, order: Rows) -> list[Rows]:
    import numpy as np

    sizes = np.diff(starts)[order]
    if not len(order):
        return []
    offsets = np.repeat(starts[order] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
    return [np.arange(int(sizes.sum()), dtype=np.int64) + offsets]


def codes_of(table: StagedTable, path: str, rows: Rows) -> Rows:
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


def numbered(numbers: Rows, codes: Rows) -> Rows:
    """Return dense numbers for the pairs of two numbers, so that no product ever overflows."""
    import numpy as np
    import pyarrow as pa

    pairs = pa.array(numbers * (int(codes.max(initial=0)) + 1) + codes)
    return np.asarray(pairs.dictionary_encode().indices.to_numpy(), np.int64)
