"""The way of an uploaded file to ``review``, compared with the pipeline alone in the same run."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil

from bench.figures.figure import RATIO, Figure

MOST_TIMES = 1.3  # from the answered upload to review, relative to the pipeline alone


def compared(
    file: Path, folder: Path, upload: Callable[[], str], stage: Callable[[str], Any]
) -> Iterator[Figure]:
    """Time the pipeline alone in a separate process, then an import; yield the figures."""
    bare = _bare(file, folder)
    start = time.perf_counter()
    record_id = upload()
    sent, busy = time.perf_counter(), _busy()
    stage(record_id)
    spent = {"wall": time.perf_counter() - sent, "cpu": _busy() - busy}
    names = {"wall": "seconds", "cpu": "CPU"}
    for kind, name in names.items():
        what = f"upload to review against the bare pipeline, {name}"
        yield Figure(what, spent[kind] / bare[kind], RATIO, MOST_TIMES)
    yield Figure("the upload itself", sent - start, "s")
    yield Figure("from the upload to review", spent["wall"], "s")
    yield Figure("the bare pipeline", bare["wall"], "s")


def _bare(file: Path, folder: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.review.bare", str(file), str(folder)]
    spent: dict[str, float] = json.loads(subprocess.check_output(command))
    return spent


def _busy() -> float:
    """Return the CPU seconds of this process and of the server that forks its jobs, with them."""
    own = psutil.Process()
    times = [own.cpu_times(), *(child.cpu_times() for child in own.children(recursive=True))]
    return sum(t.user + t.system + t.children_user + t.children_system for t in times)
