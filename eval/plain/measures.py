"""
Read many plain tables and print a figure per class: ``python -m eval plain``.

Every table is read as delimited text, every fourth one also as a workbook and a page: 20,000 and
four times 5,000 files, about eight minutes of one core, distributed over all cores.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from eval.plain.checks import Verdict, check
from eval.plain.tables import PlainTable, plain_table
from eval.plain.writers import FORMATS, write

SEEDS = 20_000
WORKBOOK_EVERY = 4  # every so many seeds, the table is also written as a workbook
_SHOWN = 20
_CHUNK = 50  # seeds per task of a process
AIMS = {"two or more columns and rows": 0.999, "one column": 0.995, "one row": 0.995}


@dataclass(frozen=True, slots=True)
class Case:
    """One file and its result."""

    table: PlainTable
    file_format: str
    verdict: Verdict


def main(seeds: int = SEEDS, first: int = 0, formats: tuple[str, ...] = tuple(FORMATS)) -> int:
    """Measure ``seeds`` tables; return 1 if a figure is below its aim."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    wrong: list[Case] = []
    for case in _all_cases(range(first, first + seeds), formats):
        place = (case.file_format, _class_of(case.table))
        counts.setdefault(place, Counter())[case.verdict.outcome] += 1
        if not case.verdict.is_right:
            wrong.append(case)
    for case in wrong[:_SHOWN]:
        print(f"  seed {case.table.seed} as {case.file_format}: {case.verdict.why[:150]}")
    return max(_print(place, counts[place]) for place in sorted(counts))


def _all_cases(seeds: range, formats: tuple[str, ...]) -> Iterator[Case]:
    chunks = [seeds[at : at + _CHUNK] for at in range(0, len(seeds), _CHUNK)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for cases in pool.map(_cases, chunks, [formats] * len(chunks)):
            yield from cases


def _cases(seeds: range, formats: tuple[str, ...]) -> list[Case]:
    with tempfile.TemporaryDirectory() as folder:
        return [
            _case(plain_table(seed), file_format, Path(folder))
            for seed in seeds
            for file_format in formats
            if file_format == "csv" or not seed % WORKBOOK_EVERY
        ]


def _case(table: PlainTable, file_format: str, folder: Path) -> Case:
    path = write(table, file_format, folder)
    verdict = check(table, path)
    path.unlink()
    return Case(table, file_format, verdict)


def _class_of(table: PlainTable) -> str:
    if len(table.header) == 1:
        return "one column"
    return "one row" if len(table.rows) == 1 else "two or more columns and rows"


def _print(place: tuple[str, str], outcomes: Counter[str]) -> int:
    total = outcomes.total()
    right = 1 - outcomes["wrong"] / total
    aim = AIMS[place[1]]
    print(
        f"{place[0]}, {place[1]}: {right:.4f} right (aim {aim}), {outcomes['exact'] / total:.4f} "
        f"exact, {outcomes['asked'] / total:.4f} asked, {total} files",
        flush=True,
    )
    return int(right < aim)
