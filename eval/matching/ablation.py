"""
What each rule, feature and constant of matching is worth: ``python -m eval ablation [NAME...]``.

One thing is removed at a time. Features are removed before the weights are fitted again. The sets
are those that it was not made for: our exports ``judge`` and ``proof``, and ``second`` with weights
fitted without it; each as it is and in another order. A positive change of the price (per hundred
columns) means that the rule earns its place.
"""

import gc
import importlib
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from eval import fit
from eval.fit import Example
from eval.matching.labelled import WORKERS
from eval.matching.outcomes import PRICES, LabelledFile, f1, outcomes, price, shuffled
from eval.matching.prices import counts_of, files_of
from eval.matching.removals import Removal, removals
from tabular.matching.evidence import Evidence, gather, weigh_again
from tabular.matching.features import FEATURES
from tabular.matching.learning import Learned
from tabular.matching.proposing import decide
from tabular.matching.weighing import CONTEXT, Model, in_context
from tabular.vocabulary.lexicon import lexicon

JUDGES = ("judge", "proof", "second")
SEED = 1
SILENT = ("left out", "wrong", "taken")
ASKED = ("asked", "misled", "needless")
NOTHING = 0.05  # change of a price below which a rule gains nothing
Models = Mapping[str, Model]


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled file of a set, and its evidence with nothing removed."""

    of_set: str
    file: LabelledFile
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Laboratory:
    """What a process measures with."""

    read: Sequence[Example]
    cases: Sequence[Case]
    models: Models


_kept: list[Laboratory] = []  # of this process


def main(arguments: list[str]) -> int:
    """Print the table; arguments: parts of the names of what is removed, all without."""
    if "EVAL_SETS" not in os.environ:
        print("EVAL_SETS does not name a folder of test sets; nothing was measured.")
        return 2
    folder = Path(os.environ["EVAL_SETS"]).absolute() / "matching"
    wanted = [
        removal
        for removal in removals()
        if not arguments or any(word in removal.title for word in arguments)
    ]
    read = fit.examples(folder)
    with multiprocessing.get_context("spawn").Pool(WORKERS, _prepare, (read,)) as pool:
        (base,) = pool.map(measure, [None])
        _print_base(base)
        for removal, counted in zip(wanted, pool.imap(measure, wanted), strict=True):
            _print(removal, base, counted)
    return 0


def _prepare(read: list[Example]) -> None:
    """Read every file once in this process."""
    files = [(name, file) for name in JUDGES for file in files_of(name)]
    both = [item for name, file in files for item in ((name, file), (name, shuffled(file, SEED)))]
    cases = [Case(name, file, _gather(file)) for name, file in both]
    _kept.append(Laboratory(read, cases, _models(read)))


def _gather(file: LabelledFile) -> Evidence:
    return gather(file.header, file.cells, file.catalog, Learned())


def _models(read: Sequence[Example]) -> Models:
    """Fit the weights for each judging set without that set."""
    elsewhere = [example for example in read if not example.catalog.startswith("second/")]
    everywhere = fit.fit(read)
    return {"judge": everywhere, "proof": everywhere, "second": fit.fit(elsewhere)}


def measure(removal: Removal | None) -> dict[str, Counter[str]]:
    """Return the outcomes of each set without one thing."""
    kept = _kept[0]
    if removal is None:
        return _outcomes(kept.cases, kept.models)
    if removal.again == "fit":
        with _masked(removal):
            return _outcomes(kept.cases, _models(_without(kept.read, removal)))
    with _replaced(removal):
        cases = kept.cases
        if removal.again == "read":
            cases = [replace(case, evidence=_gather(case.file)) for case in cases]
        return _outcomes(cases, kept.models)


def _without(read: Sequence[Example], removal: Removal) -> Sequence[Example]:
    """Return the examples with a feature that never says anything."""
    if removal.part != "pair":
        return read
    place = FEATURES.index(removal.name)
    return [
        replace(
            example,
            features={
                pair: (*values[:place], 0.0, *values[place + 1 :])
                for pair, values in example.features.items()
            },
        )
        for example in read
    ]


@contextmanager
def _masked(removal: Removal) -> Iterator[None]:
    """Let a feature of the second layer say nothing while weights are fitted."""
    if removal.part != "context":
        yield
        return
    place, plain = CONTEXT.index(removal.name), in_context

    def masked(
        *arguments: Mapping[tuple[int, int], float],
    ) -> dict[tuple[int, int], tuple[float, ...]]:
        return {
            pair: (*values[:place], 0.0, *values[place + 1 :])
            for pair, values in plain(*arguments).items()
        }

    vars(fit)["in_context"] = masked
    try:
        yield
    finally:
        vars(fit)["in_context"] = plain


@contextmanager
def _replaced(removal: Removal) -> Iterator[None]:
    """Replace a rule or a constant in every module that uses it."""
    owner = importlib.import_module(f"tabular.{removal.part}")
    plain, other = getattr(owner, removal.name), removal.replacement()
    users = [
        module
        for name, module in sys.modules.items()
        if name.startswith("tabular.") and getattr(module, removal.name, None) is plain
    ]
    for module in users:
        setattr(module, removal.name, other)
    _forget()
    try:
        yield
    finally:
        for module in users:
            setattr(module, removal.name, plain)
        _forget()


def _forget() -> None:
    """Clear what functions of matching remember, except the vocabulary itself."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("tabular.vocabulary", "tabular.matching")):
            for function in list(vars(module).values()):
                if hasattr(function, "cache_clear") and function is not lexicon:
                    function.cache_clear()
    gc.collect()


def _outcomes(cases: Sequence[Case], models: Models) -> dict[str, Counter[str]]:
    counted = {name: Counter[str]() for name in JUDGES}
    for case in cases:
        weigh_again(case.evidence, models[case.of_set])
        happened = outcomes(decide(case.evidence), case.file.truth)
        counted[case.of_set] += counts_of(case.file, happened)
    return counted


def _price(counts: Mapping[str, int]) -> float:
    return price({name: counts[name] for name in PRICES})


def _share(counts: Mapping[str, int], names: Sequence[str]) -> float:
    return sum(counts[name] for name in names) / (sum(counts[name] for name in PRICES) or 1)


def _print_base(base: Mapping[str, Counter[str]]) -> None:
    whole = sum(base.values(), Counter[str]())
    prices = " ".join(f"{_price(base[name]):>8.1f}" for name in JUDGES)
    print(f"{'':44} {'F1':>7} {'silent':>7} {'asked':>7}  {' '.join(f'{n:>8}' for n in JUDGES)}")
    print(
        f"{'nothing removed':44} {f1(whole, whole['fields']):>7.3f} {_share(whole, SILENT):>7.3f} "
        f"{_share(whole, ASKED):>7.3f}  {prices}   all {_price(whole):.1f}"
    )


def _print(
    removal: Removal, base: Mapping[str, Counter[str]], counted: Mapping[str, Counter[str]]
) -> None:
    before, after = (sum(of.values(), Counter[str]()) for of in (base, counted))
    changes = [_price(counted[name]) - _price(base[name]) for name in JUDGES]
    whole = _price(after) - _price(before)
    verdict = "" if whole > NOTHING else "no gain" if whole > -NOTHING else "COSTS"
    print(
        f"{removal.title:44} {f1(after, after['fields']) - f1(before, before['fields']):>+7.3f} "
        f"{_share(after, SILENT) - _share(before, SILENT):>+7.3f} "
        f"{_share(after, ASKED) - _share(before, ASKED):>+7.3f}  "
        f"{' '.join(f'{change:>+8.1f}' for change in changes)}   all {whole:+.1f} {verdict}",
        flush=True,
    )
