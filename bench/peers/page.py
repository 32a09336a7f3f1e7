"""The page with the figures: tables of ratios, with the machine and the versions."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from bench.figures.figure import RATIO, Figure, Measured, Result, Skipped
from bench.peers.contest import SLOW_S, Figures

HEAD = """# Benchmarks

`make bench` wrote this page on the machine below. It generates its files, installs the other tools
at pinned versions in an environment of their own, and runs all in turn, so that a busy moment hits
each alike. Machines differ: compare the ratios, not the seconds. Where other tools take part,
*Ratio* is the CPU time of a tool divided by that of this engine: below 1, the tool is faster. Where
none does, the figure is next to its target, ratios first.
"""
SCALED = "the sizes are {scale:g} of those that the targets are for"
HOW = """## How it is measured

- Each run is a process of its own. *CPU* is user and system time of the process with its start-up,
  unless the table says that imports are not counted. *Peak* is its largest resident memory.
- The files come from `bench/peers/generated.py` with a fixed seed;
  `python -m bench.peers.generated ROWS FILE` writes one.
- Each tool gets the rules that it can express: see `bench/peers/tools.py` and
  `bench/peers/browser_loop.mjs`. Where it does less than the engine, the table says so.
- A tool that takes more than {slow_s} seconds runs once.
- Figures next to a target are seconds of the clock unless they say *CPU*, from one run on a machine
  that does nothing else. `python -m bench.figures NAME` repeats one section; the names are in
  `bench/figures/sections.py`.
- `make bench-big` takes ten million rows through the embedded engine; it is not part of this page.
- What needs PostgreSQL and Redis is measured where `IMPORT_POSTGRES_URL` and `IMPORT_REDIS_URL` are
  set. It creates and drops databases, and empties the Redis databases 13 and 14. The object store
  is SeaweedFS on the same machine.
- `BENCH_ROUNDS` sets how often all run in turn, and `BENCH_SCALE` the size of the files.
"""


@dataclass(frozen=True, slots=True)
class Section:
    """One table. is_work: compare the CPU of the work, without imports."""

    title: str
    text: str
    ours: str
    figures: Mapping[str, Figures]
    notes: Mapping[str, str]
    is_work: bool = False

    def lines(self) -> list[str]:
        """Return the table in Markdown, the fastest first."""
        heading = "CPU without imports, s" if self.is_work else "CPU, s"
        head = [f"## {self.title}", "", *([self.text, ""] if self.text else [])]
        if self.ours not in self.figures:
            return [*head, "Could not be measured.", ""]
        ours = median(self._cpu(self.ours))
        rows = sorted(self.figures, key=lambda name: median(self._cpu(name)))
        table = [
            f"| | Ratio | {heading} | Seconds | Peak, MB | What it does less |",
            "|---|---|---|---|---|---|",
        ]
        for name in rows:
            cpu, wall = self._cpu(name), self.figures[name].wall
            note = self.notes.get(name, "")
            table.append(
                f"| {name} | {median(cpu) / ours:.2f} | {_spread(cpu)} | {median(wall):.2f} "
                f"| {max(self.figures[name].peak_mb):,} | {note} |"
            )
        return [*head, *table, ""]

    def faster(self) -> list[str]:
        """Return the tools that take less CPU than the engine, the fastest first."""
        if self.ours not in self.figures:
            return []
        spent = {name: median(self._cpu(name)) for name in self.figures}
        return [
            name for name in sorted(spent, key=spent.__getitem__) if spent[name] < spent[self.ours]
        ]

    def _cpu(self, name: str) -> list[float]:
        figures = self.figures[name]
        return figures.cpu if self.is_work and figures.cpu else figures.process_cpu


def table_of(result: Result) -> list[str]:
    """Return a section without peers in Markdown: ratios first, misses marked, failures named."""
    lines = [f"## {result.title}", "", *([result.text, ""] if result.text else [])]
    if result.items:
        lines += ["| Figure | Target | Measured |", "|---|---|---|"]
        lines += [_row(item) for item in sorted(result.items, key=_follows_ratios)]
        lines.append("")
    if result.failure:
        lines += [f"**Not finished**: {_cell(result.failure)}", ""]
    elif not result.items:
        lines += ["Could not be measured.", ""]
    return lines


def _follows_ratios(item: Measured) -> bool:
    return not isinstance(item, Figure) or item.unit != RATIO


def _row(item: Measured) -> str:
    if isinstance(item, Skipped):
        return f"| {_cell(item.name)} | | not measured here: {_cell(item.reason)} |"
    mark = "" if item.is_reached else " **missed**"
    return f"| {_cell(item.name)} | {item.wanted} | {item.measured}{mark} |"


def _cell(text: str) -> str:
    """Return a text as it can be inside a table."""
    return " ".join(text.replace("|", "\\|").split())


@dataclass
class Page:
    """What was measured, in order. rounds: how often tools ran. scale: of the sizes."""

    versions: Mapping[str, str]
    rounds: int
    scale: float = 1
    _parts: list[str] = field(default_factory=list)
    _results: list[Result] = field(default_factory=list)
    _broken: list[str] = field(default_factory=list)
    _faster: list[str] = field(default_factory=list)

    def add(self, section: Section) -> None:
        """Add a table of tools."""
        self._parts += section.lines()
        if faster := section.faster():
            self._faster.append(f"{section.title}: {', '.join(faster)}")
        if section.ours not in section.figures:
            self._broken.append(section.title)

    def add_result(self, result: Result) -> None:
        """Add a table of figures next to their targets."""
        self._parts += table_of(result)
        self._results.append(result)
        if result.failure:
            self._broken.append(result.title)

    def write(self, target: Path, *, minutes: float) -> None:
        """Write the page. minutes: how long all took."""
        versions = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        about = [
            f"- **Machine**: {_processor()}, {os.cpu_count()} cores, {_memory_gb()} GB of memory, "
            f"{platform.system()} {platform.release().split('-')[0]}",
            f"- **Versions**: {versions}",
            f"- **When**: {datetime.now(UTC):%Y-%m-%d}, {minutes:.0f} minutes, {self._times()}; "
            "median, with the smallest and the largest in brackets",
            *([f"- **Scale**: {SCALED.format(scale=self.scale)}"] if self.scale != 1 else []),
            *self._targets(),
            *self._faster_tools(),
            "",
        ]
        how = HOW.replace("{slow_s}", str(SLOW_S))
        target.write_text("\n".join([HEAD, *about, *self._parts, how]), "utf-8")

    def _times(self) -> str:
        return "1 round" if self.rounds == 1 else f"{self.rounds} rounds"

    def _faster_tools(self) -> list[str]:
        """Return the lines about tools that take less CPU; their tables say what they leave out."""
        if not self._faster:
            return []
        head = "- **Faster than this engine**, with less work; the tables say what is left out:"
        return [head, *(f"  - {_cell(each)}" for each in self._faster)]

    def _targets(self) -> list[str]:
        """Return how many targets are met, and what was not finished or not measured."""
        items = [item for result in self._results for item in result.items]
        aimed = [item for item in items if isinstance(item, Figure) and item.target is not None]
        missed = [item.name for item in aimed if not item.is_reached]
        skipped = [item.name for item in items if isinstance(item, Skipped)]
        lines = []
        if aimed:
            lines.append(f"- **Targets**: {len(aimed) - len(missed)} of {len(aimed)} met")
        for what, names in (
            ("Missed", missed),
            ("Not measured here", skipped),
            ("Not finished", self._broken),
        ):
            if names:
                lines.append(f"- **{what}**: {'; '.join(map(_cell, names))}")
        return lines


def _spread(values: list[float]) -> str:
    return f"{median(values):.2f} ({min(values):.2f}–{max(values):.2f})"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _memory_gb() -> int:
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9)
