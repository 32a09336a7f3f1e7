"""One step of the pipeline in a process of its own: ``python -m tabular step DIR``.

``DIR/request.json`` names the step and its inputs. The step writes its files into ``DIR/out`` and
``DIR/result.json`` (exit 0), or ``DIR/problem.json`` (exit 3); any other exit is our bug.
Progress goes to standard output, one JSON object a line. The request may ask for a step that is
confined or not run at all (``strict``).
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tabular.model.problem import LimitExceeded, Limits, TabularProblem, UnusableRequest
from tabular.model.sentences import sized
from tabular.model.table import Progress
from tabular.step.isolation import isolate

EXIT_PROBLEM = 3
EXIT_UNCONFINED = 6
PROGRESS_EVERY_S = 0.25

Step = Callable[[dict[str, Any], Path, Progress], dict[str, Any]]


def run(folder: Path) -> int:
    """Run the step that ``folder/request.json`` asks for; return the exit status."""
    request = json.loads((folder / "request.json").read_bytes())
    given = [Path(request["input"])] if "input" in request else []
    limits = Limits(**request.get("limits", {}))
    missing = isolate(readable=given, writable=[folder], limits=limits)
    if missing:
        sys.stderr.write(f"not confined: this machine lacks {' and '.join(missing)}\n")
        if request.get("strict"):
            return EXIT_UNCONFINED
    try:
        _carry_out(request, folder, reporter())
    except TabularProblem as problem:
        _write(folder / "problem.json", problem.as_dict())
        return EXIT_PROBLEM
    except MemoryError:
        _write(folder / "problem.json", out_of_memory(limits.memory_bytes).as_dict())
        return EXIT_PROBLEM
    return 0


def carry_out(folder: Path, progress: Progress) -> None:
    """Carry out ``folder/request.json`` and write ``folder/result.json``, or raise the problem."""
    _carry_out(json.loads((folder / "request.json").read_bytes()), folder, progress)


def out_of_memory(allowed: int) -> LimitExceeded:
    """Describe a step that asked for more memory than it may have."""
    return LimitExceeded(
        f"Reading the file needs more memory than the {sized(allowed)} allowed.",
        limit="memory_bytes",
        allowed=allowed,
    )


def _carry_out(request: dict[str, Any], folder: Path, progress: Progress) -> None:
    (folder / "out").mkdir(exist_ok=True)
    _write(folder / "result.json", _step(request["step"])(request, folder, progress))


def _step(name: str) -> Step:
    # Imported here: a transform does not pay for the readers.
    if name == "read":
        from tabular.step.read import read

        return read
    if name == "transform":
        from tabular.step.transform import transform

        return transform
    if name == "resolve":
        from tabular.step.resolve import resolve_references

        return resolve_references
    if name == "suggest":
        from tabular.step.suggest import suggest

        return suggest
    raise UnusableRequest("unknown_step", f"There is no step named {name!r}.")


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


def _say(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def _write(path: Path, document: dict[str, Any]) -> None:
    path.write_text(json.dumps(document, ensure_ascii=False), "utf-8")
