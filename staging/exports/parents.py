"""The rows of each parent, together: what a nested delivery holds as one object."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from staging import arrays
from staging.columns import StagedTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from staging.arrays import Rows
    from tabular.model.nesting import Nesting

_MOST_REMEMBERED = 4  # 4 MB for each million rows; a page needs those of one revision, twice

_remembered: OrderedDict[tuple[str, int, tuple[str, ...], bytes], NDArray[np.int32]] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True)
class Parents:
    """The parents among some rows, of which those of one parent are together."""

    keys: tuple[str, ...]
    fields: tuple[str, ...]  # of the parent
    lists: Mapping[str, tuple[str, ...]]  # the fields of each other entry, which are its lists
    starts: Rows  # where the rows of each parent begin; the last item is the number of rows
    table: StagedTable
    rows: Rows

    @cached_property
    def sizes(self) -> Rows:
        """The number of rows of each parent."""
        import numpy as np

        sizes: Rows = np.diff(self.starts)
        return sizes

    def within(self, start: int, end: int) -> Rows:
        """Return where parents begin among some rows, counted from the first of them."""
        import numpy as np

        first, after = np.searchsorted(self.starts, (start, end))
        starts: Rows = self.starts[first : after + 1] - start
        return starts

    def start_at(self, row: int) -> int:
        """Return where the parent of a row begins; the number of rows beyond the last."""
        import numpy as np

        at = int(np.searchsorted(self.starts, row, side="right")) - 1
        return int(self.starts[max(at, 0)])

    def whole(self, start: int, end: int) -> tuple[int, int]:
        """Return the end of the last whole parent up to ``end``, and that of the first one."""
        import numpy as np

        after = int(np.searchsorted(self.starts, start, side="right"))
        least = int(self.starts[min(after, len(self.starts) - 1)])
        return max(self.start_at(end), least), least

    def key(self, number: int) -> dict[str, Any]:
        """Return the key of one parent, by field path."""
        from staging.columns import encoded

        row = self.rows[self.starts[number] : self.starts[number] + 1]
        return {
            path: encoded(arrays.take(self.table.values(path), row)[0].as_py())
            for path in self.keys
        }


def in_groups(table: StagedTable, rows: Rows) -> Rows:
    """Return ascending rows with those of one parent together, by the first row of each."""
    import numpy as np

    nesting = _nesting(table)
    if nesting is None or not len(rows):
        return rows
    groups = _groups(table, nesting, rows)
    if (np.diff(groups) >= 0).all():  # they are together in the file
        return rows
    ordered: Rows = rows[np.argsort(groups, kind="stable")]
    return ordered


def parents_of(table: StagedTable, rows: Rows) -> Parents | None:
    """Return the parents among rows that ``in_groups`` has ordered."""
    import numpy as np

    nesting = _nesting(table)
    if nesting is None:
        return None
    groups = _groups(table, nesting, rows) if len(rows) else np.zeros(0, np.int32)
    begins = np.flatnonzero(np.diff(groups, prepend=-1)).astype(np.int64)
    here = {column.field for column in table.columns}
    catalog = table.files.plan.target
    lists = {
        entry.id: tuple(
            path
            for spec in entry.fields
            if (path := f"{entry.id}{catalog.key_separator}{spec.key}") in here
        )
        for entry in catalog.entries
        if entry.id != nesting.parent
    }
    return Parents(
        keys=nesting.keys,
        fields=tuple(path for path in nesting.fields if path in here),
        lists={entry: paths for entry, paths in lists.items() if paths},
        starts=np.append(begins, len(rows)),
        table=table,
        rows=rows,
    )


def _nesting(table: StagedTable) -> Nesting | None:
    """Return the first parent of the catalog that the file has keys of."""
    from tabular.validating import group_rules

    plan = table.files.plan
    rules = group_rules(plan.target, paths=plan.used_fields)
    return rules[0].nesting if rules else None


def _groups(table: StagedTable, nesting: Nesting, rows: Rows) -> NDArray[np.int32]:
    """
    Return the number of the parent of each row.

    Those of a revision are remembered, because each page of results needs all of them.
    """
    revision = table.revision
    digest = hashlib.blake2b(rows.tobytes(), digest_size=16).digest()
    key = (revision.subject, revision.number or 0, nesting.keys, digest)
    with _lock:
        if key in _remembered:
            _remembered.move_to_end(key)
            return _remembered[key]
    groups = _grouped(table, nesting, rows)
    if revision.subject:
        with _lock:
            _remembered[key] = groups
            while len(_remembered) > _MOST_REMEMBERED:
                _remembered.popitem(last=False)
    return groups


def _grouped(table: StagedTable, nesting: Nesting, rows: Rows) -> NDArray[np.int32]:
    import numpy as np

    from tabular.validating.groups import codes_of, numbered

    codes = [codes_of(arrays.take(table.values(key), rows)) for key in nesting.keys]
    return numbered(codes)[0].astype(np.int32)
