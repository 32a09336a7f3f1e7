"""Run one job in a limited child, watch it, and return its result or problem."""

import json
import logging
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, TypeVar

from sandbox import folders, forks
from sandbox.children import Child, Lost, Started
from sandbox.limits import Watch
from sandbox.recognition import NoRecognition, recognition_for
from sandbox.slots import job_slot
from sandbox.usage import USES, JobUse
from tabular.job import EXIT_DEFECT, EXIT_PROBLEM, EXIT_UNCONFINED, out_of_memory
from tabular.model.problem import UnreadableFile, damaged_for_reader
from tabular.model.recognition import Recognition
from tabular.model.table import Progress
from tabular.protocol import forms
from tabular.protocol.jobs import JobRequest, Problem, R, result_type

logger = logging.getLogger(__name__)

CRASHES = frozenset({signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE})
OF_READERS = frozenset({"read", "show", "paint", "unlock"})  # jobs that parse untrusted files
OUT_OF_MEMORY = "memory allocation of"  # what a Rust library prints before it aborts
LOOK_EVERY_S = 0.1
STDERR_TAIL = 4_000  # characters
LINE_BYTES = 4_096
MOST_RESULT_BYTES = 256 * 1024**2
T = TypeVar("T")
MOST_OF_SIGN = 200  # characters
MOST_STARTS = 5  # of a job whose child was lost through no fault of the job


class JobCancelled(Exception):
    """The work was cancelled while the child ran."""


class JobFailed(Exception):
    """
    The child ended without a result or a problem: our bug, or a failure of the machine.

    sign: the same for the same failure of the same job; empty if the machine may be the cause.
    """

    def __init__(self, message: str, *, sign: str = "") -> None:
        super().__init__(message)
        self.sign = sign[:MOST_OF_SIGN]


def reader_broke() -> UnreadableFile:
    """Return the error, for the sender of a file, when a reader crashes on it each time."""
    return UnreadableFile(
        "parser_crashed",
        "The file cannot be read. Save it again as XLSX or CSV, and retry.",
    )


def reader_killed() -> UnreadableFile:
    """Return the error, for the sender of a file, when the system kills its reader each time."""
    return UnreadableFile(
        "parser_crashed",
        "The reader was stopped twice, probably out of memory. Split the file, or use CSV.",
    )


class JobBroken(JobFailed):
    """Our own code failed on the file, and would fail again."""


class JobKilled(JobFailed):
    """
    The child was killed while its watcher ran, usually because memory ran out.

    A worker that is killed takes its children with it, and does not see them end.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message, sign="killed")


@dataclass(slots=True)
class Policy:
    """How this process runs jobs; set once, from the settings."""

    at_once: int = os.cpu_count() or 1  # on this machine, for all processes that start jobs
    slots: Path | None = None  # the folder in which they are counted; None does not count
    is_strict: bool = False  # do not run a job that cannot be confined
    scan_languages: tuple[str, ...] = ()  # of text in pictures; without any, they are refused
    is_forking: bool = True  # a server forks jobs; for few jobs, each is a new process


POLICY = Policy()
_more_slots: ContextVar[int] = ContextVar("more_slots", default=0)


@contextmanager
def more_slots(count: int) -> Iterator[None]:
    """Add job slots for the duration of a block, so that its jobs need not wait."""
    before = _more_slots.set(count)
    try:
        yield
    finally:
        _more_slots.reset(before)


def run_job(
    folder: Path,
    request: JobRequest[R],
    *,
    progress: Progress,
    cancelled: Callable[[], bool],
    secret: str = "",
) -> R:
    """
    Run one job in ``folder`` and return its result.

    secret: a line for the job's standard input, of at most 4,095 bytes; the request is a file, and
    this is in no file.

    Raise TabularProblem if the file or the request is at fault or a limit is exceeded, JobCancelled
    if the work is cancelled, and JobFailed if the child crashes or returns an invalid result.
    """
    request = replace(request, strict=POLICY.is_strict, recognition=_recognition())
    if POLICY.slots is None:
        return _noted(folder, request, progress, cancelled, secret)
    most = POLICY.at_once + _more_slots.get()
    wait = job_slot(POLICY.slots, slots=most, is_given_up=cancelled)
    with wait as is_ours:
        if not is_ours:
            raise JobCancelled
        return _noted(folder, request, progress, cancelled, secret)


def _recognition() -> Recognition | None:
    """Return how text is recognised, or None if this machine cannot; looked up for each job."""
    with suppress(NoRecognition):
        return recognition_for(POLICY.scan_languages)
    return None


def warm_up() -> None:
    """Prepare what this process's first job would otherwise wait for."""
    if _is_forking():
        forks.SERVERS.warm_up()


def _is_forking() -> bool:
    return POLICY.is_forking and forks.is_possible()


def _noted(
    folder: Path,
    request: JobRequest[R],
    progress: Progress,
    cancelled: Callable[[], bool],
    secret: str,
) -> R:
    with USES.noted(request.job) as use:
        try:
            result = _run(folder, request, progress, cancelled, secret, use)
        except JobFailed:
            use.has_failed = True
            raise
        use.rows = getattr(result, "rows", None)  # of a file that was read, or a table
        return result


def _run(
    folder: Path,
    request: JobRequest[R],
    progress: Progress,
    cancelled: Callable[[], bool],
    secret: str,
    use: JobUse,
) -> R:
    for _ in range(MOST_STARTS):
        _lay_out(folder, forms.written(request))
        try:
            child = _start(folder, secret)
            watch = Watch(child.pid, folder, request.limits)
            try:
                status = _carried_out(child, watch, progress, cancelled)
            finally:
                use.peak_bytes = child.peak_bytes
            return _outcome(request, status, folder)
        except Lost as loss:
            logger.warning("%s; the job starts again", loss)
        except folders.StrangeFolder as strange:
            folders.remove_inner(folder)
            raise JobFailed(f"the job left {strange}", sign="strange folder") from strange
        except BaseException:
            folders.remove_inner(folder)
            raise
    raise JobFailed(f"the child was lost {MOST_STARTS} times")


def _lay_out(folder: Path, document: bytes) -> None:
    """Write the request into the folder, and remove what a lost child left there."""
    folders.remove(folder / "out")
    for name in ("result.json", "problem.json"):
        (folder / name).unlink(missing_ok=True)
    (folder / "request.json").write_bytes(document)


def _start(folder: Path, secret: str) -> Child:
    line = f"{secret}\n".encode() if secret else b""
    try:
        return forks.SERVERS.start_job(folder, line) if _is_forking() else Started(folder, line)
    except (OSError, forks.CannotFork) as error:
        raise JobFailed(f"no process could be started for the job: {error}") from error


def _carried_out(
    child: Child, watch: Watch, progress: Progress, cancelled: Callable[[], bool]
) -> int:
    reader = threading.Thread(target=_follow, args=(child.output, progress), daemon=True)
    reader.start()
    try:
        while True:
            watch.check()
            if cancelled():  # also before the first wait: getting a slot may have taken long
                raise JobCancelled
            if (status := child.wait(LOOK_EVERY_S)) is not None:
                return status
    finally:
        child.end()
        reader.join(timeout=5)  # it reads until no process of the job remains
        child.output.close()


def _follow(output: BinaryIO, progress: Progress) -> None:
    while line := output.readline(LINE_BYTES):
        try:
            match json.loads(line):
                case {"stage": str(stage), "done": int(done), "total": int() | None as total}:
                    progress(stage, done, total)
        except ValueError:
            continue  # a library printed something


def _outcome(request: JobRequest[R], status: int, folder: Path) -> R:
    folders.refuse_strange(folder)
    if status == 0:
        return _document(result_type(request), folder / "result.json")
    if status == EXIT_PROBLEM:
        raise _document(Problem, folder / "problem.json").as_error()
    output = _tail(folder)
    if -status in CRASHES and OUT_OF_MEMORY in output:
        raise out_of_memory(request.limits.memory_bytes)
    if request.job in OF_READERS and -status in CRASHES:
        raise damaged_for_reader()
    if status == EXIT_UNCONFINED:
        raise JobFailed(f"IMPORT_SANDBOX is strict, and the job was {output}")
    ended = f"the job ended with status {status}: {output}"
    if -status == signal.SIGKILL:
        raise JobKilled(ended)
    sign = (
        "" if -status == signal.SIGTERM else f"status {status}: {_where(output)}"
    )  # for operators
    failure = JobBroken if status == EXIT_DEFECT else JobFailed
    raise failure(ended, sign=sign)


def _where(output: str) -> str:
    """Return the last line of code in a traceback and its exception, without the message."""
    slots = re.findall(r'^ *File "([^"]+)", line (\d+)', output, re.MULTILINE)
    kinds = re.findall(r"^([A-Za-z_][\w.]*)(?::|$)", output, re.MULTILINE)
    job_slot = ":".join(slots[-1]) if slots else ""
    return f"{kinds[-1] if kinds else ''} {job_slot}"


def _document(kind: type[T], path: Path) -> T:
    """Read a child's output, which is untrusted because the file may have compromised the child."""
    try:
        if path.stat().st_size > MOST_RESULT_BYTES:
            raise JobFailed(
                f"{path.name} has more than {MOST_RESULT_BYTES} bytes", sign=f"large {path.name}"
            )
        return forms.read(kind, path.read_bytes())
    except FileNotFoundError:
        raise JobFailed(f"the job left no {path.name}", sign=f"no {path.name}") from None
    except forms.WrongForm as error:
        sign = f"wrong {path.name}"
        raise JobFailed(
            f"{path.name} is not a valid {kind.__name__}: {error}", sign=sign
        ) from error


def _tail(folder: Path) -> str:
    try:
        with (folder / "stderr.txt").open("rb") as stderr:
            stderr.seek(max(0, stderr.seek(0, os.SEEK_END) - 4 * STDERR_TAIL))
            return stderr.read().decode("utf-8", errors="replace")[-STDERR_TAIL:]
    except FileNotFoundError:
        return ""
