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
from urllib.parse import urlsplit, urlunsplit

import psycopg
import redis
from psycopg import sql

from bench.figures.figure import Figure
from bench.jobs import child
from bench.jobs.engine import ROOT, Engine, orders
from common.ids import new_id

SMALL_ROWS, SMALL_TIMES = 20, 30
LARGE_ROWS, LARGE_FILES = 10_000, 30
UPLOADS_AT_ONCE = 6
P50_S, P95_S, MEMORY_MB = 0.5, 0.8, 1200
FILE_S = {"embedded": 0.4, "production": 0.3}


def main() -> None:
    """Print the figures of each way of running, for each checkout."""
    child.main()
    with_engines(_measure)


def with_engines(measure: Callable[[Engine], None]) -> None:
    """Measure an engine in each way of running, for each checkout."""
    checkouts = [Path(name) for name in (os.environ.get("BENCH_AGAINST"), ROOT) if name]
    for shape, services in shapes().items():
        for checkout in checkouts:
            which = "this checkout" if checkout == ROOT else "the other checkout"
            print(f"-- {shape}, {which}", flush=True)
            with running(services, checkout) as engine:
                measure(engine)


def shapes() -> dict[str, dict[str, str]]:
    """Return the ways of running that are possible here, each with its services."""
    services = {
        "IMPORT_POSTGRES_URL": os.environ.get("BENCH_POSTGRES_URL", ""),
        "IMPORT_REDIS_URL": os.environ.get("BENCH_REDIS_URL", ""),
    }
    both = {"embedded": dict.fromkeys(services, ""), "production": services}
    return both if all(services.values()) else {"embedded": both["embedded"]}


@contextmanager
def running(services: dict[str, str], checkout: Path = ROOT) -> Iterator[Engine]:
    """Yield an engine with a folder of its own, and a new database where one is named."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-engine-") as name,
        emptied(services) as own,
    ):
        engine = Engine(checkout, Path(name), own)
        try:
            yield engine
        finally:
            engine.stop()


@contextmanager
def emptied(variables: dict[str, str]) -> Iterator[dict[str, str]]:
    """Yield the services, with a new database."""
    server, redis_url = variables["IMPORT_POSTGRES_URL"], variables["IMPORT_REDIS_URL"]
    if not server:
        yield variables
        return
    database = new_id("bench_")
    with redis.Redis.from_url(redis_url) as broker:
        broker.flushdb()
    own = urlunsplit(urlsplit(server)._replace(path="/postgres"))  # the named one may be missing
    with psycopg.connect(own, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database)))
        try:
            url = urlunsplit(urlsplit(server)._replace(path=f"/{database}"))
            yield {**variables, "IMPORT_POSTGRES_URL": url}
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(drop.format(sql.Identifier(database)))


def _measure(engine: Engine) -> None:
    warm_up(engine)
    for figure in (*small_files(engine), *files_at_once(engine)):
        figure.show()


def warm_up(engine: Engine) -> None:
    """Import one file, and wait until background starts are complete."""
    engine.until_review(engine.upload(orders(SMALL_ROWS)))
    time.sleep(3)


def small_files(engine: Engine, times: int = SMALL_TIMES) -> Iterator[Figure]:
    """Upload a small file repeatedly, one upload after another."""
    content, spent, busy = orders(SMALL_ROWS), [], engine.busy()
    for _ in range(times):
        start = time.perf_counter()
        engine.until_review(engine.upload(content))
        spent.append(time.perf_counter() - start)
    what = f"{SMALL_ROWS} rows to review"
    yield Figure(f"{what}, p50", statistics.median(spent), "s", P50_S)
    yield Figure(f"{what}, p95", statistics.quantiles(spent, n=20)[-1], "s", P95_S)
    yield Figure(f"{what}, CPU of all processes", (engine.busy() - busy) / times, "s")


def files_at_once(engine: Engine, rows: int = LARGE_ROWS) -> Iterator[Figure]:
    """Upload many files at once, and watch the memory of all processes."""
    content, busy, seen = orders(rows), engine.busy(), [engine.memory()]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.5):
            seen.append(engine.memory())

    watching = threading.Thread(target=watch)
    watching.start()
    start = time.perf_counter()
    try:
        with ThreadPoolExecutor(UPLOADS_AT_ONCE) as pool:
            ids = list(pool.map(engine.upload, [content] * LARGE_FILES))
        for record_id in ids:
            engine.until_review(record_id)
        spent = (time.perf_counter() - start) / LARGE_FILES
    finally:
        done.set()
        watching.join()
    what = f"{LARGE_FILES} x {rows:,} rows at once"
    shape = "production" if engine.environment["IMPORT_POSTGRES_URL"] else "embedded"
    yield Figure(f"{what}, each", spent, "s", FILE_S[shape])
    yield Figure(f"{what}, CPU of each", (engine.busy() - busy) / LARGE_FILES, "s")
    yield Figure(f"{what}, peak memory of all processes", max(seen) / 1024**2, "MB", MEMORY_MB)
