"""Keeps a few processes running: starts them, restarts what dies, ends all together."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from types import FrameType

GRACE_S = 15.0
LOOK_EVERY_S = 0.2
RESTART_AFTER_S = 1.0
PR_SET_PDEATHSIG = 1


@dataclass
class Program:
    """One process to keep running."""

    name: str
    command: list[str]
    process: "subprocess.Popen[bytes] | None" = None
    start_at: float = field(default=0.0)

    def start(self) -> None:
        """Start in a process group of its own, so that its children can be ended with it."""
        before_exec = partial(_end_with_parent, os.getpid()) if sys.platform == "linux" else None
        self.process = subprocess.Popen(
            self.command,
            start_new_session=True,
            preexec_fn=before_exec,
        )

    def signal(self, number: int) -> None:
        """Signal the whole group, if it is there."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)


def _end_with_parent(parent: int) -> None:
    # A supervisor that is killed takes its programs with it (Linux); they never run unwatched.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)


def supervise(programs: list[Program], *, say: Callable[[str], object]) -> None:
    """Run the programs until SIGTERM or SIGINT; restart a program that ends by itself."""
    stopping = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    while not stopping:
        for program in programs:
            _keep_running(program, say)
        time.sleep(LOOK_EVERY_S)
    _end(programs)


def _keep_running(program: Program, say: Callable[[str], object]) -> None:
    if program.process is not None and program.process.poll() is not None:
        say(f"{program.name} ended with status {program.process.returncode}; starting it again")
        program.signal(signal.SIGKILL)  # what it left behind in its group
        program.process = None
        program.start_at = time.monotonic() + RESTART_AFTER_S
    if program.process is None and time.monotonic() >= program.start_at:
        program.start()


def _end(programs: list[Program]) -> None:
    for program in programs:
        if program.process is not None:
            program.process.terminate()
    end = time.monotonic() + GRACE_S
    for program in programs:
        if program.process is not None:
            with suppress(subprocess.TimeoutExpired):
                program.process.wait(timeout=max(0.1, end - time.monotonic()))
        program.signal(signal.SIGKILL)
