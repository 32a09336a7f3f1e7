"""
Reading a million-row CSV and a 100,000-row workbook, compared with the libraries alone.

Each figure is the CPU time of a separate process without its imports, measured in turn with its
floor: pyarrow's single-threaded stream and calamine's rows. ``python -m bench.reading FILE``
measures one file.
"""

from __future__ import annotations

import csv
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.peers.generated import generate

ROUNDS = 5
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Race:
    """One of our readers against its floor."""

    what: str
    file: Path
    floor: str  # a tool of bench.peers.floors
    allowed_ratio: float
    allowed_mb: int


def main() -> None:
    """Print both races."""
    with tempfile.TemporaryDirectory() as folder:
        million, workbook = generate(1_000_000, Path(folder)), Path(folder) / "sheet.xlsx"
        write_workbook(generate(100_000, Path(folder)), workbook)
        for race in (
            Race("1,000,000-row CSV", million, "pyarrow_csv", 2.0, 450),
            Race("100,000-row xlsx", workbook, "calamine", 1.6, 2048),
        ):
            _print(race)


def measure(path: Path) -> dict[str, Any]:
    """Read a file to its last row, detection included."""
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "jemalloc"  # as the sandbox does
    from tabular.job.preloading import preload
    from tabular.reading import read

    preload()  # imports and loads before the clock starts, as the server that forks jobs does

    cpu, wall = time.process_time(), time.perf_counter()
    rows = sum(batch.num_rows for batch in read(path).bodies[0].batches())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "rows": rows,
        "cpu": round(time.process_time() - cpu, 3),
        "s": round(time.perf_counter() - wall, 3),
        "rss_mb": peak // (1024 if sys.platform == "linux" else 1024 * 1024),
    }


def _print(race: Race) -> None:
    floor_command = [sys.executable, "-m", "bench.peers.floors", race.floor, str(race.file)]
    our_command = [sys.executable, "-m", "bench.reading", str(race.file)]
    rounds = [(_run(floor_command), _run(our_command)) for _ in range(ROUNDS)]
    ratio = statistics.median(ours["cpu"] / floor["cpu"] for floor, ours in rounds)
    floor_cpu = statistics.median(floor["cpu"] for floor, _ in rounds)
    our_cpu = statistics.median(ours["cpu"] for _, ours in rounds)
    peak = max(ours["rss_mb"] for _, ours in rounds)
    print(
        f"{race.what}: {rounds[0][1]['rows']:,} rows, CPU {our_cpu:.2f} s, "
        f"{race.floor} {floor_cpu:.2f} s, ratio {ratio:.2f} (allowed {race.allowed_ratio}), "
        f"peak {peak} MB (allowed {race.allowed_mb})",
        flush=True,
    )


def _run(command: list[str]) -> dict[str, Any]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def write_workbook(source: Path, target: Path) -> None:
    """Write a CSV file as a workbook of one sheet."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    with source.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file, delimiter=";"):
            sheet.append(row)
    book.save(target)


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))
