"""The CPU time of starting and confining a child, by a server that does nothing else."""

from __future__ import annotations

import json
import os
import resource
import statistics
import tempfile
from pathlib import Path

from sandbox import forks
from tabular.job.isolation import isolate
from tabular.job.preloading import preload

TIMES = 60
START_MS, CONFINE_MS = 30, 20


def main() -> None:
    """Print the figures, medians of many children."""
    preload()
    started, confined = zip(*(_child() for _ in range(TIMES)), strict=True)
    _line("start of a child, cpu", statistics.median(started), START_MS)
    _line("confining it, cpu", statistics.median(confined), CONFINE_MS)
    print(f"   forks here: {forks.is_possible()}")


def _child() -> tuple[float, float]:
    """Fork a confined process of this size; return its total CPU time in ms."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reading, writing = os.pipe()
        before = _busy()
        if (pid := os.fork()) == 0:
            os.dup2(reading, 0)  # a parent that stays alive
            begun = _busy(resource.RUSAGE_SELF)
            isolate(writable=[folder])
            spent = _busy(resource.RUSAGE_SELF) - begun
            (folder / "spent").write_text(json.dumps(spent))
            os._exit(0)
        os.waitpid(pid, 0)
        os.close(reading)
        os.close(writing)
        return (_busy() - before) * 1000, json.loads((folder / "spent").read_text()) * 1000


def _busy(*whose: int) -> float:
    usages = map(resource.getrusage, whose or (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _line(what: str, spent_ms: float, limit_ms: float) -> None:
    verdict = "ok" if spent_ms <= limit_ms else "TOO SLOW"
    print(f"   {what:31} {spent_ms:8.1f} ms  (limit {limit_ms} ms) {verdict}", flush=True)
