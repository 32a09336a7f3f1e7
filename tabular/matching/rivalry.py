"""Columns that feed a field equally probably, by the model alone."""

from collections.abc import Iterator

from tabular.matching.doubting import Doubt, is_helper, worth_asking
from tabular.matching.evidence import Evidence

EQUAL = 0.5  # logits within which two columns are equally probable
FAIR = -2.0  # logit of a pair that is worth a question
TORN = 0.5  # probability that one of several columns feeds a field
PART_OF_IT = 0.15  # the least of it that each must have
WHY = "They are equally probable"


def as_probable(evidence: Evidence, chosen: dict[int, int]) -> Iterator[Doubt]:
    """Find columns left out that feed a taken field as probably as its own column, each alone."""
    for column, field in sorted(chosen.items()):
        own = evidence.fits[column, field]
        if own.exact or own.learned or not worth_asking(evidence.profiles[column]):
            continue
        rivals = {
            other
            for other in range(len(evidence.columns))
            if other not in chosen
            and (fit := evidence.fits.get((other, field))) is not None
            and fit.alone >= max(FAIR, own.alone - EQUAL)
            and worth_asking(evidence.profiles[other])
            and not is_helper(evidence, other)
        }
        if rivals:
            yield Doubt(frozenset({column, *rivals}), frozenset({field}), WHY)


def torn(evidence: Evidence, chosen: dict[int, int]) -> Iterator[Doubt]:
    """Find free fields that some free column feeds probably, but nobody can say which."""
    taken = set(chosen.values())
    shares: dict[int, dict[int, float]] = {}
    for (column, field), fit in sorted(evidence.fits.items()):
        if column in chosen or field in taken or fit.probability < PART_OF_IT:
            continue
        if worth_asking(evidence.profiles[column]) and not is_helper(evidence, column):
            shares.setdefault(field, {})[column] = fit.probability
    for field, by_column in sorted(shares.items()):
        if sum(by_column.values()) >= TORN:
            yield Doubt(
                frozenset(by_column), frozenset({field}), "Each is as probable as the other"
            )
