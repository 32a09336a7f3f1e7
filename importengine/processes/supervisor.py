"""Keeps processes running: starts them, restarts those that die or hang, and stops all."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from types import FrameType

from importengine.processes import pulse
from tabular.model.sentences import counted

GRACE_S = 15.0  # until a program that was asked to stop is killed
LOOK_EVERY_S = 0.1
SILENT_S = 60.0  # without a heartbeat, after the first one
STEADY_S = 10.0  # after this time, an exit is not a failed start
LONGEST_PAUSE_S = 8.0
MOST_DEATHS = 6  # in a row, each soon after a start
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

Say = Callable[[str], object]


class KeepsDying(Exception):
    """A program ends soon after each start; what it printed says why."""


@dataclass
class Program:
    """One process to keep running."""

    name: str
    command: list[str]
    gives_pulse: bool = True
    process: "subprocess.Popen[bytes] | None" = None
    started_at: float = 0.0  # monotonic, like all times here
    start_at: float = 0.0
    heard_at: float | None = None
    deaths: int = 0  # not killed by us, in a row, each soon after a start
    came_up: bool = False  # it started once, so it can start again
    pipe: int | None = None

    def start(self) -> None:
        """Start it in its own process group, so that its children can be stopped with it."""
        self.pipe, writing = os.pipe()
        os.set_blocking(self.pipe, False)
        try:
            self.process = subprocess.Popen(
                self.command,
                start_new_session=True,
                preexec_fn=_before_exec(),
                pass_fds=[writing] if self.gives_pulse else [],
                env=os.environ | ({pulse.VARIABLE: str(writing)} if self.gives_pulse else {}),
            )
        finally:
            os.close(writing)
        self.started_at, self.heard_at = time.monotonic(), None

    def signal(self, number: int) -> None:
        """Send a signal to the whole group, if it exists."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)

    def listen(self) -> None:
        """Record heartbeats."""
        with suppress(BlockingIOError):
            if self.pipe is not None and os.read(self.pipe, 65_536):
                self.heard_at, self.came_up = time.monotonic(), True

    def is_silent(self, for_s: float) -> bool:
        """Return whether its heartbeats have stopped."""
        return self.heard_at is not None and time.monotonic() - self.heard_at > for_s

    def bury(self) -> None:
        """Clean up after a process that ended, including the rest of its group."""
        self.signal(signal.SIGKILL)
        if self.pipe is not None:
            os.close(self.pipe)
        self.process = self.pipe = self.heard_at = None


def _before_exec() -> Callable[[], None] | None:
    return partial(_end_with_parent, os.getpid()) if sys.platform == "linux" else None


def _end_with_parent(parent: int) -> None:
    # A killed supervisor takes its programs with it (Linux); they never run unsupervised.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)


class Supervisor:
    """Runs programs until SIGTERM or SIGINT."""

    def __init__(
        self,
        programs: list[Program],
        *,
        say: Say,
        silent_s: float = SILENT_S,
        grace_s: float = GRACE_S,
    ) -> None:
        self._programs = programs
        self._say = say
        self._silent_s = silent_s
        self._grace_s = grace_s
        self._looked_at = time.monotonic()
        self._stopping = False

    def run(self, *, look: Callable[[], Iterable[str]] = tuple) -> None:
        """
        Keep the programs running. Raise KeepsDying if one cannot run.

        look: called continuously; returns the programs to restart.
        """
        signal.signal(signal.SIGTERM, self.stop)
        signal.signal(signal.SIGINT, self.stop)
        _adopt_orphans()
        try:
            while not self._stopping:
                self._look(set(look()))
                time.sleep(LOOK_EVERY_S)
        finally:
            self._end()

    def stop(self, number: int = 0, frame: FrameType | None = None) -> None:
        """Stop at the next check; also used as a signal handler."""
        self._stopping = True

    def _look(self, to_restart: set[str]) -> None:
        self._forgive_a_pause()
        for program in self._programs:
            program.listen()
            if program.is_silent(self._silent_s):
                self._say(f"{program.name} gives no sign of life; starting it again")
                program.signal(signal.SIGKILL)
            elif program.name in to_restart:
                self._say(f"work waits and {program.name} does not take it; starting it again")
                program.signal(signal.SIGKILL)
            self._keep_running(program)
        _reap({item.process.pid for item in self._programs if item.process is not None})

    def _forgive_a_pause(self) -> None:
        """Ignore silence while the supervisor itself did not run: the machine was asleep."""
        at = time.monotonic()
        if at - self._looked_at > self._silent_s / 4:
            for program in self._programs:
                program.heard_at = program.heard_at and at
        self._looked_at = at

    def _keep_running(self, program: Program) -> None:
        if program.process is not None and program.process.poll() is not None:
            self._take_leave(program, program.process.returncode)
        if program.process is None and time.monotonic() >= program.start_at:
            program.start()

    def _take_leave(self, program: Program, status: int) -> None:
        is_steady = time.monotonic() - program.started_at >= STEADY_S
        program.bury()
        program.came_up = program.came_up or is_steady
        # A program that we kill did not fail to start.
        was_sent = -status in {signal.SIGKILL, signal.SIGTERM, signal.SIGINT}
        program.deaths = 0 if is_steady or was_sent else program.deaths + 1
        if program.deaths >= MOST_DEATHS and status > 0 and not program.came_up:
            times = counted(program.deaths, "time")
            raise KeepsDying(
                f"{program.name} ended {times} within {STEADY_S:.0f} s of its start"
                f" (status {status}). What it printed says why; the engine ends."
            )
        pause = min(2.0 ** (program.deaths - 2), LONGEST_PAUSE_S) if program.deaths > 1 else 0.0
        program.start_at = time.monotonic() + pause
        again = f"in {pause:.0f} s" if pause else "at once"
        self._say(f"{program.name} ended with status {status}; starting it again {again}")

    def _end(self) -> None:
        running = [item for item in self._programs if item.process is not None]
        for program in running:
            if program.process is not None:
                program.process.terminate()
        end = time.monotonic() + self._grace_s
        for program in running:
            if program.process is not None:
                with suppress(subprocess.TimeoutExpired):
                    program.process.wait(timeout=max(0.1, end - time.monotonic()))
            program.bury()


def _adopt_orphans() -> None:
    """Become the parent of a killed program's children, so that they never stay as zombies."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def _reap(ours: set[int]) -> None:
    """Reap ended orphans; our own programs are reaped elsewhere."""
    while True:
        try:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if ended is None or ended.si_pid in ours:
            return
        with suppress(ChildProcessError):
            os.waitpid(ended.si_pid, os.WNOHANG)
