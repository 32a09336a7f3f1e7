"""
The engine and other people's tools on the same generated files; writes ``docs/benchmarks.md``.

``make bench`` needs nothing but the network of pip and npm; the page names the sections that need
PostgreSQL and Redis as not measured without them. ``BENCH_ROUNDS`` (3) says how often all run in
turn, ``BENCH_SCALE`` (1) multiplies the rows, and ``BENCH_TO`` names another file to write.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from bench.figures import sections
from bench.figures.figure import RATIO, Figure, Measured, Result
from bench.peers import environment
from bench.peers.contest import Racer, race
from bench.peers.generated import generate, truth_of, vocabulary
from bench.peers.page import Page, Section, table_of
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
BARE_TIMES = 4.5  # the cost of staging a file relative to pyarrow's bare read
FLOOR = "pyarrow, one thread"
GIVEN = "encoding, delimiter and header are given, not detected"


def main() -> None:
    """Measure everything, and write the page."""
    target = Path(os.environ.get("BENCH_TO", ROOT / "docs" / "benchmarks.md"))
    started = time.monotonic()
    python, node = environment.peers_python(), environment.peers_node()
    page = Page(environment.versions(python), ROUNDS, SCALE)
    with tempfile.TemporaryDirectory(prefix="bench-peers-") as name:
        work = Path(name)
        (work / "words.json").write_text(json.dumps(vocabulary()), "utf-8")
        large, small = int(1_000_000 * SCALE), int(100_000 * SCALE)
        for title, measure in (
            ("From a file to validated rows", lambda: [_validated(work, python, node, rows=small)]),
            ("A large file", lambda: _million(work, python, node, rows=large)),
            ("Reading alone: a CSV file", lambda: [_reading(work, rows=large)]),
            ("Reading alone: a workbook", lambda: [_workbook(work, rows=small)]),
            ("Start-up", lambda: [_start_up(work, python)]),
        ):
            add(page, title, measure)
        for key, section in sections.SECTIONS.items():
            print(f"\n## {section.title}", flush=True)
            page.add_result(result := sections.measured(key, section, work))
            if result.failure:
                print(f"   {result.failure}", flush=True)
    minutes = (time.monotonic() - started) / 60
    page.write(target, minutes=minutes)
    print(f"wrote {target} after {minutes:.1f} minutes", flush=True)


def add(page: Page, title: str, measure: Callable[[], Iterable[Section | Result]]) -> None:
    """Add what was measured; a section that fails is named, and the others go on."""
    try:
        for section in measure():
            lines = section.lines() if isinstance(section, Section) else table_of(section)
            print("\n".join(lines), flush=True)
            if isinstance(section, Section):
                page.add(section)
            else:
                page.add_result(section)
    except Exception as error:  # noqa: BLE001 (whatever it is, the page names it)
        failure = f"{type(error).__name__}: {error}"
        print(f"   {title}: {failure}", flush=True)
        page.add_result(Result(title, "", (), failure))


def _validated(work: Path, python: Path | None, node: Path | None, *, rows: int) -> Section:
    """Compare from a whole file to validated rows, each as a process with its start."""
    file = generate(rows, work)
    racers = [_ours(file, work), *_loops(file), *_python_peers(file, work, python)]
    if node:
        racers.append(_browser(node, file))
    return _raced(
        f"From a file to validated rows: {rows:,} rows of 14 columns",
        f"{sum(truth_of(file).values()):,} cells are bad. The engine reads, converts, checks and "
        "stores typed rows with an issue for each bad cell.",
        racers,
    )


def _million(
    work: Path, python: Path | None, node: Path | None, *, rows: int
) -> Iterator[Section | Result]:
    """Compare the tools that get through a large file in reasonable time, and the bare read."""
    file = generate(rows, work)
    fast = ("pandera_pandas", "pandera_polars")
    racers = [_ours(file, work), _floor(FLOOR, "pyarrow_csv", file)]
    racers += _python_peers(file, work, python, fast)
    if node:
        racers.append(_browser(node, file))
    text = "Tools that take more than a minute are left out."
    notes = {**LESS, FLOOR: f"reads texts and does nothing with them; {GIVEN}"}
    section = _raced(f"{rows:,} rows", text, racers, notes)
    yield section
    ours, bare = section.figures.get(OURS), section.figures.get(FLOOR)
    items: list[Measured] = []
    if ours and bare:
        ratio = median(ours.cpu) / max(median(bare.cpu), 0.001)
        what = "read, converted, checked and stored against the bare read, CPU without imports"
        items.append(Figure(what, ratio, RATIO, BARE_TIMES))
    yield Result(f"{rows:,} rows against pyarrow's bare read", "", tuple(items))


def _floor(name: str, tool: str, file: Path) -> Racer:
    command = [sys.executable, "-m", "bench.peers.floors", tool, str(file)]
    return Racer(name, command, is_ours=False)


def _reading(work: Path, *, rows: int) -> Section:
    file = generate(rows, work)
    tools = {FLOOR: "pyarrow_csv", "pandas": "pandas_csv", "csv": "csv_module"}
    title = f"Reading alone: a CSV file of {rows:,} rows"
    return _read_by(title, file, tools, GIVEN)


def _workbook(work: Path, *, rows: int) -> Section:
    book = work / "sheet.xlsx"
    write_workbook(generate(rows, work), book)
    tools = {"calamine": "calamine", "openpyxl": "openpyxl"}
    title = f"Reading alone: a workbook of {rows:,} rows"
    return _read_by(title, book, tools, "cells as they are; no header, no dates, no merged cells")


def _read_by(title: str, file: Path, tools: dict[str, str], note: str) -> Section:
    ours = Racer(OURS, [sys.executable, "-m", "bench.reading", str(file)], is_ours=False)
    floors = [_floor(name, tool, file) for name, tool in tools.items()]
    return _raced(title, "", [ours, *floors], dict.fromkeys(tools, note), is_work=True)


def _raced(
    title: str,
    text: str,
    racers: Sequence[Racer],
    notes: Mapping[str, str] = LESS,
    *,
    is_work: bool = False,
) -> Section:
    """Run contestants in turn; name those that could not run."""
    figures = race(racers, rounds=ROUNDS)
    absent = [racer.name for racer in racers if racer.name not in figures]
    if absent:
        text = f"{text} Could not run here: {', '.join(absent)}.".strip()
    return Section(title, text, OURS, figures, notes, is_work)


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
    return _raced(title, "", racers, notes)


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
