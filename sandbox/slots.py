"""Limit how many jobs run at once on this machine, for all processes: one per core.

A slot is a lock on a file, which the kernel releases when its holder dies.
"""

import fcntl
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LOOK_EVERY_S = 0.02


@contextmanager
def job_slot(folder: Path, *, slots: int, is_given_up: Callable[[], bool]) -> Iterator[bool]:
    """Wait for a job slot of this machine and hold it. Yield False if the wait is given up."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    files = [folder / f"{socket.gethostname()}-{number}" for number in range(slots)]
    while (held := _first_free(files)) is None:
        if is_given_up():
            yield False
            return
        time.sleep(LOOK_EVERY_S)
    try:
        yield True
    finally:
        os.close(held)


def _first_free(files: list[Path]) -> int | None:
    for file in files:
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
        else:
            return descriptor
    return None
