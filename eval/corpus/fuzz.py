"""Read mutated files: ``python -m eval fuzz FOLDER --files 20000``."""

from __future__ import annotations

import argparse
import secrets
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

from eval.corpus.mutations import mutated
from eval.corpus.outcomes import Outcome, outcome_of
from eval.corpus.report import pool, print_outcomes

FILES = 20_000
MOST_BYTES = 1_000_000  # of a file to mutate: many small ones find more than a few large ones
AT_ONCE = 400


@dataclass(frozen=True, slots=True)
class Mutant:
    """The result of one mutated file."""

    name: str
    mutation: str
    outcome: Outcome


def main(arguments: Sequence[str]) -> int:
    """Mutate and read files; return 1 if one crashed or exceeded a limit."""
    parser = argparse.ArgumentParser("eval fuzz", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--files", type=int, default=FILES, help="how many mutated files to read")
    parser.add_argument("--minutes", type=float, default=10.0, help="stop after so many minutes")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument("--keep", type=Path, help="a folder for what crashed or exceeded a limit")
    options = parser.parse_args(arguments)
    print(f"seed {options.seed} (--seed {options.seed} makes the same files)", flush=True)
    paths = sorted(
        path
        for folder in options.folders
        for path in folder.rglob("*")
        if path.is_file() and 0 < path.stat().st_size <= MOST_BYTES
    )
    if not paths:
        parser.error("the folder has no file of a megabyte or less")
    mutants = _read(paths, options)
    print(", ".join(f"{name} {n:,}" for name, n in Counter(m.mutation for m in mutants).items()))
    return print_outcomes([(f"{m.name} ({m.mutation})", m.outcome) for m in mutants])


def _read(paths: list[Path], options: argparse.Namespace) -> list[Mutant]:
    """Read mutants of the paths in turn, until there are enough or the time is over."""
    ends = time.monotonic() + 60 * options.minutes
    orders = (
        (paths[number % len(paths)], f"{options.seed}-{number}") for number in range(options.files)
    )
    mutants: list[Mutant] = []
    with pool() as workers:
        while time.monotonic() < ends and (some := list(islice(orders, AT_ONCE))):
            work = partial(_read_mutant, keep=options.keep)
            mutants += workers.map(work, some, chunksize=10)
    return mutants


def _read_mutant(order: tuple[Path, str], keep: Path | None) -> Mutant:
    path, seed = order
    name, content = mutated(path.read_bytes(), Random(seed))
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / path.name
        made.write_bytes(content)
        outcome = outcome_of(made)
    if keep and (outcome.kind == "crashed" or outcome.is_slow):
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{seed}-{path.name}").write_bytes(content)
    return Mutant(f"{path} {seed}", name, outcome)
