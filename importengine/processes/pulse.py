"""
A heartbeat, a second apart, while the process is running.

The supervisor gets a byte through a pipe. In a container without one, a file is touched, whose time
``deploy/probe.py`` compares.

A process that was stopped, or hangs without yielding to its own threads, stops sending.
"""

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

VARIABLE = "PULSE_FD"  # set by the supervisor for its programs; not a setting
FILE = "PULSE_FILE"  # set by the image
EVERY_S = 1.0


def begin(**_: Any) -> None:
    """Send heartbeats from a thread, if there is a supervisor or a file for them."""
    if number := os.environ.pop(VARIABLE, None):
        _start(_give, int(number))
    elif file := os.environ.get(FILE):
        _start(_touch, Path(file))


def _start(beat: Callable[..., None], where: int | Path) -> None:
    threading.Thread(target=beat, args=(where,), name="pulse", daemon=True).start()


def _touch(file: Path) -> None:
    while True:
        with suppress(OSError):  # the probe sees that it is not touched
            file.touch()
        time.sleep(EVERY_S)


def _give(pipe: int) -> None:
    os.set_blocking(pipe, False)
    while True:
        try:
            with suppress(BlockingIOError):  # a full pipe needs no more
                os.write(pipe, b".")
        except OSError:
            return  # the supervisor is gone
        time.sleep(EVERY_S)
