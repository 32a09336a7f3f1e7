"""
The engine and other people's tools on the same generated files; writes ``docs/benchmarks.md``.

``make bench`` needs nothing but the network of pip and npm. ``BENCH_ROUNDS`` (3) says how often all
run in turn, ``BENCH_SCALE`` (1) multiplies the rows, and ``BENCH_TO`` names another file to write.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.peers import environment
from bench.peers.contest import Figures, Racer, race
from bench.peers.generated import generate, truth_of, vocabulary
from bench.peers.page import Page, Section
from bench.reading import write_workbook

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
SCALE = float(os.environ.get("BENCH_SCALE", "1"))
OURS = "**this engine**"
LESS = {
    "frictionless": "no IBAN check digits, no phone numbers; lists errors, returns no typed rows",
    "pandera_pandas": "patterns instead of types, except for dates; no IBAN check digits",
    "pandera_polars": "as with pandas, and no comparison of two columns",
    "django_import_export": "patterns for phone and IBAN; one error for a row",
    "csvkit": "only rows of another length: no types, no rules",
    "react-spreadsheet-import": "patterns only; nothing is converted",
    "a loop in Python": "patterns for phone; no similar options; nothing is stored",
    "a loop in Node": "patterns for phone; no options; nothing is stored",
}
ENGINE = {
    "jobs": "Small files and thirty at once, through a running engine",
    "review": "Review of a million rows: upload, pages, edits, replacing",
    "deliveries": "Deliveries",
}


def main() -> None:
    """Measure everything, and write the page."""
    target = Path(os.environ.get("BENCH_TO", ROOT / "docs" / "benchmarks.md"))
    python, node = environment.peers_python(), environment.peers_node()
    page = Page(environment.versions(python), ROUNDS)
    with tempfile.TemporaryDirectory(prefix="bench-peers-") as name:
        work = Path(name)
        (work / "words.json").write_text(json.dumps(vocabulary()), "utf-8")
        page.add(_validated(work, python, node, rows=int(100_000 * SCALE)))
        page.add(_million(work, python, node, rows=int(1_000_000 * SCALE)))
        page.add(_reading(work, rows=int(1_000_000 * SCALE)))
        page.add(_workbook(work, rows=int(100_000 * SCALE)))
        page.add(_start_up(work, python))
    for module, title in ENGINE.items() if SCALE >= 1 else ():
        page.add_printed(title, f"python -m bench {module}", _printed(module))
    page.write(target)
    print(f"wrote {target}", flush=True)


def _validated(work: Path, python: Path | None, node: Path | None, *, rows: int) -> Section:
    """Compare from a whole file to validated rows, each as a process with its start."""
    file = generate(rows, work)
    racers = [_ours(file, work), *_loops(file), *_python_peers(file, work, python)]
    if node:
        racers.append(_browser(node, file))
    section = Section(
        f"From a file to validated rows: {rows:,} rows of 14 columns",
        f"{sum(truth_of(file).values()):,} cells are bad. The engine reads, converts, checks and "
        "stores typed rows with an issue for each bad cell.",
        OURS,
        race(racers, rounds=ROUNDS),
        LESS,
    )
    return _shown(section)


def _million(work: Path, python: Path | None, node: Path | None, *, rows: int) -> Section:
    """Compare the tools that get through a large file in reasonable time."""
    file = generate(rows, work)
    fast = ("pandera_pandas", "pandera_polars")
    racers = [_ours(file, work), *_python_peers(file, work, python, fast)]
    if node:
        racers.append(_browser(node, file))
    text = "Tools that take more than a minute are left out."
    return _shown(Section(f"{rows:,} rows", text, OURS, race(racers, rounds=ROUNDS), LESS))


def _reading(work: Path, *, rows: int) -> Section:
    file = generate(rows, work)
    tools = {"pyarrow, one thread": "pyarrow_csv", "pandas": "pandas_csv", "csv": "csv_module"}
    notes = dict.fromkeys(tools, "encoding, delimiter and header are given, not detected")
    title = f"Reading alone: a CSV file of {rows:,} rows"
    return _shown(Section(title, "", OURS, _read_by(file, tools), notes, is_work=True))


def _workbook(work: Path, *, rows: int) -> Section:
    book = work / "sheet.xlsx"
    write_workbook(generate(rows, work), book)
    tools = {"calamine": "calamine", "openpyxl": "openpyxl"}
    notes = dict.fromkeys(tools, "cells as they are; no header, no dates, no merged cells")
    title = f"Reading alone: a workbook of {rows:,} rows"
    return _shown(Section(title, "", OURS, _read_by(book, tools), notes, is_work=True))


def _read_by(file: Path, tools: dict[str, str]) -> dict[str, Figures]:
    ours = Racer(OURS, [sys.executable, "-m", "bench.reading", str(file)], is_ours=False)
    floors = [
        Racer(name, [sys.executable, "-m", "bench.peers.floors", tool, str(file)], is_ours=False)
        for name, tool in tools.items()
    ]
    return race([ours, *floors], rounds=ROUNDS)


def _start_up(work: Path, python: Path | None) -> Section:
    """Compare what a small file costs as a process."""
    file = generate(100, work)
    command = [sys.executable, "-m", "tabular", "read", str(file)]
    racers = [
        Racer(OURS, command, is_ours=False),
        *_loops(file),
        *_python_peers(file, work, python, ("frictionless", "pandera_polars", "csvkit")),
    ]
    notes = {**LESS, OURS: "`python -m tabular read`: reads in a confined child"}
    title = "Start-up: a file of 100 rows as a whole process"
    return _shown(Section(title, "", OURS, race(racers, rounds=ROUNDS), notes))


def _ours(file: Path, work: Path) -> Racer:
    return Racer(OURS, ["stage", str(file), str(work / f"staged-{file.stem}")])


def _loops(file: Path) -> list[Racer]:
    return [
        Racer("a loop in Python", ["loop", str(file)]),
        Racer("a loop in Node", ["node", str(file)]),
    ]


def _python_peers(
    file: Path, work: Path, python: Path | None, wanted: tuple[str, ...] = ()
) -> list[Racer]:
    if python is None:
        return []
    script = str(Path(__file__).with_name("tools.py"))
    names = [name for name in LESS if "_" in name or name in {"frictionless", "csvkit"}]
    return [
        Racer(name, [str(python), script, name, str(file), str(work / "words.json")], is_ours=False)
        for name in names
        if not wanted or name in wanted
    ]


def _browser(node: Path, file: Path) -> Racer:
    script = str(Path(__file__).with_name("browser_loop.mjs"))
    command = ["node", "--max-old-space-size=8192", script, str(node), str(file)]
    return Racer("react-spreadsheet-import", command, is_ours=False)


def _shown(section: Section) -> Section:
    print("\n".join(section.lines()), flush=True)
    return section


def _printed(module: str) -> str:
    """Return what a benchmark of the engine prints."""
    command = [sys.executable, "-m", "bench", module]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    printed = done.stdout.split(f"== {module}", 1)[-1].strip()
    if done.returncode:
        return f"{printed}\nended with exit code {done.returncode}".strip()
    return printed
