"""Imports through a running engine: a small file, many at once, and the memory of its processes."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import psutil

from bench import jobs
from bench.figures.figure import RATIO, Figure, Measured, Skipped
from bench.figures.services import NEEDS, NO_STORE, bucket, scaled
from bench.jobs.engine import ROOT, Engine, busy_of, orders, pss_of

SETTLES_S, SETTLES_MOST_S = 10, 180  # how long processes are watched, at least and at most
REST, STARTED_S = 0.1, 1.0  # of a core at rest; CPU seconds that every start takes
EMBEDDED_MB, WORKER_MB = 440, 350
PAIRS, PAIR_ROWS, BUCKET_TIMES = 15, 10_000, 1.3
QUEUES = {"imports": ["--concurrency", "4"], "deliveries": ["--concurrency", "2"]}


def small_and_many() -> Iterator[Measured]:
    """Measure a small file, and thirty at once, in each way of running."""
    for shape, services in jobs.shapes().items():
        with jobs.running(services) as engine:
            jobs.warm_up(engine)
            for figure in jobs.small_files(engine, scaled(jobs.SMALL_TIMES, least=3)):
                yield named(figure, shape)
            for figure in jobs.files_at_once(engine, scaled(jobs.LARGE_ROWS)):
                yield named(figure, shape)
    if "production" not in jobs.shapes():
        yield Skipped("production: small files, and thirty at once", NEEDS)


def memory() -> Iterator[Measured]:
    """Measure the memory of idle engines; what processes share is counted once (PSS)."""
    shapes = jobs.shapes()
    with jobs.running(shapes["embedded"]) as engine:
        settle(engine.busy)
        yield Figure("embedded, idle after its start", engine.memory() / 1024**2, "MB", EMBEDDED_MB)
        engine.apply(engine.upload(orders(jobs.SMALL_ROWS)))
        time.sleep(SETTLES_S)
        yield Figure("embedded, idle after an import", engine.memory() / 1024**2, "MB", EMBEDDED_MB)
    what = "a machine with the workers of both queues, idle"
    if "production" not in shapes:
        yield Skipped(what, NEEDS)
        return
    with jobs.running(shapes["production"]) as engine, _workers(engine) as processes:
        for process in processes:
            settle(partial(busy_of, process))
        yield Figure(what, sum(pss_of(each) for each in processes) / 1024**2, "MB", WORKER_MB)


def settle(busy: Callable[[], float]) -> None:
    """
    Wait until processes have started and are at rest. Exits if they never are.

    busy: returns their CPU seconds so far.
    """
    end, before = time.monotonic() + SETTLES_MOST_S, busy()
    while time.monotonic() < end:
        time.sleep(SETTLES_S)
        spent, before = busy() - before, busy()
        if spent < REST * SETTLES_S and before >= STARTED_S:
            return
    raise SystemExit("the processes do not come to rest")


@contextmanager
def _workers(engine: Engine) -> Iterator[list[psutil.Process]]:
    """Run the workers of another machine, as docs/production.md starts them."""
    celery = [sys.executable, "-m", "celery", "-A", "importengine", "worker", "--pool", "threads"]
    started = [
        subprocess.Popen(
            [*celery, *options, "-Q", queue, "-n", f"{queue}@bench", "-l", "ERROR"],
            cwd=ROOT,
            env=engine.program_environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for queue, options in QUEUES.items()
    ]
    try:
        yield [psutil.Process(process.pid) for process in started]
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(timeout=60)


def on_a_bucket() -> Iterator[Measured]:
    """Import on an object store and on the folder, in turn."""
    rows = scaled(PAIR_ROWS)
    what = f"a {rows:,}-row import on S3 against the folder"
    with bucket() as store:
        if store is None:
            yield Skipped(what, NO_STORE)
            return
        nothing = jobs.shapes()["embedded"]
        with (
            jobs.running(nothing) as folder,
            jobs.running(nothing | store.settings("imports")) as on_store,
        ):
            spent = _in_turn((folder, on_store), orders(rows), scaled(PAIRS, least=3))
    medians = [statistics.median(each) for each in spent]
    yield Figure(f"{what}, seconds", medians[1] / medians[0], RATIO, BUCKET_TIMES)
    yield Figure("on the folder, from upload to applied", medians[0], "s")
    yield Figure("on S3, from upload to applied", medians[1], "s")


def _in_turn(engines: tuple[Engine, Engine], content: bytes, times: int) -> list[list[float]]:
    for engine in engines:
        jobs.warm_up(engine)
        engine.apply(engine.upload(content))
    spent: list[list[float]] = [[], []]
    for _ in range(times):
        for engine, seconds in zip(engines, spent, strict=True):
            start = time.perf_counter()
            engine.apply(engine.upload(content))
            seconds.append(time.perf_counter() - start)
    return spent


def named(figure: Figure, shape: str) -> Figure:
    """Return a figure with the way of running in its name."""
    return Figure(
        f"{shape}: {figure.name}", figure.value, figure.unit, figure.target, figure.is_least
    )
