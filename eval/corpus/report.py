"""Read many files at once in limited children, and print what became of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from eval.corpus.outcomes import MOST_MEGABYTES, MOST_SECONDS, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

SHOWN = 40


def pool() -> ProcessPoolExecutor:
    """Return one new process for each core; each has a server that forks its jobs."""
    return ProcessPoolExecutor(os.cpu_count(), get_context("spawn"))


def each(work: Callable[[Path], Outcome], paths: Iterable[Path]) -> Iterator[tuple[Path, Outcome]]:
    """Yield every path with its outcome, in order."""
    listed = list(paths)
    with pool() as workers:
        yield from zip(listed, workers.map(work, listed, chunksize=8), strict=True)


def print_outcomes(outcomes: list[tuple[str, Outcome]]) -> int:
    """Print the counts, and every file beyond a bound; return 1 if there is one."""
    kinds = Counter(outcome.kind for _, outcome in outcomes)
    print(f"{len(outcomes):,} files: " + ", ".join(f"{n:,} {kind}" for kind, n in kinds.items()))
    _print_counts("formats", (o.file_format for _, o in outcomes if o.kind == "read"))
    _print_counts("refusals", (o.code for _, o in outcomes if o.kind == "refused"))
    _print_counts("questions", (kind for _, o in outcomes for kind in o.questions))
    seconds = sorted(outcome.seconds for _, outcome in outcomes)
    memory = max((outcome.megabytes for _, outcome in outcomes), default=0.0)
    if seconds:
        print(
            f"  seconds a file: median {seconds[len(seconds) // 2]:.2f}, most {seconds[-1]:.2f} "
            f"(limit {MOST_SECONDS:.0f}); memory: most {memory:,.0f} MB (limit {MOST_MEGABYTES:,})"
        )
    beyond = [(name, o) for name, o in outcomes if o.kind == "crashed" or o.is_slow]
    for name, outcome in beyond[:SHOWN]:
        what = outcome.code if outcome.kind == "crashed" else outcome.kind
        print(f"  {name}: {what}, {outcome.seconds:.1f} s, {outcome.megabytes:,.0f} MB")
        for line in outcome.sentence.splitlines()[-6:]:
            print(f"      {line}")
    crashes = kinds["crashed"]
    print(f"  crashes: {crashes}, beyond a limit: {len(beyond) - crashes}")
    return int(bool(beyond))


def _print_counts(title: str, names: Iterable[str]) -> None:
    counts = Counter(names).most_common()
    if counts:
        print(f"  {title}: " + ", ".join(f"{name} {count:,}" for name, count in counts))
