"""
What happens to every column, and what that costs: ``python -m eval price``.

Each set is measured as it is, and with columns and fields in another order (three seeds). Our own
exports (``sources``) were never fitted. ``python -m eval.fit --left-out`` prints the same for the
external sets with each catalog by weights that were fitted without it.
"""

import multiprocessing
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from eval.matching import sources
from eval.matching.labelled import SETS, SHIPPED, WORKERS, labelled_files
from eval.matching.outcomes import (
    PRICES,
    SEEDS,
    LabelledFile,
    f1,
    outcomes,
    price,
    shuffled,
    silenced,
)
from tabular.matching import propose
from tabular.matching.weighing import Model

_ERRORS = [name for name in PRICES if name != "right"]
Propose = Callable[..., object]


def main(arguments: list[str]) -> int:
    """Measure our own exports, and the external sets if there are some; ``--verbose`` lists all."""
    report(SHIPPED, is_verbose="--verbose" in arguments)
    return 0


def report(models: Mapping[str, Model], *, is_verbose: bool = False) -> None:
    """Print the outcomes of every set, with per-catalog models if there are some."""
    passes = [(name, models) for name in (*sources.PARTS, *_outside())]
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        measured = pool.starmap(measure, passes, chunksize=1)
    heads = " ".join(f"{name:>8}" for name in _ERRORS)
    print(f"\n{'':22} {'F1':>6} {'right':>6} {heads} {'silenced':>8} {'price':>6}")
    for (name, _), (counters, lines) in zip(passes, measured, strict=True):
        for order, counts in counters.items():
            _print(f"{name}, {order}", counts)
        if is_verbose:
            print("\n".join(lines))


def _outside() -> tuple[str, ...]:
    return SETS if "EVAL_SETS" in os.environ else ()


def files_of(name: str) -> Iterator[LabelledFile]:
    """Yield the files of a part of our exports or of an external set."""
    if name in sources.PARTS:
        yield from sources.exports(name)
    else:
        yield from labelled_files(Path(os.environ["EVAL_SETS"]).absolute() / "matching", name)


def measure(
    name: str, models: Mapping[str, Model] = SHIPPED
) -> tuple[dict[str, Counter[str]], list[str]]:
    """Return the counts of a set, as it is and shuffled, and a line for each error."""
    counters: dict[str, Counter[str]] = {"as is": Counter(), "shuffled": Counter()}
    lines: list[str] = []
    for file in files_of(name):
        model = models.get(f"{name}/{file.catalog_name}")
        plain = _outcomes_of(file, model)
        counters["as is"] += counts_of(file, plain)
        lines += [
            f"  {what:9} {file.about:28} {column!r}: {file.truth[column]}"
            for column, what in plain.items()
            if what != "right"
        ]
        for seed in SEEDS:
            other = _outcomes_of(shuffled(file, seed), model)
            counters["shuffled"] += counts_of(file, other)
            counters["shuffled"]["silenced"] += silenced(plain, other)["silenced"]
    return counters, lines


def _outcomes_of(file: LabelledFile, model: Model | None) -> dict[str, str]:
    proposal = propose(file.header, file.cells, catalog=file.catalog, model=model)
    return outcomes(proposal, file.truth)


def counts_of(file: LabelledFile, fields: Mapping[str, str]) -> Counter[str]:
    """Count outcomes, the columns that have one field, and those that got it."""
    counts = Counter(fields.values())
    single = [column for column, wanted in file.truth.items() if isinstance(wanted, str)]
    counts["fields"] = len(single)
    counts["fed"] = sum(fields[column] == "right" for column in single)
    return counts


def _print(title: str, counts: Counter[str]) -> None:
    shown = {name: counts[name] for name in PRICES}
    total = sum(shown.values()) or 1
    shares = " ".join(f"{counts[name] / total:>8.3f}" for name in _ERRORS)
    print(
        f"{title:22} {f1(counts, counts['fields']):>6.3f} {counts['right'] / total:>6.3f} {shares} "
        f"{counts['silenced'] / total:>8.3f} {price(shown):>6.1f}"
    )
