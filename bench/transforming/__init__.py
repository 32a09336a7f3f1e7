"""
A million rows read, converted, checked and staged, compared with floors, peers and loops.

``python -m bench transforming``; EVAL_SETS names the folder of test sets. Figures are ratios of CPU
time within one rotation, because machines are noisy.
"""

import json
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from bench.transforming.contest import Racer, peers_python, race
from bench.transforming.workload import OURS_BY_TRUTH, generate, truth_of

ROUNDS = 3


def main(sets: Path) -> None:
    """Print every figure."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        _million(sets, work)
        _hundred_thousand(sets, work)


def _million(sets: Path, work: Path) -> None:
    file = generate(sets, 1_000_000, work)
    floor = Racer("pyarrow open_csv, one thread", ["floor", str(sets), str(file)])
    ours = Racer("read, transform, validate, stage", ["stage", str(file), str(work / "m1")])
    runs = race([floor, ours], rounds=ROUNDS)
    ratios = [o["cpu"] / f["cpu"] for f, o in zip(runs[floor.name], runs[ours.name], strict=True)]
    last = runs[ours.name][-1]
    print(f"1,000,000 rows: CPU {_cpu(runs[ours.name])} s, floor {_cpu(runs[floor.name])} s,")
    print(f"  ratio {median(ratios):.2f} (allowed 5.5); of it reading {last['read_cpu']} s")
    _print_truth(last, truth_of(file))
    double = generate(sets, 2_000_000, work)
    twice = race([Racer("twice", ["stage", str(double), str(work / "m2")])], rounds=1)["twice"][0]
    print(
        f"  peak memory {last['rss_mb']} MB (allowed 500), of 2,000,000 rows {twice['rss_mb']} MB"
    )
    double.unlink()
    cell = race([Racer("recheck", ["recheck", str(work / "m1")])], rounds=1)["recheck"][0]
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


def _hundred_thousand(sets: Path, work: Path) -> None:
    file = generate(sets, 100_000, work)
    python = peers_python(sets)
    racers = [
        Racer("ours, whole process", ["stage", str(file), str(work / "k100")]),
        Racer("ours, warm process", ["warm", str(file), str(work / "k100w")]),
        Racer("Python loop", ["loop", str(file)]),
        Racer("Node loop", ["node", str(file)]),
    ]
    if python:
        peer = str(sets / "perf" / "peers.py")
        for tool in ("frictionless", "die", "pandera_pd", "pandera_pl"):
            racers.append(Racer(tool, [python, peer, tool, str(file)], is_ours=False))
    results = race(racers, rounds=ROUNDS if python is None else 1)
    whole = median(run["process_cpu"] for run in results["ours, whole process"])
    warm = median(run["cpu"] for run in results["ours, warm process"])
    print(
        "100,000 rows: process CPU s, CPU of the work s, times ours as a process, times ours warm"
    )
    for name, runs in results.items():
        if not runs:
            print(f"  {name:28s} could not be measured here")
            continue
        process, cpu = median(r["process_cpu"] for r in runs), median(r["cpu"] for r in runs)
        print(f"  {name:28s}{process:8.2f}{cpu:8.2f}{process / whole:8.1f}{cpu / warm:8.1f}")


def _cpu(runs: list[dict[str, Any]]) -> str:
    return f"{median(run['cpu'] for run in runs):.2f}"
