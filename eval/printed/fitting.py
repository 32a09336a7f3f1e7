"""
Fit when to ask a person to compare a table with its page: ``python -m eval printed --fit``.

Reads documents of office programs and plain tables, and fits one logistic layer to tell those read
exactly from the others, with Newton's method and a ridge. Each fifth of the seeds is weighed by
what was fitted without it; these figures are printed, and the least confidence that goes unasked
is taken from them, so that few tables that are read exactly are asked about.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import tabular.reading.pdf
from eval.plain.prints import printable, read_back
from tabular.reading.pdf.cohesion import FEATURES

MODEL = Path(tabular.reading.pdf.__file__).parent / "cohesion.json"
# The share of the tables read exactly that may be asked about: plain ones, and of office programs.
MOST_NEEDLESS = {True: 0.005, False: 0.025}
PLAIN_TABLES = 200  # each printed in eight ways
PARTS = 5
RIDGE = 0.3
EITHER = {"few", "untyped", "undrawn"}  # features that may speak for a table
ROUNDS = 60
NEAR = 1e-9  # the last step
DIGITS = 2
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """One document: the seed and the kind of paper, what its table shows, how it was read."""

    seed: int
    paper: str
    features: dict[str, float]
    is_exact: bool
    is_silent: bool  # wrong, with neither a question nor an issue
    is_plain: bool = False  # a plain table, not a document of an office program


def plain_examples(first: int) -> list[Example]:
    """Print and read plain tables in every way, from a seed on."""
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        printed = pool.map(read_back, printable(PLAIN_TABLES, first), chunksize=5)
        return [
            Example(
                item.seed,
                f"{item.place[0]} cells",
                dict(item.verdict.features),
                item.verdict.outcome == "exact",
                item.verdict.is_silent,
                is_plain=True,
            )
            for item in chain.from_iterable(printed)
            if item.verdict.features
        ]


def fit_and_write(examples: Sequence[Example]) -> int:
    """Fit, print the figures of the parts left out, and write the model."""
    confidences = _left_out(examples)
    exact = np.array([example.is_exact for example in examples])
    plain = np.array([example.is_plain for example in examples])
    least = round(min(_least(confidences[exact & (plain == of)], of) for of in (True, False)), 3)
    weights = _fitted(_rows(examples), ~exact)
    names = ("bias", *FEATURES)
    model = {
        "weights": {n: round(float(w), DIGITS) for n, w in zip(names, weights, strict=True)},
        "least": least,
    }
    MODEL.write_text(json.dumps(model, indent=1) + "\n", "utf-8")
    print(f"{len(examples)} tables, {int((~exact).sum())} of them wrong; asked below {least}")
    for paper in sorted({example.paper for example in examples}):
        chosen = np.array([example.paper == paper for example in examples])
        print(f"  {paper:14} {_figures(examples, confidences < least, chosen)}")
    print(f"  {'all':14} {_figures(examples, confidences < least, exact | ~exact)}")
    return 0


def _least(confidences: Floats, is_plain: bool) -> float:
    """Return the confidence below which few enough of some exact tables are."""
    if not len(confidences):
        return 1.0
    return float(np.quantile(confidences, MOST_NEEDLESS[is_plain]))


def _figures(examples: Sequence[Example], below: Any, chosen: Any) -> str:
    exact = np.array([example.is_exact for example in examples])
    silent = np.array([example.is_silent for example in examples])
    groups = {
        "exact": chosen & exact,
        "wrong": chosen & ~exact,
        "wrong and silent": chosen & silent,
    }
    return "  ".join(
        f"{name} asked {int((below & group).sum())} of {int(group.sum())}"
        for name, group in groups.items()
    )


def _rows(examples: Sequence[Example]) -> Floats:
    shares = [[example.features[name] for name in FEATURES] for example in examples]
    rows: Floats = np.c_[np.ones(len(examples)), np.sqrt(np.array(shares))]
    return rows


def _left_out(examples: Sequence[Example]) -> Floats:
    """Return each example's confidence by the weights that were fitted without its part."""
    rows, wrong = _rows(examples), np.array([not example.is_exact for example in examples])
    parts = np.array([example.seed % PARTS for example in examples])
    confidences = np.zeros(len(examples))
    for part in range(PARTS):
        weights = _fitted(rows[parts != part], wrong[parts != part])
        confidences[parts == part] = 1 / (1 + np.exp(rows[parts == part] @ weights))
    return confidences


def _fitted(rows: Floats, wrong: npt.NDArray[np.bool_]) -> Floats:
    """Fit, and again without what would speak for a table though it is odd."""
    odd = np.array([True, *(name not in EITHER for name in FEATURES)])
    kept = np.ones(len(odd), bool)
    while True:
        weights = np.zeros(len(odd))
        weights[kept] = _newton(rows[:, kept], wrong)
        against = odd & (weights < 0)
        against[0] = False  # the bias
        if not against.any():
            return weights
        kept &= ~against


def _newton(rows: Floats, wrong: npt.NDArray[np.bool_]) -> Floats:
    """Return the weights that make what happened most likely."""
    ridge = RIDGE * np.eye(rows.shape[1])
    ridge[0, 0] = 1e-3
    weights = np.zeros(rows.shape[1])
    for _ in range(ROUNDS):
        guess = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = ridge @ weights + rows.T @ (guess - wrong)
        curve = ridge + (rows * (guess * (1 - guess))[:, None]).T @ rows
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if np.abs(step).max() < NEAR:
            break
    return weights
