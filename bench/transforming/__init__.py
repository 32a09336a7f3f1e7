"""
A million rows read, converted, checked and staged, compared with reading alone.

Figures are ratios of CPU time within one rotation, because machines are noisy. ``python -m bench
peers`` compares with other tools.
"""

import json
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from bench.peers.contest import Racer, race
from bench.peers.generated import generate, truth_of
from bench.transforming.conditions import print_conditions
from bench.transforming.workload import OURS_BY_TRUTH

ROUNDS = 3


def main() -> None:
    """Print every figure."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        _million(work)
    print_conditions(ROUNDS)


def _million(work: Path) -> None:
    file = generate(1_000_000, work)
    floor = Racer("pyarrow open_csv, one thread", ["floor", str(file)])
    ours = Racer("read, transform, validate, stage", ["stage", str(file), str(work / "m1")])
    runs = race([floor, ours], rounds=ROUNDS)
    mine, alone = runs[ours.name], runs[floor.name]
    ratios = [o / f for f, o in zip(alone.cpu, mine.cpu, strict=True)]
    last = mine.last
    print(f"1,000,000 rows: CPU {median(mine.cpu):.2f} s, floor {median(alone.cpu):.2f} s,")
    print(f"  ratio {median(ratios):.2f} (allowed 5.5); of it reading {last['read_cpu']} s")
    _print_truth(last, truth_of(file))
    double = generate(2_000_000, work)
    twice = race([Racer("twice", ["stage", str(double), str(work / "m2")])], rounds=1)["twice"].last
    print(
        f"  peak memory {last['rss_mb']} MB (allowed 500), of 2,000,000 rows {twice['rss_mb']} MB"
    )
    double.unlink()
    cell = race([Racer("recheck", ["recheck", str(work / "m1")])], rounds=1)["recheck"].last
    print(
        f"  one edited cell rechecked in {cell['ms']:.1f} ms,"
        f" of it CPU {cell['cpu_ms']:.1f} ms (allowed 50)"
    )


def _print_truth(runs: dict[str, Any], truth: dict[str, int]) -> None:
    ours = {code: runs["by_code"].get(OURS_BY_TRUTH[code], 0) for code in truth}
    wrong = {code: (ours[code], truth[code]) for code in truth if ours[code] != truth[code]}
    print(f"  issue counts equal to the truth: {len(truth) - len(wrong)} of {len(truth)}", end="")
    print(f"; ours and theirs where not: {json.dumps(wrong)}" if wrong else "")
    print("  (a typing error that leaves an accepted spelling counts there and not here)")
