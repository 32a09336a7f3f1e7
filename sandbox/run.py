"""Starts ``python -m tabular step DIR``, watches it, and brings its result or problem back."""

import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tabular
from sandbox.limits import Watch
from tabular.model.limits import Limits
from tabular.model.problem import TabularProblem, UnreadableFile
from tabular.model.table import Progress

logger = logging.getLogger(__name__)

CODE_ROOT = Path(tabular.__file__).resolve().parent.parent
EXIT_PROBLEM = 3
CRASHES = frozenset({signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE})
LOOK_EVERY_S = 0.1
STDERR_TAIL = 4_000  # characters


class StepCancelled(Exception):
    """Somebody cancelled the work while the child ran."""


class StepFailed(Exception):
    """The child ended without a result or a problem: a bug of ours, or the machine's end."""


def run_step(
    folder: Path,
    request: dict[str, Any],
    *,
    limits: Limits,
    progress: Progress,
    cancelled: Callable[[], bool],
) -> dict[str, Any]:
    """
    Run one step in ``folder`` and return its result.

    TabularProblem when the file or the request is at fault or a limit was passed; StepCancelled;
    StepFailed when the child broke.
    """
    (folder / "request.json").write_text(json.dumps(request), "utf-8")
    with (folder / "stderr.txt").open("wb") as stderr:
        child = subprocess.Popen(
            [sys.executable, "-m", "tabular", "step", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            cwd=folder,
            env=_environment(folder),
            start_new_session=True,
        )
    reader = threading.Thread(target=_follow, args=(child, progress), daemon=True)
    reader.start()
    try:
        _wait(child, Watch(pid=child.pid, folder=folder, limits=limits), cancelled)
    finally:
        _kill(child)
        reader.join(timeout=5)
        _close(child)
    return _outcome(request.get("step"), child.returncode, folder)


def _environment(folder: Path) -> dict[str, str]:
    # Nothing of ours reaches the child: no secrets, no database address; same seed everywhere.
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


def _follow(child: "subprocess.Popen[bytes]", progress: Progress) -> None:
    for line in child.stdout or ():
        try:
            said = json.loads(line)
        except ValueError:
            continue  # a library printed something
        if "isolation" in said:
            logger.debug("step isolated by %s", said["isolation"])
        elif "stage" in said:
            progress(said["stage"], said["done"], said["total"])


def _wait(child: "subprocess.Popen[bytes]", watch: Watch, cancelled: Callable[[], bool]) -> None:
    while True:
        try:
            child.wait(timeout=LOOK_EVERY_S)
        except subprocess.TimeoutExpired:
            watch.check()
            if cancelled():
                raise StepCancelled from None
        else:
            return


def _kill(child: "subprocess.Popen[bytes]") -> None:
    # The whole group: a reader may have started helpers of its own.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def _close(child: "subprocess.Popen[bytes]") -> None:
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            pipe.close()


def _outcome(step: str | None, status: int, folder: Path) -> dict[str, Any]:
    if status == 0:
        result: dict[str, Any] = json.loads((folder / "result.json").read_bytes())
        return result
    if status == EXIT_PROBLEM:
        problem = json.loads((folder / "problem.json").read_bytes())
        raise TabularProblem(problem.pop("code"), problem.pop("detail"), **problem)
    if step == "read" and -status in CRASHES:
        raise UnreadableFile(
            "damaged_file", "The file is damaged: reading it broke the reader. Save it again."
        )
    tail = (folder / "stderr.txt").read_text("utf-8", errors="replace")[-STDERR_TAIL:]
    raise StepFailed(f"the step ended with status {status}: {tail}")
