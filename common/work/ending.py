"""What a process does at last when it ends in order."""

from collections.abc import Callable
from multiprocessing.util import Finalize

LAST = 0  # after the finalizers of multiprocessing itself


def at_end(call: Callable[[], None]) -> None:
    """Call a function when this process ends; `atexit` does not, in a process that was forked."""
    Finalize(None, call, exitpriority=LAST)
