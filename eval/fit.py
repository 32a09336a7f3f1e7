"""
Fit the weights of the matcher: ``python -m eval.fit``.

Every labelled set is read whole, and with 15 and 35 % of the vocabulary's terms missing: unchanged,
with its columns shuffled, and with half of the fields removed. The weights must not learn that the
vocabulary is never wrong, that columns are in the catalog's order, or that every remaining column
feeds a remaining field. The first layer is a logistic regression, the second a conditional logit:
each column chooses one of its fields or none, and each field one of its columns or none. Both use
Newton's method with a ridge; weights are rounded to two digits, so that the file is the same on
every machine. ``--left-out`` prints the figures of each catalog with weights that were fitted
without it.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from eval.matching import labelled, prices
from eval.matching.labelled import DRAWS, SETS, SHARES, WORKERS, labelled_files, thin_out
from tabular.matching.evidence import gather
from tabular.matching.features import FEATURES
from tabular.matching.learning import Learned
from tabular.matching.weighing import CONTEXT, Model, Pair, in_context

WEIGHTS = Path(__file__).resolve().parent.parent / "tabular" / "matching" / "weights.json"
RIDGE = 1.0
ROUNDS = 50
NEAR = 1e-9  # the last step
DIGITS = 2

# Weights of features without labelled data keep their prior: the sets contain no detectors.
PRIOR = {"detected": 3.0, "undetected": -1.0, "repeating": -1.0}

Floats = npt.NDArray[np.float64]
UNFITTED = Model(dict.fromkeys((*FEATURES, "bias"), 0.0), dict.fromkeys((*CONTEXT, "bias"), 0.0))


@dataclass(frozen=True, slots=True)
class Example:
    """One file's candidate pairs, and which of them are right; None where people disagree."""

    catalog: str  # the names of the set and of the catalog
    features: Mapping[Pair, tuple[float, ...]]
    right: Mapping[Pair, bool | None]


def main(arguments: list[str]) -> int:
    """Fit on all sets and write the weights."""
    if "EVAL_SETS" not in os.environ:
        print("EVAL_SETS does not name a folder of test sets; nothing was fitted.")
        return 2
    folder = Path(os.environ["EVAL_SETS"]).absolute() / "matching"
    read = examples(folder)
    if "--left-out" in arguments:
        models = left_out(read)
        labelled.report(folder, models)
        prices.report(models)
        return 0
    model = fit(read)
    text = json.dumps({"pair": model.pair, "context": model.context}, indent=1)
    WEIGHTS.write_text(text + "\n", "utf-8")
    print(f"{WEIGHTS.name}: {len(model.pair)} and {len(model.context)} weights")
    return 0


def examples(folder: Path) -> list[Example]:
    """Read all files of all sets, each with several parts of the vocabulary missing."""
    passes = [
        (folder, name, share, draw)
        for name in SETS
        for share in SHARES
        for draw in range(DRAWS if share else 1)
    ]
    with multiprocessing.get_context("spawn").Pool(WORKERS, maxtasksperchild=1) as pool:
        return [item for read in pool.starmap(_read, passes, chunksize=1) for item in read]


def _read(folder: Path, name: str, share: float, draw: int) -> list[Example]:
    thin_out(share, draw)
    made = []
    for file in labelled_files(folder, name, shuffled=draw == 1, halved=draw == 2):
        evidence = gather(file.header, file.cells, file.catalog, Learned(), UNFITTED)
        features = {pair: fit.features for pair, fit in evidence.fits.items()}
        right = {
            (column, field): _is_right(file.truth[file.header[column]], evidence.paths[field])
            for column, field in features
        }
        made.append(Example(f"{name}/{file.catalog_name}", features, right))
    return made


def _is_right(truth: object, path: str) -> bool | None:
    if isinstance(truth, dict):
        return None if path in truth["ambiguous"] else False
    return truth == path


def fit(read: Iterable[Example]) -> Model:
    """Fit both layers, the second on the output of the first."""
    read = list(read)
    pair = _pair_layer(read)
    return Model(pair, _context_layer(read, pair))


def left_out(read: list[Example]) -> dict[str, Model]:
    """Fit without each catalog in turn; by set and catalog."""
    names = sorted({example.catalog for example in read})
    return {name: fit(example for example in read if example.catalog != name) for name in names}


def _exact(example: Example) -> dict[Pair, float]:
    return {pair: values[0] for pair, values in example.features.items()}


def _alone(example: Example, weights: Mapping[str, float]) -> dict[Pair, float]:
    order = [weights[name] for name in FEATURES]
    return {
        pair: weights["bias"] + sum(w * v for w, v in zip(order, values, strict=True))
        for pair, values in example.features.items()
    }


def _pair_layer(read: list[Example]) -> dict[str, float]:
    """Fit the weight of a pair alone; pairs about which people disagree are ignored."""
    known = [
        ((1.0, *values), right)
        for example in read
        for pair, values in example.features.items()
        if (right := example.right[pair]) is not None
    ]
    rows = np.array([row for row, _ in known])
    is_right = np.array([is_pair for _, is_pair in known], float)
    prior = np.array([PRIOR.get(name, 0.0) for name in ("bias", *FEATURES)])
    alone = [(rows[:, None], is_right[:, None])]  # each is a choice of its own
    return _named(FEATURES, _conditional_logit(alone, prior))


def _context_layer(read: list[Example], pair: Mapping[str, float]) -> dict[str, float]:
    """Fit the weight of a pair among the others, by what columns and fields choose."""
    by_size: dict[int, list[tuple[list[tuple[float, ...]], list[bool]]]] = {}
    for example in read:
        for rows, right in _choices(example, in_context(_alone(example, pair), _exact(example))):
            by_size.setdefault(len(right), []).append((rows, right))
    choices = [
        (np.array([rows for rows, _ in alike]), np.array([right for _, right in alike], float))
        for _, alike in sorted(by_size.items())
    ]
    return _named(CONTEXT, _conditional_logit(choices, np.zeros(1 + len(CONTEXT))))


def _named(names: tuple[str, ...], weights: Floats) -> dict[str, float]:
    rounded = (round(float(weight), DIGITS) for weight in weights)
    return dict(zip(("bias", *names), rounded, strict=True))


def _choices(
    example: Example, features: Mapping[Pair, tuple[float, ...]]
) -> Iterator[tuple[list[tuple[float, ...]], list[bool]]]:
    """
    Yield the choices of each column, and then of each field: its pairs, and which is right.

    Where people disagree, or several columns feed a field, there is no choice.
    """
    for side in (0, 1):
        by_end: dict[int, list[Pair]] = {}
        for pair in features:
            by_end.setdefault(pair[side], []).append(pair)
        for pairs in by_end.values():
            right = [is_right for pair in pairs if (is_right := example.right[pair]) is not None]
            if len(right) == len(pairs) and sum(right) <= 1:
                yield [(1.0, *features[pair]) for pair in pairs], right


def _conditional_logit(choices: list[tuple[Floats, Floats]], prior: Floats) -> Floats:
    """
    Return the weights that make the right choices most likely, regularised towards the prior.

    Uses Newton's method. If each choice is one pair or nothing, this is a logistic regression.

    choices: those of one size together, shapes (choices, pairs, weights) and (choices, pairs);
    choosing nothing has the value 0. McFadden, "Conditional logit analysis", 1974.
    """
    ridge = RIDGE * np.eye(len(prior))
    ridge[0, 0] = 1e-3
    weights = prior.copy()
    for _ in range(ROUNDS):
        slope, curve = ridge @ (weights - prior), ridge.copy()
        for rows, right in choices:
            odds = np.exp(np.clip(rows @ weights, -30, 30))
            guess = odds / (1 + odds.sum(axis=1, keepdims=True))
            mean = np.einsum("cpw,cp->cw", rows, guess)
            slope += np.einsum("cpw,cp->w", rows, guess - right)
            curve += np.einsum("cpv,cp,cpw->vw", rows, guess, rows) - mean.T @ mean
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if np.abs(step).max() < NEAR:
            break
    return weights


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
