"""A stored Arrow file: the whole table, or the batches that hold some rows."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from typing import TYPE_CHECKING

from django.db import connections

from common import storage
from staging import arrays
from tabular.protocol.parts import Batches

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Rows = NDArray[np.int64]

Call = Callable[[], object]
AT_ONCE = 8  # files and batches that are fetched at the same time
MOST_SHARE = 4  # beyond one in so many batches, the whole file is fetched


class StoredTable:
    """
    The table of a file in storage.

    A file of this machine is mapped into memory. Of a larger file elsewhere, single batches are
    fetched, until so many are wanted that the whole file is.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._mapped: tuple[pa.Table, mmap.mmap] | None = None

    @property
    def whole(self) -> pa.Table:
        """The table, mapped into memory."""
        return self._map()[0]

    @property
    def is_whole(self) -> bool:
        """Whether ``whole`` fetches nothing more."""
        return self._mapped is not None

    @property
    def schema(self) -> pa.Schema:
        """The columns."""
        return self._batches.about.schema if self._batches else self.whole.schema

    @property
    def num_rows(self) -> int:
        """The number of rows."""
        return self._batches.num_rows if self._batches else int(self.whole.num_rows)

    def take(self, column: str, rows: Rows) -> pa.Array:
        """Return the values of some rows, in their order."""
        table, at, starts = self.around(rows)
        return arrays.take(table.column(column), at, starts)

    def text_bytes(self, column: str, rows: Rows) -> Rows:
        """Return the byte length of the texts of some rows, n; it reads no text."""
        table, at, starts = self.around(rows)
        return arrays.text_bytes(table.column(column), at, starts)

    def around(self, rows: Rows) -> tuple[pa.Table, Rows, Rows]:
        """Return a table that has some rows, where they are in it, and where its chunks start."""
        for call in self.lacking(rows):
            call()
        if self._mapped or not self._batches:
            return self.whole, rows, self._starts
        table, at = self._batches.around(rows)
        return table, at, arrays.starts_of(table.column(0))

    @cached_property
    def _starts(self) -> Rows:
        return arrays.starts_of(self.whole.column(0))

    def with_first(self, numbers: Rows) -> pa.Table:
        """
        Return a table with every row whose first column has one of some numbers, and with others.

        The column is ascending.
        """
        some = None if self._mapped or not self._batches else self._batches.with_first(numbers)
        return self.whole if some is None else some

    def lacking_first(self, numbers: Rows) -> list[Call]:
        """Return the calls that fetch what ``with_first`` still needs."""
        if self._mapped:
            return []
        some = self._batches.lacking_first(numbers) if self._batches else None
        return [self._map] if some is None else some

    def lacking(self, rows: Rows | None = None) -> list[Call]:
        """Return the calls that fetch what some rows, or all, still need."""
        if self._mapped:
            return []
        some = None if rows is None or not self._batches else self._batches.lacking(rows)
        return [self._map] if some is None else some

    def let_go_of_pages(self) -> None:
        """Release the pages read so far from this process's memory; the system cache keeps them."""
        if self._mapped and hasattr(mmap, "MADV_DONTNEED"):
            self._mapped[1].madvise(mmap.MADV_DONTNEED)

    def _map(self) -> tuple[pa.Table, mmap.mmap]:
        if self._mapped is None:
            from tabular.protocol.tables import with_pages

            self._mapped = with_pages(storage.local_path(self._name))
        return self._mapped

    @cached_property
    def _batches(self) -> _Batches | None:
        parts = storage.parts(self._name)
        return _Batches(parts) if parts else None


class _Batches:
    """The batches of a file that is not on this machine; those fetched are kept."""

    def __init__(self, parts: storage.StoredParts) -> None:
        import numpy as np

        self._parts = parts
        self._kept: dict[int, pa.RecordBatch] = {}
        self.about = Batches.kept(parts.about)
        self._starts = np.cumsum([0, *self.about.rows])
        self.num_rows = int(self._starts[-1])

    def lacking(self, rows: Rows) -> list[Call] | None:
        """Return the calls that fetch batches, or None to fetch the whole file instead."""
        return self._fetching(set(self._numbers(rows).tolist()))

    def lacking_first(self, numbers: Rows) -> list[Call] | None:
        """Return the calls that fetch batches, or None to fetch the whole file instead."""
        return None if self.about.bounds is None else self._fetching(self._having(numbers))

    def with_first(self, numbers: Rows) -> pa.Table | None:
        """Return the table of the batches with some numbers, or None to read the whole file."""
        if (calls := self.lacking_first(numbers)) is None:
            return None
        import pyarrow as pa

        for call in calls:
            call()
        batches = [self._kept[number] for number in sorted(self._having(numbers))]
        return pa.Table.from_batches(batches, self.about.schema)

    def _having(self, numbers: Rows) -> set[int]:
        """Return the batches whose first column may have one of some numbers."""
        import numpy as np

        ordered = np.sort(numbers)
        bounds = np.array(self.about.bounds or (), np.int64).reshape(-1, 2)
        begins = np.searchsorted(ordered, bounds[:, 0])
        ends = np.searchsorted(ordered, bounds[:, 1], side="right")
        return set(np.flatnonzero(ends > begins).tolist())

    def _fetching(self, needed: set[int]) -> list[Call] | None:
        wanted = self._kept.keys() | needed
        if len(wanted) * MOST_SHARE > len(self._parts):
            return None
        return [partial(self._fetch, number) for number in wanted - self._kept.keys()]

    def around(self, rows: Rows) -> tuple[pa.Table, Rows]:
        """Return the table of the batches with some rows, and where they are in it."""
        import numpy as np
        import pyarrow as pa

        numbers, place = np.unique(self._numbers(rows), return_inverse=True)
        batches = [self._kept[number] for number in numbers.tolist()]
        begins = np.cumsum([0, *(some.num_rows for some in batches)])
        at = rows - self._starts[numbers][place] + begins[place]
        return pa.Table.from_batches(batches, self.about.schema), at

    def _numbers(self, rows: Rows) -> Rows:
        import numpy as np

        numbers: Rows = np.searchsorted(self._starts, rows, side="right") - 1
        return numbers

    def _fetch(self, number: int) -> None:
        self._kept[number] = self.about.decoded(self._parts.read(number))


def fetch(calls: Sequence[Call]) -> None:
    """Make the calls of ``StoredTable.lacking`` at the same time, not one after another."""
    if len(calls) < 2:
        for call in calls:
            call()
        return
    with ThreadPoolExecutor(min(AT_ONCE, len(calls))) as pool:
        list(pool.map(_called, calls))


def _called(call: Call) -> None:
    try:
        call()
    finally:
        connections.close_all()  # of this thread, if the store had to be claimed
