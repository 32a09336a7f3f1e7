"""The way of an uploaded file to ``review``, compared with the pipeline alone in the same run."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil

from bench.figures.figure import RATIO, Figure

ROUNDS = 3
MOST_TIMES = 1.3  # from the answered upload to review, relative to the pipeline alone


def compared(
    file: Path, folder: Path, upload: Callable[[], str], stage: Callable[[str], Any]
) -> Iterator[Figure]:
    """Time the pipeline alone in a separate process, then an import, in turn; yield the figures."""
    rounds = [_round(file, folder / str(at), upload, stage) for at in range(ROUNDS)]
    for kind, name in {"wall": "seconds", "cpu": "CPU"}.items():
        what = f"upload to review against the bare pipeline, {name}"
        ratio = statistics.median(each[kind] / each[f"bare_{kind}"] for each in rounds)
        yield Figure(what, ratio, RATIO, MOST_TIMES)
    for kind, what in {
        "upload": "the upload itself",
        "wall": "from the upload to review",
        "bare_wall": "the bare pipeline",
    }.items():
        yield Figure(what, statistics.median(each[kind] for each in rounds), "s")


def _round(
    file: Path, folder: Path, upload: Callable[[], str], stage: Callable[[str], Any]
) -> dict[str, float]:
    bare = _bare(file, folder)
    start = time.perf_counter()
    record_id = upload()
    sent, busy = time.perf_counter(), _busy()
    stage(record_id)
    return {
        "wall": time.perf_counter() - sent,
        "cpu": _busy() - busy,
        "bare_wall": bare["wall"],
        "bare_cpu": bare["cpu"],
        "upload": sent - start,
    }


def _bare(file: Path, folder: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.review.bare", str(file), str(folder)]
    spent: dict[str, float] = json.loads(subprocess.check_output(command))
    return spent


def _busy() -> float:
    """Return the CPU seconds of this process and of the server that forks its jobs, with them."""
    own = psutil.Process()
    times = [own.cpu_times(), *(child.cpu_times() for child in own.children(recursive=True))]
    return sum(t.user + t.system + t.children_user + t.children_system for t in times)
