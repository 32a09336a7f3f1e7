"""
Weigh the features of every candidate pair: how probably does the column feed the field?

Two logistic layers. The first weighs a pair alone. The second sees what the first says of its
rivals and of its neighbours in the order of file and catalog: a single pair is more certain than
one of three, and so is a pair between two certain ones. The weights are in ``weights.json``, fitted
by ``python -m eval.fit`` on labelled files with parts of the vocabulary missing.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, log

from tabular.matching.features import FEATURES

Pair = tuple[int, int]  # indices of a column and a field
Weights = Mapping[str, float]

CONTEXT = (
    "alone",  # the first layer's result, in logits
    "ahead_of_fields",  # its lead over the column's next field
    "ahead_of_columns",  # its lead over the field's next column
    "rival_field",  # the probability of the column's next field
    "rival_column",  # the probability of the field's next column
    "neighbours",  # the probability that the adjacent columns feed the adjacent fields
    "share_of_column",  # of all that the column could feed, nothing included
    "share_of_field",  # of all that could feed the field
    "exact",
)
NO_RIVAL = -8.0  # logit of a missing rival
NOTHING = 0.3  # odds that a column feeds nothing, for the shares
SCALE = 4.0  # logits are divided by it, so that weights are of one size
WIDEST = 2.0


@dataclass(frozen=True, slots=True)
class Model:
    """The weights of both layers, ``bias`` among them."""

    pair: Weights
    context: Weights


@cache
def shipped() -> Model:
    """Return the model that comes with the engine."""
    read = json.loads(files("tabular.matching").joinpath("weights.json").read_text("utf-8"))
    return Model(read["pair"], read["context"])


@dataclass(frozen=True, slots=True)
class Weighed:
    """The result of the layers for a pair."""

    alone: float  # in logits, by the pair's own features
    probability: float  # 0 to 1, also by its rivals and neighbours


def weigh(
    features: Mapping[Pair, tuple[float, ...]], model: Model | None = None
) -> dict[Pair, Weighed]:
    """Weigh every pair by its own features, and among the others."""
    model = model or shipped()
    weights = [model.pair[name] for name in FEATURES]
    alone = {
        pair: model.pair["bias"] + sum(w * v for w, v in zip(weights, values, strict=True) if v)
        for pair, values in features.items()
    }
    exact = {pair: values[0] for pair, values in features.items()}
    order = [model.context[name] for name in CONTEXT]
    among = {
        pair: model.context["bias"] + sum(w * v for w, v in zip(order, values, strict=True))
        for pair, values in in_context(alone, exact).items()
    }
    of_column, of_field = (_standing(among, side) for side in (0, 1))
    return {
        pair: Weighed(alone[pair], of_column[pair[0]].share(z, of_field[pair[1]].odds))
        for pair, z in among.items()
    }


def parts(features: tuple[float, ...], model: Model | None = None) -> list[tuple[float, str]]:
    """Return the evidence for a pair, the strongest first: its logits and the feature's name."""
    model = model or shipped()
    values = (
        (model.pair[name] * value, name)
        for name, value in zip(FEATURES, features, strict=True)
        if value
    )
    return sorted(((worth, name) for worth, name in values if worth > 0), reverse=True)


def in_context(
    alone: Mapping[Pair, float], exact: Mapping[Pair, float]
) -> dict[Pair, tuple[float, ...]]:
    """Return the second layer's features of each pair, in the order of ``CONTEXT``."""
    standings = tuple(_standing(alone, side) for side in (0, 1))
    by_pair: dict[Pair, tuple[float, ...]] = {}
    for pair, z in alone.items():
        fields, columns = (standings[side][pair[side]] for side in (0, 1))
        other_field, other_column = fields.next_to(z), columns.next_to(z)
        odds = exp(_clip(z, 20.0))
        by_pair[pair] = (
            z / SCALE,
            _clip((z - other_field) / SCALE, WIDEST),
            _clip((z - other_column) / SCALE, WIDEST),
            sigmoid(other_field),
            sigmoid(other_column),
            sum(
                sigmoid(alone[beside])
                for step in (1, -1)
                if (beside := (pair[0] + step, pair[1] + step)) in alone
            ),
            odds / (fields.odds + NOTHING),
            odds / (columns.odds + NOTHING),
            exact[pair],
        )
    return by_pair


@dataclass(slots=True)
class _Standing:
    """The best two logits of a column or a field, and the sum of all odds."""

    first: float = NO_RIVAL
    second: float = NO_RIVAL
    odds: float = 0.0

    def add(self, z: float) -> None:
        if z > self.first:
            self.first, self.second = z, self.first
        else:
            self.second = max(self.second, z)
        self.odds += exp(_clip(z, 20.0))

    def next_to(self, z: float) -> float:
        """Return the best of the others."""
        return self.second if z == self.first else self.first

    def share(self, z: float, others: float) -> float:
        """Return the probability that a pair is chosen, given the larger odds, here or there."""
        return exp(_clip(z, 20.0)) / (1 + max(self.odds, others))


def _standing(alone: Mapping[Pair, float], side: int) -> dict[int, _Standing]:
    by_column: dict[int, _Standing] = {}
    for pair in sorted(alone):  # sums of floats depend on their order
        by_column.setdefault(pair[side], _Standing()).add(alone[pair])
    return by_column


def _clip(value: float, most: float) -> float:
    return max(-most, min(most, value))


def sigmoid(z: float) -> float:
    """Convert a logit to a probability."""
    return 1 / (1 + exp(-_clip(z, 30.0)))


def logit(probability: float) -> float:
    """Convert a probability to a logit, within bounds."""
    kept = max(1e-6, min(1 - 1e-6, probability))
    return log(kept / (1 - kept))
