"""The memory of a web process after thousands of pages."""

from __future__ import annotations

from collections.abc import Callable

import psutil

MOST_MB = 32  # allocators keep this much without a leak
WARM_UP, CALLS = 500, 3_000


def flat(call: Callable[[], object]) -> None:
    """Make many calls; print how much the process grew, without memory-mapped files."""
    for _ in range(WARM_UP):
        call()
    before = _private_mb()
    for _ in range(CALLS):
        call()
    grown = _private_mb() - before
    verdict = "ok" if grown <= MOST_MB else "GROWS"
    what = f"memory over {CALLS} pages"
    print(
        f"   {what:31} {before:8.0f} MB, then {grown:+.1f} MB (limit +{MOST_MB} MB) {verdict}",
        flush=True,
    )


def _private_mb() -> float:
    memory = psutil.Process().memory_info()
    return (float(memory.rss) - getattr(memory, "shared", 0)) / 1024**2
