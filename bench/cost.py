"""
What one import costs, by its size: from the upload of a CSV of nine columns to applied rows.

CPU seconds of all processes, seconds until applied, the memory of all processes above that of an
idle engine, and what stays: bytes and files in the storage, and bytes in the database. The engine
is embedded; the rows stay with it (``applyMode`` ``browser``). docs/sizing.md quotes the figures.
"""

from __future__ import annotations

import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.jobs.engine import ROOT, Engine, orders

SIZES = (100, 1_000, 10_000, 100_000, 1_000_000)
MEGABYTE = 1024**2
SETTLES_S = 3  # until background work of a start or of an import ended


@dataclass
class _Kept:
    """What is at rest: bytes and files of the storage, and bytes of the database."""

    stored: int = 0
    files: int = 0
    database: int = 0


def main() -> None:
    """Print a line for each size; each has an engine of its own."""
    print("      rows   CSV MB    seconds    CPU s    memory MB   stored MB   files   database MB")
    for rows in SIZES:
        with tempfile.TemporaryDirectory(prefix="bench-cost-") as name:
            folder = Path(name)
            engine = Engine(ROOT, folder, {"IMPORT_POSTGRES_URL": "", "IMPORT_REDIS_URL": ""})
            try:
                engine.apply(engine.upload(orders(20)))  # what only the first import needs
                time.sleep(SETTLES_S)
                _measure(engine, folder / "data", rows)
            finally:
                engine.stop()


def _measure(engine: Engine, data: Path, rows: int) -> None:
    content, before = orders(rows), _kept(data)
    idle, busy, start = engine.memory(), engine.busy(), time.perf_counter()
    with _watched(engine) as seen:
        engine.apply(engine.upload(content))
        seconds = time.perf_counter() - start
    time.sleep(SETTLES_S)
    spent, after = engine.busy() - busy, _kept(data)
    print(
        f"{rows:>10,} {len(content) / MEGABYTE:>8.1f} {seconds:>10.1f} {spent:>8.1f} "
        f"{(max(seen) - idle) / MEGABYTE:>12.0f} "
        f"{(after.stored - before.stored) / MEGABYTE:>11.2f} {after.files - before.files:>7} "
        f"{(after.database - before.database) / MEGABYTE:>13.2f}  (idle {idle / MEGABYTE:.0f} MB)",
        flush=True,
    )


@contextmanager
def _watched(engine: Engine) -> Iterator[list[int]]:
    """Yield a list that grows by the memory of the engine, four times a second."""
    seen, done = [engine.memory()], threading.Event()

    def watch() -> None:
        while not done.wait(0.25):
            seen.append(engine.memory())

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield seen
    finally:
        done.set()
        watching.join()


def _kept(data: Path) -> _Kept:
    kept = _Kept()
    for path in data.rglob("*.sqlite3"):
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for path in data.rglob("*"):
        if not path.is_file():
            continue
        if ".sqlite3" in path.name:
            kept.database += path.stat().st_size
        elif "broker" not in path.parts and "run" not in path.parts:
            kept.stored += path.stat().st_size
            kept.files += 1
    return kept
