"""The child process that runs a job, and the plain way to start one."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Protocol

import tabular

CODE_ROOT = Path(tabular.__file__).resolve().parent.parent
WITHOUT_CURRENT_FOLDER = "-P"  # do not import from a job's folder


class Child(Protocol):
    """A process that runs one job."""

    pid: int
    peak_bytes: int | None  # the largest resident memory, once it has ended; None if unknown

    @property
    def output(self) -> BinaryIO:
        """Return the stream of what the process prints."""

    def wait(self, seconds: float) -> int | None:
        """Return the exit status, negative for a signal, or None if it still runs by then."""

    def end(self) -> None:
        """Kill the process and everything it started, and release its resources."""


class Lost(Exception):
    """The child's exit status is unknown: the process that started it is gone."""


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a job: no secrets, no database address, a fixed hash seed."""
    return {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(CODE_ROOT),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYDANTIC_DISABLE_PLUGINS": "__all__",  # it would look for them in every installed package
        # It returns freed memory sooner than Arrow's other allocators, and costs the least here.
        "ARROW_DEFAULT_MEMORY_POOL": "jemalloc",
    }


class Started:
    """A child started as a new process, where forking is unsafe or unavailable."""

    peak_bytes: int | None = None

    def __init__(self, folder: Path, line: bytes = b"") -> None:
        with (folder / "stderr.txt").open("wb") as stderr:
            self._process = subprocess.Popen(
                [sys.executable, WITHOUT_CURRENT_FOLDER, "-m", "tabular", "job", str(folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                cwd=folder,
                env=environment(folder),
                start_new_session=True,
            )
        self.pid = self._process.pid
        if line and self._process.stdin is not None:
            self._process.stdin.write(line)
            self._process.stdin.flush()

    @property
    def output(self) -> BinaryIO:
        """Return the stream of what the process prints."""
        assert self._process.stdout is not None  # noqa: S101  (a pipe, as asked for above)
        return self._process.stdout  # type: ignore[return-value]

    def wait(self, seconds: float) -> int | None:
        """Return the exit status, or None if the process still runs."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(timeout=seconds)
        return None

    def end(self) -> None:
        """Kill the process group, because a reader may have started helpers."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
