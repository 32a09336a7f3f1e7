"""The memory limit of a process of the engine. Decision: docs/adr/0175."""

import gc
import os
import resource
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

LEAST = 2 * 1024**3  # stacks and allocators reserve more than they use
PART = 4  # a process's share of the machine's memory
GROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")
USED = Path("/proc/self/statm")
DATA = 5  # the column of USED that counts what the bound counts, in pages
KEPT = 4  # a part of the bound, for the calls that are running
RELEASE_EVERY_S = 1.0
STARTING = (100_000, 10, 10)  # thresholds of the garbage collector while a program is imported
STARTED = (700, 10, 10)  # Python's own


def default_bound(group_limit: Path = GROUP_LIMIT) -> int:
    """Return a quarter of the memory of the machine or container; at least 2 GiB."""
    available = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError, ValueError):  # "max": no limit
        available = min(available, int(group_limit.read_text("ascii")))
    return max(LEAST, available // PART)


def begin_start() -> None:
    """Collect garbage seldom: what is imported stays, and looking for it is a sixth of a start."""
    gc.set_threshold(*STARTING)


def end_start(**_: Any) -> None:
    """Collect garbage as usual, but never look at what was imported again."""
    gc.freeze()
    gc.set_threshold(*STARTED)


def bound_memory(most: int) -> None:
    """
    Limit the memory of this process to a number of bytes.

    Mapped files do not count: the kernel can reclaim their pages. Children may set limits of their
    own, so only the soft limit changes.
    """
    # Arrow's default allocator reserves a gibibyte at once.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "jemalloc")
    # By itself jemalloc keeps address space that it no longer uses, and the bound counts it.
    os.environ.setdefault("JE_ARROW_MALLOC_CONF", "retain:false")
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with suppress(ValueError, OSError):  # some systems do not support the limit
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


class FreeMemory:
    """Whether a process has memory left for one more call, besides those that are running."""

    def __init__(self, most: int, *, used: Path = USED) -> None:
        self._most = most - most // KEPT
        self._used = used
        self._released_at = float("-inf")

    def is_left(self) -> bool:
        """Return whether there is memory left. If not, first release what nothing uses."""
        if self._data() <= self._most:
            return True
        now = time.monotonic()
        if now >= self._released_at + RELEASE_EVERY_S:
            self._released_at = now
            _release()
        return self._data() <= self._most

    def _data(self) -> int:
        """Return the bytes that the bound counts; 0 on a system that does not tell."""
        try:
            pages = int(self._used.read_text("ascii").split()[DATA])
        except (OSError, ValueError, IndexError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE")


def _release() -> None:
    """Collect garbage, and have Arrow return what it keeps for later."""
    gc.collect()
    if pyarrow := sys.modules.get("pyarrow"):
        pyarrow.default_memory_pool().release_unused()
