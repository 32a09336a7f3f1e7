"""
Whether drift of feeds is noticed, and ordinary files are not: ``python -m eval drift``.

Each feed has two years of ordinary weekly files, compared with the ten before them. Then each kind
of change is made to files of feeds with a few or with ten predecessors, but not to tiny ones.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator

import pyarrow as pa

from eval.drift.changes import CHANGES, Weeks
from eval.drift.feeds import KINDS, TINY, File
from feeds.drift.comparing import PREDECESSORS, compare
from feeds.drift.finding import Finding
from feeds.drift.measuring import ColumnValues, picture_of
from feeds.drift.picture import Picture
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import read_column

WEEKS = 104
AIM_ALARMS = 1 / 200
AIM_RECALL = 0.9
HISTORIES = (2, 4, 10)  # predecessors that a changed file is compared with


def picture(file: File) -> Picture:
    """Return the picture of a generated file, its values read as those of an import are."""
    columns = []
    for place, (header, cells) in enumerate(file.cells.items()):
        texts = pa.array(cells, pa.string())
        kind = file.types.get(header)
        values = None
        if kind is not None:
            values = pa.chunked_array([read_column(texts, kind, ParseOptions()).values])  # type: ignore[arg-type]  # the names of the generator
        columns.append(
            ColumnValues(header, place, pa.chunked_array([texts]), header, kind or "", values)
        )
    return picture_of(columns, rows=file.rows, day=file.day)


def ordinary(kind: str, seed: int) -> Iterator[tuple[int, tuple[Finding, ...]]]:
    """Yield what is noticed about each ordinary file of a feed, with its week."""
    feed = KINDS[kind](seed)
    before: list[Picture] = []
    for week in range(WEEKS):
        now = picture(feed.file(week))
        yield week, compare(now, before[-PREDECESSORS:])
        before.append(now)


def changed(kind: str, seed: int, history: int) -> Iterator[tuple[str, tuple[Finding, ...]]]:
    """Yield what is noticed about a file of a feed after each change that it can have."""
    feed = KINDS[kind](seed)
    drawn = random.Random(f"changes/{kind}/{seed}/{history}")
    files = [feed.file(week) for week in range(drawn.randrange(60) + history + 1)][-history - 1 :]
    weeks = Weeks(files[-1], files[:-1], drawn)
    pictures = [picture(file) for file in weeks.before]
    for name, change in CHANGES.items():
        file = change(weeks)
        if file is not None:
            yield name, compare(picture(file), pictures)


def main(arguments: list[str]) -> int:
    """Print false alarms and recall; return 1 if one of them misses its aim."""
    parser = argparse.ArgumentParser(prog="python -m eval drift", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first feed of each kind")
    parser.add_argument("--feeds", type=int, default=5, help="feeds of each kind")
    parser.add_argument("--verbose", action="store_true", help="print every miss and false alarm")
    options = parser.parse_args(arguments)
    seeds = range(options.seed * 1_000, options.seed * 1_000 + options.feeds)
    alarms = _alarms(seeds, verbose=options.verbose)
    recall = _recall(seeds, verbose=options.verbose)
    return int(alarms > AIM_ALARMS or recall < AIM_RECALL)


def _alarms(seeds: range, *, verbose: bool) -> float:
    files = alarms = 0
    for kind in KINDS:
        wrong = 0
        for seed in seeds:
            for week, findings in ordinary(kind, seed):
                files += 1
                wrong += bool(findings)
                if findings and verbose:
                    print(f"  {kind} {seed}, week {week}: {_words(findings)}")
        alarms += wrong
        print(f"{kind}: {wrong} false alarms in {len(seeds) * WEEKS} ordinary files", flush=True)
    print(
        f"all: {alarms} false alarms in {files} ordinary files, 1 in {files / max(1, alarms):.0f}"
    )
    return alarms / files


def _recall(seeds: range, *, verbose: bool) -> float:
    total: Counter[tuple[str, int]] = Counter()
    noticed: Counter[tuple[str, int]] = Counter()
    for kind in (kind for kind in KINDS if kind not in TINY):
        for seed in seeds:
            for history in HISTORIES:
                for name, findings in changed(kind, seed, history):
                    total[name, history] += 1
                    noticed[name, history] += bool(findings)
                    if verbose and not findings:
                        print(f"  missed: {name}, {kind} {seed}, {history} predecessors")
                    elif verbose:
                        print(f"  {name}, {kind} {seed}, {history}: {_words(findings)}")
    for name in CHANGES:
        figures = [
            f"{noticed[name, history]}/{total[name, history]} after {history}"
            for history in HISTORIES
            if total[name, history]
        ]
        print(f"{name}: {', '.join(figures)}")
    share = noticed.total() / max(1, total.total())
    print(f"all: {share:.3f} of {total.total()} changed files noticed")
    return share


def _words(findings: tuple[Finding, ...]) -> str:
    return "; ".join(
        f"{f.code} {f.column or ''} {dict(f.before)} -> {dict(f.after)}" for f in findings
    )
