"""
How much a model's word is worth: by how often people agreed with it.

The weight is a logarithm of odds, like those of the matcher's features: how much more probable a
pair becomes because the model names it. A pair without any other evidence is then as probable as
the share of the model's proposals that people took. Before they answered any, it counts as if they
had taken 2 of 5; a model that they mostly refuse is soon too light to be worth a question.
"""

from math import exp, log

TAKEN, REFUSED = 2, 3  # as if so many proposals had been answered before
UNSEEN = 0.1  # 19 of 197 columns of test sets that were left without a question have a free field
MOST = 0.49  # below what is suggested or chosen by default: a model never decides alone
LEAST = 0.2  # probability from which a question costs less than silence; the matcher's POSSIBLE


def weight(taken: int, refused: int) -> float:
    """
    Return the weight of a model in logits.

    taken, refused: how many of its earlier proposals people confirmed, and answered otherwise.

    >>> round(weight(0, 0), 2), round(weight(30, 2), 2), round(weight(0, 20), 2)
    (1.79, 4.05, -0.25)
    """
    return log((TAKEN + taken) / (REFUSED + refused)) - _logit(UNSEEN)


def probability(alone: float, weight: float) -> float:
    """
    Return the probability that a column feeds the field a model proposes, at most ``MOST``.

    alone: the probability by everything else; 0 where nothing supports the pair.

    >>> round(probability(0.0, weight(0, 0)), 2), round(probability(0.0, weight(0, 20)), 2)
    (0.4, 0.08)
    """
    known = min(MOST, max(alone, UNSEEN))
    return min(MOST, 1 / (1 + exp(-_logit(known) - weight)))


def _logit(probability: float) -> float:
    return log(probability / (1 - probability))
