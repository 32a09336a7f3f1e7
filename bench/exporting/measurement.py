"""Stage one file, then export it over HTTP in this process. Takes the path of the file."""

from __future__ import annotations

import gc
import sys
import threading
import time
from pathlib import Path
from typing import Any

import django
import psutil
from django.conf import settings
from django.core.management import call_command

MOST_SECONDS, MOST_MB = 6.0, 60.0
LOOK_EVERY_S = 0.02


class Memory:
    """The peak memory of this process while the block ran, above what it used before."""

    def __enter__(self) -> Memory:
        gc.collect()
        self._before = self._most = _own_mb()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self._thread.join()

    @property
    def grown(self) -> float:
        """In MB."""
        return self._most - self._before

    def _look(self) -> None:
        while not self._done.wait(LOOK_EVERY_S):
            self._most = max(self._most, _own_mb())


def _own_mb() -> float:
    memory = psutil.Process().memory_info()
    return (float(memory.rss) - getattr(memory, "shared", 0)) / 1024**2


def _export(review: Any, query: str) -> int:
    answer = review.stream(f"export?{query}")
    return sum(len(chunk) for chunk in answer.streaming_content)


def measure(file: Path) -> None:
    """Print the figures of all rows, then those of a second export."""
    from bench.review.measurement import Review

    review = Review(file)
    for figure in review.open():
        figure.show()
    for what in ("first export", "second export"):
        with Memory() as memory:
            wall, cpu = time.perf_counter(), time.process_time()
            size = _export(review, "rows=all&format=csv")
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        good = cpu <= MOST_SECONDS and memory.grown <= MOST_MB
        print(
            f"   {what:16} {wall:6.2f} s  cpu {cpu:6.2f} s (limit {MOST_SECONDS:.0f})  "
            f"{memory.grown:+6.1f} MB (limit +{MOST_MB:.0f})  {size / 1e6:.0f} MB written  "
            f"{'ok' if good else 'OVER'}",
            flush=True,
        )
    with Memory() as memory:
        wall, cpu = time.perf_counter(), time.process_time()
        size = _written_by_a_worker(review)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(
        f"   {'failed, workbook':16} {wall:6.2f} s  cpu {cpu:6.2f} s  {memory.grown:+6.1f} MB  "
        f"{size / 1e6:.0f} MB written, by a worker",
        flush=True,
    )


def _written_by_a_worker(review: Any) -> int:
    from imports.exports.workbooks import write_due_workbooks

    query = "rows=error&format=xlsx"  # all of them would take minutes
    review.stream(f"export?{query}")
    write_due_workbooks()
    return _export(review, query)


if __name__ == "__main__":
    django.setup()
    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)
    measure(Path(sys.argv[1]))
