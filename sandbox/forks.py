"""Start jobs through a server that forks them (``sandbox.server``), one server per process."""

import atexit
import json
import logging
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from sandbox.children import WITHOUT_CURRENT_FOLDER, Lost, environment
from sandbox.own_fork import OwnFork

logger = logging.getLogger(__name__)

COMMAND = (sys.executable, WITHOUT_CURRENT_FOLDER, "-m", "sandbox")
MOST_FORKS = 5_000  # then a new server starts, which ends any leak in a library
START_S = 120.0  # imports take a second or two, but much longer on a busy machine
LOOK_EVERY_S = 1.0
END_S = 10.0
MESSAGE_BYTES = 4_096


class CannotFork(Exception):
    """The machine cannot start another process."""


def is_possible() -> bool:
    """Return whether this system forks safely and supports process descriptors."""
    if sys.platform != "linux":
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return False
    return True


class Forked:
    """A child forked by a server."""

    def __init__(self, folder: Path, server: "Server", line: bytes = b"") -> None:
        self._server = server
        self._status: int | None = None
        self.peak_bytes: int | None = None
        self._descriptor = -1
        lifeline, self._lifeline = os.pipe()
        if line:  # a pipe holds it until the child reads
            os.write(self._lifeline, line)
        self.output, writing = _pipe_to_read()
        stderr = os.open(folder / "stderr.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._news, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with theirs:
                server.ask(folder, [lifeline, writing, stderr, theirs.fileno()])
            self.pid = self._begun()
        except BaseException:
            self.output.close()
            self.close()
            raise
        finally:
            for descriptor in (lifeline, writing, stderr):
                os.close(descriptor)

    def _begun(self) -> int:
        end = time.monotonic() + START_S
        while (news := self._next(LOOK_EVERY_S)) is None:
            self._server.go_on()
            if time.monotonic() > end:
                self._server.kill()
                raise Lost("the server that forks jobs does not answer")
        if "refused" in news:
            raise CannotFork(news["refused"])
        return int(news["pid"])

    def wait(self, seconds: float) -> int | None:
        """Return the exit status, or None if it still runs. Raise Lost if the server has ended."""
        if self._status is None:
            if (news := self._next(seconds)) is not None:
                self._status = int(news["status"])
                self.peak_bytes = int(news["peak_bytes"])
            else:
                self._go_on()
        return self._status

    def _go_on(self) -> None:
        """Continue a stopped child: the system counts it as alive, but it does nothing."""
        self._server.go_on()
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._descriptor, signal.SIGCONT)

    def end(self) -> None:
        """Kill the process and everything it started, and release its resources."""
        try:
            if self._status is None:
                signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)
                if self.wait(END_S) is None:
                    self._server.kill()
        except (Lost, ProcessLookupError):
            pass
        finally:
            self.close()

    def close(self) -> None:
        """Release the resources. A child that still runs ends with the lifeline."""
        os.close(self._lifeline)
        self._news.close()
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._server.let_go()

    def _next(self, seconds: float) -> dict[str, Any] | None:
        poll = select.poll()
        poll.register(self._news, select.POLLIN)
        if not poll.poll(seconds * 1000):
            return None
        try:
            message, descriptors, _, _ = socket.recv_fds(self._news, MESSAGE_BYTES, 1)
        except OSError as error:
            self._server.retire()
            raise Lost(str(error)) from error
        if not message:
            self._server.retire()
            raise Lost("the server that forks jobs has ended")
        if descriptors:
            self._descriptor = descriptors[0]
        news: dict[str, Any] = json.loads(message)
        return news


def _pipe_to_read() -> tuple[BinaryIO, int]:
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb"), writing


def started(command: Sequence[str], control: socket.socket) -> subprocess.Popen[bytes]:
    """Start a server as a new process."""
    return subprocess.Popen(
        command,
        stdin=control.fileno(),
        stdout=subprocess.DEVNULL,
        cwd="/",
        env=environment(Path("/nonexistent")),
        start_new_session=True,
    )


Begin = Callable[[socket.socket], subprocess.Popen[bytes] | OwnFork]


class Server:
    """A server of jobs, and how many jobs it runs."""

    def __init__(self, begin: Begin) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = begin(theirs)
        self.pid = self._process.pid
        self._lock = threading.Lock()
        self._forks = self._running = 0
        self._is_retired = False
        self._is_closed = self._is_lost = False

    @property
    def was_lost(self) -> bool:
        """Return whether it ended without being closed."""
        return self._is_lost or (not self._is_closed and self._process.poll() is not None)

    def take_on(self) -> bool:
        """Count one more job. Return False if the server is gone or has forked enough."""
        with self._lock:
            is_ready = self._forks < MOST_FORKS and self._process.poll() is None
            if is_ready and not self._is_retired:
                self._forks += 1
                self._running += 1
                return True
            self._is_retired = True
            self._close_when_idle()
            return False

    def ask(self, folder: Path, descriptors: list[int]) -> None:
        """Ask for a child. Raise Lost if the server has ended."""
        try:
            request = json.dumps({"folder": str(folder)}).encode()
            socket.send_fds(self._control, [request], descriptors)
        except OSError as error:
            self.retire()
            raise Lost(str(error)) from error

    def retire(self) -> None:
        """Accept no further jobs: the sockets close some time before the server has ended."""
        with self._lock:
            self._is_retired = self._is_lost = True

    def let_go(self) -> None:
        """Record that a job has ended."""
        with self._lock:
            self._running -= 1
            self._close_when_idle()

    def go_on(self) -> None:
        """Continue a stopped server."""
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """Kill a server that does not answer, and its children with it."""
        self._process.kill()

    def close(self) -> None:
        """End the server and its children."""
        self._is_lost = self.was_lost
        self._is_closed = True
        self._control.close()
        try:
            self._process.wait(timeout=END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def abandon(self) -> None:
        """Close our copies of what belongs to the process we were forked from."""
        self._control.close()
        self._process.returncode = 0  # not our child to wait for

    def _close_when_idle(self) -> None:
        if self._is_retired and self._running == 0:
            self.close()


class Servers:
    """The server of this process: started on first use, and again after it ends."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._lock = threading.Lock()
        self._server: Server | None = None
        self._lost = 0

    def lost(self) -> int:
        """Return how many servers of this process ended without being closed."""
        with self._lock:
            return self._lost + (self._server is not None and self._server.was_lost)

    def start_job(self, folder: Path, line: bytes = b"") -> Forked:
        """
        Fork a child for the job in ``folder``. Raise Lost or CannotFork if that fails.

        line: what its standard input has.
        """
        return Forked(folder, self._ready(), line)

    def warm_up(self) -> None:
        """Start the server before the first job."""
        server = self._ready()
        server.let_go()

    def fork_own(self) -> None:
        """Make the server a fork of this process. Only where ``own_fork`` says that it is safe."""
        with self._lock:
            if self._server is None:
                self._server = Server(OwnFork)

    def _ready(self) -> Server:
        with self._lock:
            if self._server is None or not self._server.take_on():
                if self._server is not None:
                    self._lost += self._server.was_lost
                    logger.info("the server that forks jobs is replaced")
                self._server = Server(partial(started, self._command))
                self._server.take_on()
            return self._server

    @property
    def pid(self) -> int | None:
        """The process id of the server, or None if none runs."""
        return None if self._server is None else self._server.pid

    def close(self) -> None:
        """End the server."""
        with self._lock:
            if self._server is not None:
                self._server.close()
            self._server = None

    def forget(self) -> None:
        """Start over in a process that was forked from ours."""
        self._lock = threading.Lock()
        if self._server is not None:
            with suppress(OSError):
                self._server.abandon()
        self._server, self._lost = None, 0


SERVERS = Servers()
atexit.register(SERVERS.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=SERVERS.forget)
