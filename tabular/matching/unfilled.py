"""Required fields that would stay empty: the few columns that come near are asked about."""

from collections.abc import Iterator, Set

from tabular.matching.doubting import Doubt, is_helper, worth_asking
from tabular.matching.evidence import Evidence
from tabular.matching.features import AGREEING
from tabular.matching.scoring import VETOED, values_of

NEAR = 0.3  # score from which a column comes near
SHARED = 0.3  # share of words from which it does
MOST = 3


def unfilled(evidence: Evidence, chosen: dict[int, int], found: list[Doubt]) -> Iterator[Doubt]:
    """Ask which of the columns left out feeds a required field that no other doubt is about."""
    taken = set(chosen.values()).union(*(doubt.fields for doubt in found))
    specs = evidence.specs
    fields = [f for f, spec in enumerate(specs) if spec.is_required and f not in taken]
    columns = _free(evidence, chosen.keys() | {c for doubt in found for c in doubt.columns})
    if not fields or not columns:
        return
    for field in fields:
        near = []
        for column in columns:
            fit = evidence.fits.get((column, field))
            share, _ = values_of(specs[field], "", evidence.profiles[column])
            if fit is None or (share is not None and share < VETOED):
                continue
            if fit.score >= NEAR or fit.features[AGREEING] >= SHARED:
                near.append((-fit.alone, evidence.columns[column], column))
        if near:
            nearest = frozenset(column for _, _, column in sorted(near)[:MOST])
            why = "The field is required, and nothing fits it better"
            yield Doubt(nearest, frozenset({field}), why, may_leave=True)


def _free(evidence: Evidence, used: Set[int]) -> list[int]:
    return [
        column
        for column, profile in enumerate(evidence.profiles)
        if column not in used
        and worth_asking(profile)
        and not evidence.left_out[column]
        and not is_helper(evidence, column)
    ]
