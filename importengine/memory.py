"""How much memory one process of the engine may have. Decision: docs/adr/0175."""

import os
import resource
from contextlib import suppress
from pathlib import Path

LEAST = 2 * 1024**3  # stacks and allocators reserve more than they use
PART = 4  # of the machine's memory for one process
GROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")


def default_bound(group_limit: Path = GROUP_LIMIT) -> int:
    """Return a quarter of what the machine, or the container, has; 2 GiB at least."""
    available = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError, ValueError):  # "max": no limit
        available = min(available, int(group_limit.read_text("ascii")))
    return max(LEAST, available // PART)


def bound_memory(most: int) -> None:
    """
    Refuse this process more than so many bytes of memory of its own.

    Mapped files do not count: the kernel takes their pages back. Children may set bounds of their
    own, so only the soft limit changes.
    """
    # Arrow's own choice of an allocator sets a gibibyte aside at once.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "jemalloc")
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with suppress(ValueError, OSError):  # a system that does not count it
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
