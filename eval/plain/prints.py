"""Print many plain tables as PDF and read them back: ``python -m eval papers``."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

from eval.plain.checks import Verdict, check
from eval.plain.papers import RULINGS, Ruling, is_printable, print_table
from eval.plain.tables import plain_table

SEEDS = 1_000
_SHOWN = 20
_CHUNK = 10
AIMS = {"grid": 1.0, "bare": 0.97, "header_line": 0.97, "stripes": 0.97}  # cells of one line
AIM_OF_WRAPPED = {"grid": 0.97, "bare": 0.9, "header_line": 0.9, "stripes": 0.9}


@dataclass(frozen=True, slots=True)
class Printed:
    """One document and its result."""

    seed: int
    ruling: Ruling
    wraps: bool
    verdict: Verdict

    @property
    def place(self) -> tuple[str, str]:
        """The class of papers it belongs to."""
        return ("wrapped" if self.wraps else "plain", self.ruling)


def main(seeds: int = SEEDS, first: int = 0) -> int:
    """Measure ``seeds`` tables on eight kinds of paper; return 1 if a figure is below its aim."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    wrong: list[Printed] = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for printed in pool.map(read_back, printable(seeds, first), chunksize=_CHUNK):
            for item in printed:
                counted = counts.setdefault(item.place, Counter())
                counted[item.verdict.outcome] += 1
                counted["compared"] += item.verdict.is_compared and item.verdict.outcome == "exact"
                counted["lost"] += item.verdict.has_lost_rows and not item.verdict.is_right
                if not item.verdict.is_right:
                    wrong.append(item)
    for item in sorted(wrong, key=lambda item: not item.verdict.has_lost_rows)[:_SHOWN]:
        print(f"  seed {item.seed}, {' '.join(item.place)}: {item.verdict.why[:150]}")
    return max(_print(place, counts[place]) for place in sorted(counts))


def printable(seeds: int, first: int = 0) -> Iterator[int]:
    """Return the first seeds whose tables the standard fonts can print."""
    return islice((seed for seed in count(first) if is_printable(plain_table(seed))), seeds)


def read_back(seed: int) -> list[Printed]:
    """Print the table of a seed in every way, and read each document."""
    table = plain_table(seed)
    printed = []
    with tempfile.TemporaryDirectory() as folder:
        for ruling in RULINGS:
            for wraps in (False, True):
                path = Path(folder) / f"{ruling}-{wraps}.pdf"
                verdict = check(table, print_table(table, ruling, path, wraps=wraps))
                printed.append(Printed(seed, ruling, wraps, verdict))
    return printed


def _print(place: tuple[str, str], outcomes: Counter[str]) -> int:
    total = outcomes["exact"] + outcomes["asked"] + outcomes["wrong"]
    right = 1 - outcomes["wrong"] / total
    aim = (AIM_OF_WRAPPED if place[0] == "wrapped" else AIMS)[place[1]]
    print(
        f"{' '.join(place)}: {right:.4f} right (aim {aim}), {outcomes['exact'] / total:.4f} exact, "
        f"{outcomes['asked'] / total:.4f} asked, {outcomes['lost']} lost rows in silence, "
        f"{outcomes['compared']} to compare though exact, "
        f"{total} files",
        flush=True,
    )
    return int(right < aim or outcomes["lost"] > 0)
