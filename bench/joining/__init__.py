"""Joining 500,000 rows with 500,000 others, next to pyarrow's join of the same columns."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from bench.figures.figure import RATIO, Figure

if TYPE_CHECKING:
    import pyarrow as pa

    from tabular.model.issue import Issue
    from tabular.model.table import SkippedRow, Table

ROWS, ROUNDS = 500_000, 3
LIMIT_S = 2.0
NAMES = (("Key", "A"), ("Id", "B"))


def main() -> None:
    """Print the figures."""
    for figure in figures(ROWS):
        figure.show()


def figures(rows: int) -> Iterator[Figure]:
    """Yield the CPU seconds of a join to its last row, and of pyarrow's, medians in turn."""
    tables = _tables(rows)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(_spent(lambda: _joined(tables), rows))
        theirs.append(_spent(lambda: _joined_by_arrow(tables), rows))
    best, other = statistics.median(ours), statistics.median(theirs)
    what = f"joining {rows:,} and {rows:,} rows"
    yield Figure(f"{what} against pyarrow's join in memory", best / other, RATIO)
    yield Figure(f"{what}, CPU", best, "s", LIMIT_S)


def _spent(join: Callable[[], int], rows: int) -> float:
    """Return the CPU seconds. Exits if rows are missing."""
    before = time.process_time()
    made = join()
    spent = time.process_time() - before
    if made != rows:
        raise SystemExit(f"the join has {made} rows instead of {rows}")
    return spent


def _tables(rows: int) -> tuple[pa.Table, pa.Table]:
    """Return two tables of texts; each row of one has its match somewhere in the other."""
    import numpy as np
    import pyarrow as pa

    keys = pa.array(np.random.default_rng(1).permutation(rows)).cast(pa.string())
    words = pa.array(np.arange(rows)).cast(pa.string())
    return pa.table([keys, words], names=NAMES[0]), pa.table([words, keys], names=NAMES[1])


class Rows:
    """A table as a reader gives it."""

    def __init__(self, table: pa.Table) -> None:
        import pyarrow as pa

        from tabular.reading.batches import schema_of

        numbers = pa.array(range(1, table.num_rows + 1))
        names = table.column_names
        columns = [numbers, *(column.combine_chunks() for column in table.columns)]
        self._table = pa.table(columns, schema_of(names))
        self._names = tuple(names)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows."""
        from tabular.reading.batches import rows_per_batch

        yield from self._table.to_batches(max_chunksize=rows_per_batch(len(self._names)))

    def outcome(self) -> tuple[Table, tuple[Issue, ...]]:
        """Return the names of its columns."""
        from tabular.model.table import Table

        return Table(self._names), ()

    def skipped_rows(self) -> Iterator[SkippedRow]:
        """Yield nothing."""
        return iter(())


def _joined(tables: tuple[pa.Table, pa.Table]) -> int:
    from tabular.model.problem import Limits
    from tabular.model.table import Reading
    from tabular.reading.joining import joined

    bodies: Any = tuple(Rows(table) for table in tables)
    reading = Reading("csv", tuple(body.outcome()[0] for body in bodies), bodies)
    made = joined(reading, (0, 1), (("Key", "Id"),), Limits())
    return sum(batch.num_rows for batch in made.bodies[-1].batches())


def _joined_by_arrow(tables: tuple[pa.Table, pa.Table]) -> int:
    joined = tables[0].join(tables[1], "Key", "Id", join_type="full outer", use_threads=False)
    return int(joined.num_rows)
