"""The memory limit of a process of the engine. Decision: docs/adr/0175."""

import os
import resource
from contextlib import suppress
from pathlib import Path

LEAST = 2 * 1024**3  # stacks and allocators reserve more than they use
PART = 4  # a process's share of the machine's memory
GROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")


def default_bound(group_limit: Path = GROUP_LIMIT) -> int:
    """Return a quarter of the memory of the machine or container; at least 2 GiB."""
    available = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError, ValueError):  # "max": no limit
        available = min(available, int(group_limit.read_text("ascii")))
    return max(LEAST, available // PART)


def bound_memory(most: int) -> None:
    """
    Limit the memory of this process to a number of bytes.

    Mapped files do not count: the kernel can reclaim their pages. Children may set limits of their
    own, so only the soft limit changes.
    """
    # Arrow's default allocator reserves a gibibyte at once.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "jemalloc")
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with suppress(ValueError, OSError):  # some systems do not support the limit
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
