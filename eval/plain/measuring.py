"""Read many plain tables and print a figure per class: ``python -m eval plain``."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from eval.plain.checking import Verdict, check
from eval.plain.tables import PlainTable, plain_table
from eval.plain.writers import FORMATS, write

SEEDS = 20_000
WORKBOOK_EVERY = 4  # every so many seeds the table is written as a workbook, too
_SHOWN = 20
AIMS = {"two or more columns and rows": 0.999, "one column": 0.995, "one row": 0.995}


@dataclass(frozen=True, slots=True)
class Case:
    """One file and what came of it."""

    table: PlainTable
    file_format: str
    verdict: Verdict


def main(seeds: int = SEEDS, first: int = 0, formats: tuple[str, ...] = tuple(FORMATS)) -> int:
    """Measure ``seeds`` tables; 1 where a figure is below its aim."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    wrong: list[Case] = []
    for case in _cases(range(first, first + seeds), formats):
        place = (case.file_format, _class_of(case.table))
        counts.setdefault(place, Counter())[case.verdict.outcome] += 1
        if not case.verdict.is_right:
            wrong.append(case)
    for case in wrong[:_SHOWN]:
        print(f"  seed {case.table.seed} as {case.file_format}: {case.verdict.why[:150]}")
    return max(_print(place, counts[place]) for place in sorted(counts))


def _cases(seeds: range, formats: tuple[str, ...]) -> Iterator[Case]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for seed in seeds:
            table = plain_table(seed)
            for file_format in formats:
                if file_format != "csv" and seed % WORKBOOK_EVERY:
                    continue
                path = write(table, file_format, folder)
                yield Case(table, file_format, check(table, path))
                path.unlink()


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
