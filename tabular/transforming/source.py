"""The stored text of a file: ``source.arrow``, as the read step wrote it."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabular.protocol.tables import opened

_FIRST_COLUMN = pa.ipc.IpcReadOptions(included_fields=[0])
_ROWS = 48_000  # of a batch in a pass over the whole


class Source:
    """The record batches of a source, memory-mapped, read again at each pass."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        """Yield all batches, small ones joined: each costs a compilation of every pattern."""
        held: list[pa.RecordBatch] = []
        rows = 0
        for batch in self.batches(0, len(self._starts)):
            held.append(batch)
            rows += batch.num_rows
            if rows >= _ROWS:
                yield _joined(held)
                held, rows = [], 0
        if held:
            yield _joined(held)

    def batches(self, first: int, last: int) -> Iterator[pa.RecordBatch]:
        """Yield the batches numbered ``first`` to before ``last``."""
        for i in range(first, min(last, len(self._starts))):
            # A separate map for each batch: its pages leave the process with the batch.
            with opened(self.path) as reader:
                yield reader.get_batch(i)

    @cached_property
    def _sizes(self) -> list[int]:
        with opened(self.path, _FIRST_COLUMN) as reader:
            return [reader.get_batch(i).num_rows for i in range(reader.num_record_batches)]

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        return np.cumsum([0, *self._sizes], dtype=np.int64)[:-1]

    @cached_property
    def rows(self) -> int:
        """The number of rows in the source."""
        return sum(self._sizes)

    def batch_of(self, row: int) -> tuple[int, int]:
        """
        Return the number of the batch with a row, and the row number of the batch's first row.
        """
        number = int(np.searchsorted(self._starts, row, side="right")) - 1
        return number, int(self._starts[number])

    def start_of(self, batch: int) -> int:
        """Return the row number of a batch's first row."""
        return int(self._starts[batch])


def _joined(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    return batches[0] if len(batches) == 1 else pa.concat_batches(batches)
