"""The child that runs a job, as its watcher sees it; and the plain way to start one."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Protocol

import tabular

CODE_ROOT = Path(tabular.__file__).resolve().parent.parent
WITHOUT_CURRENT_FOLDER = "-P"  # a job's folder is no place to import from


class Child(Protocol):
    """A process that runs one job."""

    pid: int

    @property
    def said(self) -> BinaryIO:
        """What it prints."""

    def wait(self, seconds: float) -> int | None:
        """Give its exit status, negative for a signal; None when it still runs after that long."""

    def end(self) -> None:
        """Kill it with all it started, and let go of it."""


class Lost(Exception):
    """Nobody can say what became of the child: who started it is gone."""


def environment(folder: Path) -> dict[str, str]:
    """Give the environment of a job: no secrets, no database address; same seed everywhere."""
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
        # It gives freed memory back soonest of Arrow's allocators, and costs the least here.
        "ARROW_DEFAULT_MEMORY_POOL": "jemalloc",
    }


class Started:
    """A child started anew, where forking is not safe or not to be had."""

    def __init__(self, folder: Path) -> None:
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

    @property
    def said(self) -> BinaryIO:
        """What it prints."""
        assert self._process.stdout is not None  # noqa: S101  (a pipe, as asked for above)
        return self._process.stdout  # type: ignore[return-value]

    def wait(self, seconds: float) -> int | None:
        """Give its exit status; None when it still runs."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(timeout=seconds)
        return None

    def end(self) -> None:
        """Kill its group: a reader may have started helpers of its own."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
