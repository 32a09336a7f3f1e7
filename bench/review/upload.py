"""An upload to ``review``, compared with the pipeline alone in the same run."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

MOST_TIMES = 1.5  # the cost of an upload relative to the pipeline alone


def compared(file: Path, folder: Path, upload: Callable[[], Any]) -> None:
    """Time the pipeline alone in a separate process, then the upload; print their ratio."""
    bare = _bare(file, folder)
    start, busy = time.perf_counter(), _busy()
    upload()
    spent = {"wall": time.perf_counter() - start, "cpu": _busy() - busy}
    for kind in ("wall", "cpu"):
        ratio = spent[kind] / bare[kind]
        verdict = "ok" if ratio <= MOST_TIMES else "TOO SLOW"
        what = f"upload to review, {kind}"
        print(
            f"   {what:31} {spent[kind]:8.2f} s  bare {bare[kind]:8.2f} s  "
            f"({ratio:.2f} times, limit {MOST_TIMES}) {verdict}",
            flush=True,
        )


def _bare(file: Path, folder: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.review.bare", str(file), str(folder)]
    spent: dict[str, float] = json.loads(subprocess.check_output(command))
    return spent


def _busy() -> float:
    """Return the CPU seconds of this process and of the children that ended."""
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    usages = [resource.getrusage(who) for who in both]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
