"""The server that forks jobs as a fork of this process, which has imported what both need.

Only for a process that holds no secret and no content of a file, and that runs a single thread: its
jobs can read what it held when it forked.
"""

import os
import select
import signal
import socket
import subprocess
import sys
import time
import traceback
from pathlib import Path
from typing import NoReturn

from sandbox.children import CODE_ROOT, environment

THREADS = Path("/proc/self/task")


def is_safe() -> bool:
    """Return whether this process runs a single thread, which alone goes on in a fork."""
    return len(os.listdir(THREADS)) == 1


class OwnFork:
    """A fork of this process that serves jobs over a socket."""

    def __init__(self, control: socket.socket) -> None:
        sys.stdout.flush()  # otherwise the fork would print it, too
        sys.stderr.flush()
        self.returncode: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            _serve(control)
        self._ended = os.pidfd_open(self.pid)

    def poll(self) -> int | None:
        """Return the exit status, or None while it runs."""
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
                os.close(self._ended)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status once it ends. Raise TimeoutExpired."""
        end = None if timeout is None else time.monotonic() + timeout
        while (status := self.poll()) is None:
            poll = select.poll()
            poll.register(self._ended, select.POLLIN)
            left = None if end is None else max(0.0, end - time.monotonic()) * 1000
            if not poll.poll(left):
                raise subprocess.TimeoutExpired(sys.orig_argv, timeout or 0.0)
        return status

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._ended, number)

    def kill(self) -> None:
        """Kill it, unless it has ended."""
        self.send_signal(signal.SIGKILL)


def _serve(control: socket.socket) -> NoReturn:
    """Become the server: as a new process would start, without importing again."""
    status = 1
    try:
        from sandbox import server

        os.setsid()
        os.dup2(control.fileno(), 0)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        os.chdir("/")
        os.environ.clear()
        os.environ.update(environment(Path("/nonexistent")))
        time.tzset()
        sys.dont_write_bytecode = True
        sys.path[:] = [str(CODE_ROOT), *_installed()]
        server.main(is_prepared=True)
        status = 0
    except BaseException:  # noqa: BLE001  (whatever it was, this process goes no further)
        traceback.print_exc()
    finally:
        os._exit(status)


def _installed() -> list[str]:
    """Return where libraries are: not the folder that the command was called in."""
    folders = sys.path if sys.flags.safe_path else sys.path[1:]
    return [folder for folder in folders if folder.startswith((sys.prefix, sys.base_prefix))]
