"""The page with the figures: tables of ratios, with the machine and the versions."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from bench.peers.contest import Figures

HEAD = """# Benchmarks

`make bench` wrote this page on the machine below. It generates its files, installs the other tools
at pinned versions in an environment of their own, and runs all in turn, so that a busy moment hits
each alike. Machines differ: compare the ratios, not the seconds. *Ratio* is the CPU time of a tool
divided by that of this engine: below 1, the tool is faster.
"""
HOW = """## How it is measured

- Each run is a process of its own. *CPU* is user and system time of the process with its start-up,
  unless the table says that imports are not counted. *Peak* is its largest resident memory.
- The files come from `bench/peers/generated.py` with a fixed seed;
  `python -m bench.peers.generated ROWS FILE` writes one.
- Each tool gets the rules that it can express: see `bench/peers/tools.py` and
  `bench/peers/browser_loop.mjs`. Where it does less than the engine, the table says so.
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

    def _cpu(self, name: str) -> list[float]:
        figures = self.figures[name]
        return figures.cpu if self.is_work and figures.cpu else figures.process_cpu


@dataclass
class Page:
    """What was measured, in order."""

    versions: Mapping[str, str]
    rounds: int
    _parts: list[str] = field(default_factory=list)

    def add(self, section: Section) -> None:
        """Add a table."""
        self._parts += section.lines()

    def add_printed(self, title: str, command: str, printed: str) -> None:
        """Add what a command prints."""
        self._parts += [f"## {title}", "", f"`{command}`:", "", "```text", printed, "```", ""]

    def write(self, target: Path) -> None:
        """Write the page."""
        versions = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        about = [
            f"- **Machine**: {_processor()}, {os.cpu_count()} cores, {_memory_gb()} GB of memory, "
            f"{platform.system()} {platform.release().split('-')[0]}",
            f"- **Versions**: {versions}",
            f"- **When**: {datetime.now(UTC):%Y-%m-%d}, {self.rounds} rounds; median, "
            "with the smallest and the largest in brackets",
            "",
        ]
        target.write_text("\n".join([HEAD, *about, *self._parts, HOW]), "utf-8")


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
