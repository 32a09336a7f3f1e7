"""
A heartbeat to the supervisor: a byte a second through a pipe, while the process is running.

A process that was stopped, or hangs without yielding to its own threads, stops sending.
"""

import os
import threading
import time
from contextlib import suppress
from typing import Any

VARIABLE = "PULSE_FD"  # set by the supervisor for its programs; not a setting
EVERY_S = 1.0


def begin(**_: Any) -> None:
    """Send heartbeats from a thread, if there is a supervisor."""
    if number := os.environ.pop(VARIABLE, None):
        threading.Thread(target=_give, args=(int(number),), name="pulse", daemon=True).start()


def _give(pipe: int) -> None:
    os.set_blocking(pipe, False)
    while True:
        try:
            with suppress(BlockingIOError):  # a full pipe needs no more
                os.write(pipe, b".")
        except OSError:
            return  # the supervisor is gone
        time.sleep(EVERY_S)
