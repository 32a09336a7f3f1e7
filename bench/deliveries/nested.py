"""A million lines of 200,000 orders: a nested body compared with a flat one."""

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from bench.figures.figure import RATIO, Figure

if TYPE_CHECKING:
    import pyarrow as pa

ROWS, ORDERS, BATCH_ROWS = 1_000_000, 200_000, 20_000
LINES = ROWS // ORDERS
ROUNDS = 3
MOST_TIMES = 1.5
TYPES = {
    "order.number": "string",
    "order.buyer": "string",
    "order.date": "date",
    "line.sku": "string",
    "line.pieces": "int",
    "line.price": "float",
}


def main() -> None:
    """Print the medians of both, and the time to group the rows."""
    for figure in figures(ROWS):
        figure.show()


def figures(rows: int) -> Iterator[Figure]:
    """Yield the CPU seconds of both, medians, and those of grouping the rows."""
    import numpy as np
    import pyarrow as pa

    from deliveries import nested, payload
    from tabular.validating.groups import codes_of, numbered

    batches = [some_rows(start) for start in range(0, rows, BATCH_ROWS)]
    starts = np.arange(0, rows + 1, LINES)
    orders, lines = (
        [path for path in TYPES if path.startswith(name)] for name in ("order", "line")
    )
    shape = nested.Shape(orders, {"line": lines}, TYPES, {})
    flat_s, flat_bytes = median(lambda: (payload.rows_as_lines(b, TYPES, {}) for b in batches))
    nested_s, nested_bytes = median(lambda: nested.lines(iter(batches), starts, shape))
    keys = pa.chunked_array([batch.column(0) for batch in batches])
    grouped_s, _ = median(lambda: iter([numbered([codes_of(keys)])[0]]))
    what = f"{rows:,} lines of {rows // LINES:,} orders"
    yield Figure(f"{what}: a nested body against a flat one", nested_s / flat_s, RATIO, MOST_TIMES)
    yield Figure(f"flat, {flat_bytes / 1e6:.0f} MB, CPU", flat_s, "s")
    yield Figure(f"nested, {nested_bytes / 1e6:.0f} MB, CPU", nested_s, "s")
    yield Figure("grouped by their key, CPU", grouped_s, "s")


def median(make: Callable[[], Iterator[Any]]) -> tuple[float, int]:
    """Return the median CPU seconds of going through some pieces, and their size."""
    times, size = [], 0
    for _ in range(ROUNDS):
        before = time.process_time()
        size = sum(map(len, make()))
        times.append(time.process_time() - before)
    return sorted(times)[ROUNDS // 2], size


def some_rows(start: int) -> "pa.RecordBatch":
    """Return one batch; each order has five lines, which repeat its fields."""
    from datetime import date, timedelta

    import pyarrow as pa

    rows = range(start, start + BATCH_ROWS)
    numbers = [row // LINES for row in rows]
    values: list[Any] = [
        [f"A-{number:09d}" for number in numbers],
        [f"Müller & Söhne {number % 9_973}" for number in numbers],
        [date(2026, 1, 1) + timedelta(days=number % 300) for number in numbers],
        [f"SKU-{row % 99_991:06d}" for row in rows],
        [row % 40 for row in rows],
        [row % 10_000 / 100 for row in rows],
    ]
    return pa.record_batch([pa.array(value) for value in values], names=list(TYPES))


if __name__ == "__main__":
    main()
