"""The server that forks jobs: ``python -m sandbox``, one for each process that runs jobs.

It has imported everything a job may need, holds no secret, opens no untrusted file, and runs no
Arrow kernel, because a process with active threads must not fork. Requests arrive over the socket
that is its standard input, one message each, with four descriptors: the child's standard input,
output and error, and a socket that reports the child's status to its watcher. The server ends when
that input socket closes, and its children end with it.
"""

import array
import ctypes
import gc
import json
import os
import select
import signal
import socket
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from tabular import job
from tabular.job.isolation import close_to_others

MESSAGE_BYTES = 65_536
DESCRIPTORS = 4
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
EARLIER_VICTIM = "500"  # out of memory, the kernel kills a job before a worker or a database
STRAY_ROUNDS, STRAY_WAIT_S = 100, 0.01


@dataclass(frozen=True, slots=True)
class _Job:
    pid: int
    ended: int  # a descriptor of the process, readable once the process has ended
    watcher: socket.socket


class Server:
    """Forks a child for each request and reports how it ends."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._libc = ctypes.CDLL(None)
        self._libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        self._jobs: dict[int, _Job] = {}  # by each of the two polled descriptors

    def serve(self) -> None:
        """Serve until the control socket closes, then end what still runs."""
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor == self._control.fileno():
                    if not self._take():
                        return self._end_all()
                elif (running := self._jobs.get(descriptor)) is not None:
                    if descriptor != running.ended:  # its watcher is gone
                        signal.pidfd_send_signal(running.ended, signal.SIGKILL)
                    self._report_end(running)

    def _take(self) -> bool:
        message, descriptors, _, _ = socket.recv_fds(self._control, MESSAGE_BYTES, DESCRIPTORS)
        if not message:
            return False
        request = json.loads(message)
        watcher = socket.socket(fileno=descriptors.pop())
        try:
            pid = os.fork()
        except OSError as error:
            _tell(watcher, {"refused": str(error)})
            watcher.close()
        else:
            if pid == 0:
                _become(Path(request["folder"]), descriptors, self._libc)
            self._watch(pid, watcher)
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        return True

    def _watch(self, pid: int, watcher: socket.socket) -> None:
        running = _Job(pid, os.pidfd_open(pid), watcher)
        for descriptor in (running.ended, watcher.fileno()):
            self._jobs[descriptor] = running
            self._poll.register(descriptor, select.POLLIN)
        _tell(watcher, {"pid": pid}, running.ended)

    def _report_end(self, running: _Job) -> None:
        with suppress(ProcessLookupError):  # kill the group while its number cannot be reused
            os.killpg(running.pid, signal.SIGKILL)
        _, status, usage = os.wait4(running.pid, 0)
        for descriptor in (running.ended, running.watcher.fileno()):
            self._poll.unregister(descriptor)
            del self._jobs[descriptor]
        os.close(running.ended)
        self._end_strays()
        peak_bytes = usage.ru_maxrss * 1024
        ended = {"status": os.waitstatus_to_exitcode(status), "peak_bytes": peak_bytes}
        _tell(running.watcher, ended)
        running.watcher.close()

    def _end_strays(self) -> None:
        """Kill processes that jobs left behind. Orphans become our children; we have no others."""
        jobs = {running.pid for running in self._jobs.values()}
        for _ in range(STRAY_ROUNDS):
            strays = _children() - jobs
            if not strays:
                return
            for pid in strays:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
            time.sleep(STRAY_WAIT_S)

    def _end_all(self) -> None:
        for running in set(self._jobs.values()):
            signal.pidfd_send_signal(running.ended, signal.SIGKILL)
            self._report_end(running)


def _tell(watcher: socket.socket, message: dict[str, Any], *descriptors: int) -> None:
    rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))
    with suppress(OSError):  # the poll notices a watcher that is gone
        watcher.sendmsg([json.dumps(message).encode()], [rights] if descriptors else [])


def _children() -> set[int]:
    """Return the process ids of this process's children."""
    own, pids = os.getpid(), set()
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with suppress(OSError):
                after_name = Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2]
                if int(after_name.split()[1]) == own:
                    pids.add(int(name))
    return pids


def _become(folder: Path, descriptors: list[int], libc: ctypes.CDLL) -> NoReturn:
    """Become the child: run the job in ``folder`` and exit."""
    status = 1
    try:
        server = os.getppid()
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.setsid()
        for job_slot, descriptor in enumerate(descriptors):
            os.dup2(descriptor, job_slot)
        os.closerange(len(descriptors), os.sysconf("SC_OPEN_MAX"))
        if os.getppid() != server:  # it ended before it could take us along
            os._exit(1)
        os.environ.update(HOME=str(folder), TMPDIR=str(folder))
        tempfile.tempdir = None
        os.chdir(folder)
        status = job.run(folder)
    except BaseException:  # noqa: BLE001  (whatever it was, this process goes no further)
        traceback.print_exc()
    finally:
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def preload() -> None:
    """Import what any job may need."""
    from tabular.job.preloading import preload  # itself slow to import

    preload()


def main(*, is_prepared: bool = False) -> None:
    """
    Import what jobs need, then serve.

    is_prepared: it runs few jobs, and each imports what only it needs.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker decides when its jobs end
    with suppress(
        OSError
    ):  # before the next line, which makes the file root's; children inherit it
        Path("/proc/self/oom_score_adj").write_text(EARLIER_VICTIM, "ascii")
    close_to_others()
    control = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    if not is_prepared:
        preload()
    gc.collect()
    gc.freeze()  # children share memory that they never write
    Server(control).serve()
