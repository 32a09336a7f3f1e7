"""Rows of the source between two steps of a recipe."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from tabular.types.parsed import Rows


@dataclass(frozen=True, slots=True)
class Worked:
    """
    Rows after some steps.

    sources: n int64, positions in the source. ordinals: n int32. columns: per name n strings.
    """

    sources: pa.Array
    ordinals: pa.Array
    columns: dict[str, pa.Array]

    def __len__(self) -> int:
        return len(self.sources)

    def put(self, columns: dict[str, pa.Array]) -> "Worked":
        """Replace or add columns. columns: per name n strings."""
        return replace(self, columns=self.columns | columns)

    def take(self, rows: Rows) -> "Worked":
        """Keep some rows, in the given order."""
        at = pa.array(rows, pa.int64())
        columns = {name: column.take(at) for name, column in self.columns.items()}
        return Worked(self.sources.take(at), self.ordinals.take(at), columns)


def start(batch: pa.RecordBatch, position: int, leave_out: frozenset[str]) -> Worked:
    """Begin with a batch of the source. position: that of its first row in the source."""
    columns = {
        name: batch.column(i) for i, name in enumerate(batch.schema.names) if name not in leave_out
    }
    sources = pa.array(np.arange(position, position + batch.num_rows, dtype=np.int64))
    return Worked(sources, pa.array(np.zeros(batch.num_rows, np.int32)), columns)


def joined(parts: Sequence[Worked]) -> Worked:
    """Put batches of the same columns together."""
    return Worked(
        pa.concat_arrays([part.sources for part in parts]),
        pa.concat_arrays([part.ordinals for part in parts]),
        {
            name: pa.concat_arrays([part.columns[name] for part in parts])
            for name in parts[0].columns
        },
    )
