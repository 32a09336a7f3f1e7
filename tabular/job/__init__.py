"""One pipeline job in a process of its own: ``python -m tabular job DIR``.

``DIR/request.json`` names the job and its inputs. The job writes its files into ``DIR/out``, and
``DIR/result.json`` (exit 0) or ``DIR/problem.json`` (exit 3). Any other exit is our bug: one that
would happen again is exit 7, and standard error says where, without any of the file's content. The
types of all three are those of ``tabular.protocol``. Progress goes to standard output, one JSON
object per line. The request may demand that the job is confined or not run at all (``strict``).
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import orjson

from tabular.job.isolation import isolate
from tabular.job.recognising import RecognitionProcess
from tabular.model.defect import defect_of
from tabular.model.problem import (
    LimitExceeded,
    TabularProblem,
    damaged_for_reader,
    is_panic,
)
from tabular.model.recognition import Recogniser
from tabular.model.sentences import Sentence, sized
from tabular.model.table import Progress
from tabular.protocol import forms
from tabular.protocol.files import REQUESTS
from tabular.protocol.jobs import Problem

if TYPE_CHECKING:
    from tabular.protocol.requests import Request

EXIT_PROBLEM = 3
EXIT_UNCONFINED = 6
EXIT_DEFECT = 7  # our own code failed on it, and would fail again
PROGRESS_EVERY_S = 0.25
MOST_SECRET_BYTES = 4_096  # a pipe passes them at once

READING = frozenset({"read", "show"})  # jobs that parse a file, which may be a picture of text

Job = Callable[..., object]  # takes its own request, its folder, progress; returns its own result


def run(folder: Path) -> int:
    """Run the job in ``folder/request.json``. Return the exit status."""
    request = _request_in(folder)
    limits = request.limits
    recogniser, password = _recognition_process(request), _password(request)
    missing = isolate(readable=[Path(request.input)], writable=[folder], limits=limits)
    if missing:
        sys.stderr.write(f"not confined: this machine lacks {' and '.join(missing)}\n")
        if request.strict:
            return EXIT_UNCONFINED
    try:
        _carry_out(request, folder, reporter(), recogniser or password)
    except TabularProblem as problem:
        return _stopped(problem, folder)
    except MemoryError:
        return _stopped(out_of_memory(limits.memory_bytes), folder)
    except OSError:  # perhaps the machine's fault: worth another try
        raise
    except Exception as error:  # noqa: BLE001  (whatever it was, the parent is told where)
        sys.stderr.write(f"{defect_of(error, field='', step=request.job)}\n")
        return EXIT_DEFECT
    except BaseException as error:
        if not is_panic(error):
            raise
        return _stopped(damaged_for_reader(), folder)
    return 0


def carry_out(folder: Path, progress: Progress) -> None:
    """Execute ``folder/request.json`` and write ``folder/result.json``, or raise the problem."""
    request = _request_in(folder)
    recogniser = _recognition_process(request)
    try:
        _carry_out(request, folder, progress, recogniser)
    finally:
        if recogniser is not None:
            recogniser.end()


def out_of_memory(allowed: int) -> LimitExceeded:
    """Return the error of a job that exceeded its memory limit."""
    return LimitExceeded(
        Sentence(
            "Reading the file needs more memory than the {SIZE} allowed.", SIZE=sized(allowed)
        ),
        limit="memory_bytes",
        allowed=allowed,
    )


def _request_in(folder: Path) -> "Request":
    document = (folder / "request.json").read_bytes()
    kind: Any = REQUESTS.get(orjson.loads(document).get("job"))
    if kind is None:
        from tabular.protocol.requests import Request

        kind = Request
    request: Request = forms.read(kind, document)
    return request


def _stopped(problem: TabularProblem, folder: Path) -> int:
    (folder / "problem.json").write_bytes(forms.written(Problem.of(problem)))
    return EXIT_PROBLEM


def _recognition_process(request: "Request") -> RecognitionProcess | None:
    """Start text recognition, if this job may need it; before the job is confined."""
    if request.recognition is None or request.job not in READING:
        return None
    return RecognitionProcess(request.recognition, request.limits, strict=request.strict)


def _password(request: "Request") -> str | None:
    """Return the line on standard input, before a confined job watches it for its parent's end."""
    if request.job != "unlock":
        return None
    return os.read(0, MOST_SECRET_BYTES).decode().rstrip("\n")


def _carry_out(
    request: "Request", folder: Path, progress: Progress, given: Recogniser | str | None
) -> None:
    (folder / "out").mkdir(exist_ok=True)
    job = _job(request.job)
    more = () if given is None else (given,)
    result = job(request, folder, progress, *more)
    (folder / "result.json").write_bytes(forms.written(result))


def _job(
    name: Literal["read", "transform", "steps", "resolve", "suggest", "show", "paint", "unlock"],
) -> Job:
    # Imported here, so that a transform does not load the readers.
    match name:
        case "read":
            from tabular.job.read import read

            return read
        case "transform":
            from tabular.job.transform import transform

            return transform
        case "steps":
            from tabular.job.transform import compare_steps

            return compare_steps
        case "paint":
            from tabular.job.paint import paint

            return paint
        case "resolve":
            from tabular.job.resolve import resolve_references

            return resolve_references
        case "suggest":
            from tabular.job.suggest import suggest

            return suggest
        case "unlock":
            from tabular.job.unlock import unlock

            return unlock
        case "show":
            from tabular.job.show import show

            return show


def reporter() -> Progress:
    """Return a progress callback that prints at most four lines a second, and each new stage."""
    last: dict[str, float] = {}

    def report(stage: str, done: int, total: int | None) -> None:
        at = time.monotonic()
        if at - last.get(stage, 0.0) < PROGRESS_EVERY_S:
            return
        last[stage] = at
        _say({"stage": stage, "done": done, "total": total})

    return report


def _say(line: dict[str, str | int | None]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()
