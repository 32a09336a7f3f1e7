"""
What each rule and constant of reading is worth: ``python -m eval ablation reading [NAME...]``.

One thing is removed at a time, in a forked process of its own, and a sample of files that it was
not made for is read again: outside texts and documents, generated plain, odd and printed ones. Only
the files that use the thing are read again. The table shows how many more files are right without
it; a rule earns its place where that is negative, or where more would be wrong in silence.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import pkgutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path

import tabular.reading
from eval.matching.labelled import WORKERS
from eval.reading import cases
from eval.reading.cases import FIGURES, Case, Grade
from eval.reading.removals import Removal, forget, removals, without
from eval.reading.twins import failing_test
from eval.reading.uses import Uses

FILES = 120  # of a set of texts
PAPERS = 4  # so many times fewer documents of a set: each takes ten times as long
TOGETHER = 8  # files that a process reads while nothing is removed
SHOWN_NAMES = 3
COUNTED = FIGURES.index("cells")  # the figure of which parts of files count
SETS = {  # and whether it is of documents
    "outside": (cases.outside_texts, False, True),
    "plain": (cases.plain_texts, False, False),
    "odd": (cases.odd_texts, False, False),
    "pdf": (cases.outside_pdfs, True, True),
    "papers": (cases.plain_papers, True, False),
    "printed": (cases.printed_papers, True, False),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """A file as it is read with every rule: its grade, and the removals it may notice."""

    grade: Grade
    seconds: float
    uses: frozenset[int]


@dataclass(frozen=True, slots=True)
class Change:
    """What a removal does: by set, the sum of the differences, and which files changed."""

    read: int
    by_set: dict[str, Grade]
    changed: tuple[str, ...] = ()
    saved: float = 0.0  # seconds of CPU in all files, measured in turns
    twin: str = ""  # a test that fails without what no file misses

    @property
    def total(self) -> Grade:
        """The sum over all sets."""
        return _sum(self.by_set.values())

    @property
    def gain(self) -> float:
        """How much more is right with the rule, in files; a silent error counts as one more."""
        total = self.total
        return total.silent - (total.header + total.columns + total.rows + total.whole) / 4


@dataclass(slots=True)
class Laboratory:
    """What the forked processes share."""

    cases: list[Case]
    removals: list[Removal]
    measured: list[Measured]
    rounds: int = 0
    tests: Sequence[str] = ()
    uses: Uses | None = None


_kept: list[Laboratory] = []


def main(arguments: Sequence[str] = ()) -> int:
    """Print the table; arguments: parts of the names of what is removed, all without."""
    options = _options(arguments)
    every = list(removals())
    wanted = [
        removal
        for removal in every
        if not options.names or any(name in removal.title for name in options.names)
    ]
    for module in pkgutil.walk_packages(tabular.reading.__path__, "tabular.reading."):
        importlib.import_module(module.name)  # before the forks: none of them loads it again
    with tempfile.TemporaryDirectory() as made:
        folder = Path(options.keep or made)
        folder.mkdir(parents=True, exist_ok=True)
        kept = Laboratory(list(_cases(options, folder)), wanted, [], options.rounds, options.tests)
        kept.uses = Uses(wanted)
        _kept[:] = [kept]
        with _forked() as pool:
            kept.measured = pool.map(_read, range(len(kept.cases)), chunksize=TOGETHER)
        _print_base(kept)
        with _forked() as pool:  # forked again: with what was measured
            numbers = range(len(wanted))
            for number, change in enumerate(pool.imap(_measure, numbers, chunksize=1)):
                _print(wanted[number], change)
    gc.unfreeze()
    return 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("eval ablation reading", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of the names of what is removed")
    parser.add_argument("--files", type=int, default=FILES, help="of a set of texts")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--tests", nargs="+", default=(), help="run if no file misses a rule")
    parser.add_argument("--keep", help="a folder that keeps the generated files")
    parser.add_argument(
        "--rounds", type=int, default=0, help="measure the CPU, so many times with and without"
    )
    return parser.parse_args(arguments)


def _forked() -> Pool:
    """Return processes that end after each task: what one replaced cannot reach another."""
    gc.freeze()  # what is there is shared, not copied by the collector of each process
    return get_context("fork").Pool(WORKERS, maxtasksperchild=1)


def _cases(options: argparse.Namespace, folder: Path) -> Iterator[Case]:
    """Yield the sample of each set, and name it."""
    outside = os.environ.get("EVAL_SETS")
    for name in options.sets:
        make, has_pages, is_outside = SETS[name]
        if is_outside and outside is None:
            print(f"NOT MEASURED {name}: EVAL_SETS does not name a folder of test sets.")
            continue
        place = Path(outside or "").absolute() if is_outside else folder
        sample = make(place, max(1, options.files // (PAPERS if has_pages else 1)))
        names = [case.name for case in sample]
        shown = ", ".join([*names[:SHOWN_NAMES], "...", *names[-1:]])
        print(f"set {name}: {len(sample)} files ({shown})", flush=True)
        yield from sample


def _read(number: int) -> Measured:
    kept = _kept[0]
    case = kept.cases[number]
    case.grade()  # what is loaded on first use is loaded now
    grade, seconds = case.grade()
    uses = kept.uses.of(case.grade) if kept.uses else frozenset()
    return Measured(grade, seconds, uses)


def _measure(number: int) -> Change:
    """Read the files that use a rule again, without it."""
    kept = _kept[0]
    pairs = [
        (case, measured)
        for case, measured in zip(kept.cases, kept.measured, strict=True)
        if number in measured.uses
    ]
    by_set: dict[str, Grade] = {}
    changed = []
    with without(kept.removals[number]):
        for case, measured in pairs:
            grade, _ = case.grade()
            difference = grade.minus(measured.grade)
            by_set[case.of_set] = _sum((by_set.get(case.of_set, Grade()), difference))
            if grade != measured.grade:
                changed.append(f"{case.of_set} {case.name}")
    saved = sum(_saved(kept.removals[number], case, kept.rounds) for case, _ in pairs)
    is_tested = kept.tests and not changed
    twin = failing_test(kept.removals[number], kept.tests) if is_tested else ""
    return Change(len(pairs), by_set, tuple(changed), saved, twin)


def _saved(removal: Removal, case: Case, rounds: int) -> float:
    """Return the seconds that a file takes less without a rule: the best of each, in turns."""
    times: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(rounds):
        times[True].append(_seconds(case))
        with without(removal):
            times[False].append(_seconds(case))
    return min(times[True]) - min(times[False]) if rounds else 0.0


def _seconds(case: Case) -> float:
    forget()
    started = time.process_time()
    case.grade()
    return time.process_time() - started


def _sum(grades: Iterable[Grade]) -> Grade:
    columns = zip(*(astuple(grade) for grade in grades), strict=True)
    return Grade(*(sum(column) for column in columns))


def _print_base(kept: Laboratory) -> None:
    sets = Counter(case.of_set for case in kept.cases)
    print(f"\n{'':52} {' '.join(f'{name:>8}' for name in FIGURES)}")
    for name, count in sets.items():
        grades = [
            measured.grade
            for case, measured in zip(kept.cases, kept.measured, strict=True)
            if case.of_set == name
        ]
        shares = " ".join(f"{value / count:>8.3f}" for value in astuple(_sum(grades)))
        print(f"{f'{name}: of {count} files':52} {shares}")
    seconds = sum(measured.seconds for measured in kept.measured)
    print(f"{seconds / len(kept.cases) * 1000:.1f} ms of CPU a file\n")
    columns = " ".join(f"{name:>8}" for name in FIGURES)
    print(f"{'files more right without it':46} {'read':>5} {columns}  gain", flush=True)


def _print(removal: Removal, change: Change) -> None:
    figures = " ".join(
        f"{value:>+8.2f}" if place == COUNTED else f"{value:>+8.0f}"
        for place, value in enumerate(astuple(change.total))
    )
    print(
        f"{removal.title:46} {change.read:>5} {figures}  {_verdict(change)}"
        + (f" {change.saved * 1000:+.1f} ms" if change.saved else ""),
        flush=True,
    )


def _verdict(change: Change) -> str:
    if not change.changed:
        return f"no gain{f'; fails: {change.twin}' if change.twin else ''}"
    where = ", ".join(
        f"{name} {grade.whole:+.0f}" for name, grade in change.by_set.items() if grade.whole
    )
    cost = "" if change.gain > 0 else " COSTS" if change.gain < 0 else " even"
    return f"{change.gain:.2f}{cost} ({where or change.changed[0]})"
