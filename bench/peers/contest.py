"""Run contestants in turn, each in a separate process."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[2]
SLOW_S = 30  # what takes longer runs once
OURS = (sys.executable, "-m", "bench.transforming.run")
WATCHED = (sys.executable, "-I", "-S", str(Path(__file__).with_name("usage.py")))


@dataclass(frozen=True, slots=True)
class Racer:
    """
    One contestant.

    command: of ``bench.transforming.run``, or a whole command that prints a last line of JSON.
    """

    name: str
    command: Sequence[str]
    is_ours: bool = True
    does: str = ""  # what it does less than the engine


@dataclass(frozen=True, slots=True)
class Figures:
    """What the runs of a contestant took; each figure by run."""

    process_cpu: list[float]  # seconds of the process and its children, with start-up
    wall: list[float]  # seconds
    peak_mb: list[int]
    cpu: list[float]  # seconds of the work alone, where the program prints them
    last: dict[str, Any]  # what the last run printed

    @property
    def typical_cpu(self) -> float:
        """The median CPU seconds of the process."""
        return median(self.process_cpu)


def race(racers: Sequence[Racer], *, rounds: int) -> dict[str, Figures]:
    """
    Run contestants A B C A B C; return the figures of those that can run here.

    A contestant that fails is left out from then on, and its last error is printed. One that takes
    more than ``SLOW_S`` runs once.
    """
    runs: dict[str, list[dict[str, Any]]] = {racer.name: [] for racer in racers}
    failed: set[str] = set()
    for _ in range(rounds):
        for racer in racers:
            slowest = max((run["wall"] for run in runs[racer.name]), default=0)
            if racer.name in failed or slowest > SLOW_S:
                continue
            result = _run(racer)
            if result is None:
                failed.add(racer.name)
            else:
                runs[racer.name].append(result)
    return {name: _figures(some) for name, some in runs.items() if some and name not in failed}


def _figures(runs: list[dict[str, Any]]) -> Figures:
    return Figures(
        process_cpu=[run["process_cpu"] for run in runs],
        wall=[run["wall"] for run in runs],
        peak_mb=[run["peak_mb"] for run in runs],
        cpu=[run["cpu"] for run in runs if "cpu" in run],
        last=runs[-1],
    )


def _run(racer: Racer) -> dict[str, Any] | None:
    command = [*OURS, *racer.command] if racer.is_ours else list(racer.command)
    environment = os.environ | {"PYTHONPATH": str(ROOT)} if racer.is_ours else dict(os.environ)
    with (
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as complaints,
        tempfile.NamedTemporaryFile() as usage,
    ):
        done = subprocess.run(
            [*WATCHED, usage.name, *command],
            check=False,
            stdout=output,
            stderr=complaints,
            env=environment,
            cwd=ROOT,
        )
        printed, errors, spent = map(_content, (output, complaints, usage))
    if done.returncode:
        last = errors.strip().splitlines()[-1:] or ["no message"]
        print(f"  {racer.name} could not run here: {last[0]}", flush=True)
        return None
    lines = printed.strip().splitlines()
    result: dict[str, Any] = json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}
    used: dict[str, Any] = json.loads(spent)
    return result | used


def _content(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")
