"""
The overhead of a job: uploads to review on a running engine, and the start of a child.

Always embedded; also in the production shape if ``BENCH_POSTGRES_URL`` names a server, on which
databases are created and dropped, and ``BENCH_REDIS_URL`` a Redis database, which is emptied.
``BENCH_AGAINST`` names another checkout to compare with.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import redis
from psycopg import sql

from bench.jobs import child
from bench.jobs.engine import ROOT, Engine, orders
from common.ids import new_id

SMALL_ROWS, SMALL_TIMES = 20, 30
LARGE_ROWS, LARGE_FILES = 10_000, 30
UPLOADS_AT_ONCE = 6
P50_S, P95_S, FILE_S, MEMORY_MB = 0.5, 0.8, 0.4, 1200


def main() -> None:
    """Print the figures of each way of running, for each checkout."""
    child.main()
    with_engines(_measure)


def with_engines(measure: Callable[[Engine], None]) -> None:
    """Measure an engine in each way of running, for each checkout."""
    services = {
        "IMPORT_POSTGRES_URL": os.environ.get("BENCH_POSTGRES_URL", ""),
        "IMPORT_REDIS_URL": os.environ.get("BENCH_REDIS_URL", ""),
    }
    shapes = {"embedded": dict.fromkeys(services, ""), "production": services}
    checkouts = [Path(name) for name in (os.environ.get("BENCH_AGAINST"), ROOT) if name]
    for shape, variables in shapes.items():
        if shape == "production" and not all(services.values()):
            continue
        for checkout in checkouts:
            which = "this checkout" if checkout == ROOT else "the other checkout"
            print(f"-- {shape}, {which}", flush=True)
            with (
                tempfile.TemporaryDirectory(prefix="bench-engine-") as name,
                _emptied(variables) as emptied,
            ):
                engine = Engine(checkout, Path(name), emptied)
                try:
                    measure(engine)
                finally:
                    engine.stop()


@contextmanager
def _emptied(variables: dict[str, str]) -> Iterator[dict[str, str]]:
    """Yield the services, with a new database."""
    server, redis_url = variables["IMPORT_POSTGRES_URL"], variables["IMPORT_REDIS_URL"]
    if not server:
        yield variables
        return
    database = new_id("bench_")
    with redis.Redis.from_url(redis_url) as broker:
        broker.flushdb()
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database)))
        try:
            yield {**variables, "IMPORT_POSTGRES_URL": f"{server.rpartition('/')[0]}/{database}"}
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(drop.format(sql.Identifier(database)))


def _measure(engine: Engine) -> None:
    engine.until_review(engine.upload(orders(SMALL_ROWS)))
    time.sleep(3)  # so that background starts are complete
    _small(engine)
    _large(engine)


def _small(engine: Engine) -> None:
    """Upload a small file repeatedly, one upload after another."""
    content, spent, busy = orders(SMALL_ROWS), [], engine.busy()
    for _ in range(SMALL_TIMES):
        start = time.perf_counter()
        engine.until_review(engine.upload(content))
        spent.append(time.perf_counter() - start)
    cpu = (engine.busy() - busy) / SMALL_TIMES
    quantiles = statistics.quantiles(spent, n=20)
    what = f"{SMALL_ROWS} rows to review"
    _line(f"{what}, p50", statistics.median(spent), P50_S, f"cpu {cpu:5.2f} s each")
    _line(f"{what}, p95", quantiles[-1], P95_S)


def _large(engine: Engine) -> None:
    """Upload many files at once, and watch the memory of all processes."""
    content, busy, seen = orders(LARGE_ROWS), engine.busy(), [engine.memory()]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.5):
            seen.append(engine.memory())

    watching = threading.Thread(target=watch)
    start = time.perf_counter()
    with ThreadPoolExecutor(UPLOADS_AT_ONCE) as pool:
        ids = list(pool.map(engine.upload, [content] * LARGE_FILES))
        watching.start()
    for record_id in ids:
        engine.until_review(record_id)
    spent = (time.perf_counter() - start) / LARGE_FILES
    done.set()
    watching.join()
    cpu = (engine.busy() - busy) / LARGE_FILES
    _line(f"{LARGE_FILES} x {LARGE_ROWS} rows, each", spent, FILE_S, f"cpu {cpu:5.2f} s each")
    held, idle = max(seen) / 1024**2, seen[0] / 1024**2
    verdict = "ok" if held <= MEMORY_MB else "TOO MUCH"
    print(
        f"   {'memory of all processes':31} {held:8.0f} MB  (idle {idle:.0f} MB, "
        f"limit {MEMORY_MB} MB) {verdict}",
        flush=True,
    )


def _line(what: str, spent: float, limit: float, further: str = "") -> None:
    verdict = "ok" if spent <= limit else "TOO SLOW"
    print(f"   {what:31} {spent:8.2f} s   (limit {limit} s) {verdict}  {further}", flush=True)
