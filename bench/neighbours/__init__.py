"""How long one tenant's small file takes while another has many large ones waiting."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from bench.jobs import SMALL_ROWS, UPLOADS_AT_ONCE, with_engines
from bench.jobs.engine import Engine, orders

LARGE_ROWS, LARGE_FILES = 100_000, 50
SMALL_TIMES = 5
MOST_S = 5.0


def main() -> None:
    """Print the seconds from upload to review of each small file, for each way of running."""
    with_engines(_measure)


def _measure(engine: Engine) -> None:
    neighbour = engine.as_tenant("tnt_neighbour")
    neighbour.until_review(neighbour.upload(orders(SMALL_ROWS)))
    content = orders(LARGE_ROWS)
    with ThreadPoolExecutor(UPLOADS_AT_ONCE) as pool:
        list(pool.map(engine.upload, [content] * LARGE_FILES))
    spent = []
    for _ in range(SMALL_TIMES):
        start = time.perf_counter()
        neighbour.until_review(neighbour.upload(orders(2)))
        spent.append(time.perf_counter() - start)
    verdict = "ok" if max(spent) <= MOST_S else "TOO SLOW"
    each = ", ".join(f"{seconds:.2f}" for seconds in spent)
    print(
        f"   2 rows to review next to {LARGE_FILES} x {LARGE_ROWS} rows of another tenant: "
        f"{each} s  (limit {MOST_S:.0f} s) {verdict}  {engine.waiting()} still waited",
        flush=True,
    )
