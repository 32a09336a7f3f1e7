"""One job of the pipeline in a process of its own: ``python -m tabular job DIR``.

``DIR/request.json`` names the job and its inputs. The job writes its files into ``DIR/out`` and
``DIR/result.json`` (exit 0), or ``DIR/problem.json`` (exit 3); any other exit is our bug: one that
would happen again is exit 7, and standard error says where, without anything of the file. The types
of all three are those of ``tabular.protocol``.
Progress goes to standard output, one JSON object a line. The request may ask for a job that is
confined or not run at all (``strict``).
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from tabular.job.isolation import isolate
from tabular.model.defect import defect_of
from tabular.model.problem import (
    LimitExceeded,
    TabularProblem,
    damaged_for_reader,
    is_panic,
)
from tabular.model.sentences import sized
from tabular.model.table import Progress
from tabular.protocol import forms
from tabular.protocol.requests import Request
from tabular.protocol.results import Problem

EXIT_PROBLEM = 3
EXIT_UNCONFINED = 6
EXIT_DEFECT = 7  # our own code failed at it, and would again
PROGRESS_EVERY_S = 0.25

Job = Callable[[Any, Path, Progress], object]  # its own request in, its own result out


def run(folder: Path) -> int:
    """Run the job that ``folder/request.json`` asks for; return the exit status."""
    request = _asked(folder)
    limits = request.limits
    missing = isolate(readable=[Path(request.input)], writable=[folder], limits=limits)
    if missing:
        sys.stderr.write(f"not confined: this machine lacks {' and '.join(missing)}\n")
        if request.strict:
            return EXIT_UNCONFINED
    try:
        _carry_out(request, folder, reporter())
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
    """Carry out ``folder/request.json`` and write ``folder/result.json``, or raise the problem."""
    _carry_out(_asked(folder), folder, progress)


def out_of_memory(allowed: int) -> LimitExceeded:
    """Describe a job that asked for more memory than it may have."""
    return LimitExceeded(
        f"Reading the file needs more memory than the {sized(allowed)} allowed.",
        limit="memory_bytes",
        allowed=allowed,
    )


def _asked(folder: Path) -> Request:
    kinds: Any = Request  # one of several, which no type of a type can say
    request: Request = forms.read(kinds, (folder / "request.json").read_bytes())
    return request


def _stopped(problem: TabularProblem, folder: Path) -> int:
    (folder / "problem.json").write_bytes(forms.written(Problem.of(problem)))
    return EXIT_PROBLEM


def _carry_out(request: Request, folder: Path, progress: Progress) -> None:
    (folder / "out").mkdir(exist_ok=True)
    result = _job(request.job)(request, folder, progress)
    (folder / "result.json").write_bytes(forms.written(result))


def _job(name: Literal["read", "transform", "resolve", "suggest", "show"]) -> Job:
    # Imported here: a transform does not pay for the readers.
    match name:
        case "read":
            from tabular.job.read import read

            return read
        case "transform":
            from tabular.job.transform import transform

            return transform
        case "resolve":
            from tabular.job.resolve import resolve_references

            return resolve_references
        case "suggest":
            from tabular.job.suggest import suggest

            return suggest
        case "show":
            from tabular.job.show import show

            return show


def reporter() -> Progress:
    """Make a progress function that prints at most four lines a second, and each new stage."""
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
