"""The sections of the page about the engine itself, each measured by a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bench import deliveries
from bench.figures import big, fleet, imports, kernels, rates, review
from bench.figures.figure import Measured, Result, kept
from bench.figures.services import environment

ROOT = Path(__file__).resolve().parents[2]
MOST_S = 600  # then a section is ended, and the others go on
ENDS_S = 60


@dataclass(frozen=True, slots=True)
class Section:
    """A table of the page. measure: yields its figures as they are measured."""

    title: str
    text: str
    measure: Callable[[], Iterator[Measured]]


SECTIONS: dict[str, Section] = {
    "imports": Section(
        "A small file, and thirty at once",
        "Through a running engine, from the upload to review: web server, worker and job.",
        imports.small_and_many,
    ),
    "review": Section(
        "Review of a million rows",
        "Calls of the API in the process that measures; a page has 100 rows.",
        review.on_files,
    ),
    "cold": Section(
        "A page of a million rows from object storage",
        "A new process without a copy of the import's files asks a store on this machine.",
        review.on_a_cold_bucket,
    ),
    "rates": Section(
        "Calls a second",
        "Clients on the same cores send the next call when the last one is answered; people look "
        "at each page.",
        rates.calls,
    ),
    "memory": Section(
        "Memory at rest",
        "All processes of the engine; memory that they share is counted once (PSS).",
        imports.memory,
    ),
    "deliveries": Section(
        "Deliveries a second",
        "Signed deliveries to a receiver on the same cores.",
        deliveries.figures,
    ),
    "bucket": Section(
        "Imports on object storage against the folder",
        "The same file in turn, from the upload to applied; the store is on this machine.",
        imports.on_a_bucket,
    ),
    "fleet": Section(
        "Three machines against one",
        "Machines share PostgreSQL, Redis and a bucket, and here also the cores.",
        fleet.three_against_one,
    ),
    "near": Section("Near-duplicates", "Of names and streets.", kernels.near_duplicates),
    "join": Section("Joining two tables", "Both as a reader gives them.", kernels.join),
    "nested": Section("A nested body against a flat one", "Serialised alone.", kernels.nested_body),
}
# By their names alone: they take more time, and several gigabytes of the disk.
LONG: dict[str, Section] = {
    "big": Section(
        "Ten million rows",
        "Through a running embedded engine: uploaded, reviewed, changed and delivered in parts.",
        big.ten_million,
    ),
}


def measured(name: str, section: Section, work: Path) -> Result:
    """Measure a section in a process of its own. work: where generated files are shared."""
    with tempfile.TemporaryDirectory(prefix="bench-section-") as folder:
        file, log = Path(folder) / "figures", Path(folder) / "log"
        command = [sys.executable, "-m", "bench.figures", name, str(file)]
        with log.open("wb") as complaints:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**environment(), "BENCH_WORK": str(work), "PYTHONPATH": str(ROOT)},
                stderr=complaints,
                start_new_session=True,
            )
            failure = _ended(process, log)
        return Result(section.title, section.text, tuple(kept(file)), failure)


def _ended(process: subprocess.Popen[bytes], log: Path) -> str:
    """Wait for a section to end, and end what it left; return what was wrong."""
    try:
        code = process.wait(MOST_S)
        lines = log.read_text("utf-8", "replace").strip().splitlines()
        failure = ": ".join([f"ended with exit code {code}", *lines[-1:]]) if code else ""
    except subprocess.TimeoutExpired:
        failure = f"took more than {MOST_S} seconds"
        process.send_signal(signal.SIGINT)  # it ends its own programs
        with suppress(subprocess.TimeoutExpired):
            process.wait(ENDS_S)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return failure
