"""A sign of life to the supervisor: a byte a second through a pipe, while the process runs at all.

A process that was stopped, or hangs without giving way to its own threads, falls silent.
"""

import os
import threading
import time
from contextlib import suppress
from typing import Any

VARIABLE = "PULSE_FD"  # set by the supervisor for the programs it starts; no setting
EVERY_S = 1.0


def begin(**_: Any) -> None:
    """Give signs of life from a thread, if a supervisor listens."""
    if number := os.environ.pop(VARIABLE, None):
        threading.Thread(target=_give, args=(int(number),), name="pulse", daemon=True).start()


def _give(pipe: int) -> None:
    os.set_blocking(pipe, False)
    while True:
        try:
            with suppress(BlockingIOError):  # a full pipe says enough
                os.write(pipe, b".")
        except OSError:
            return  # nobody listens any more
        time.sleep(EVERY_S)
