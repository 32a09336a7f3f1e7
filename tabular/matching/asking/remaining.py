"""
Ask about what remains when everything certain is paired: silence costs more than a question.

The thresholds are probabilities. They were chosen by the price of ``eval.matching.outcomes``: a
silent error costs ten, a question one, or two or three if its answers do not help.
"""

from collections.abc import Iterator, Sequence

from tabular.detecting import type_fit
from tabular.matching.asking.doubt import Doubt, is_helper, worth_asking
from tabular.matching.evidence import Evidence
from tabular.matching.scoring import Fit
from tabular.matching.values import VETOED

CERTAIN = 0.5  # a proposal that is less probable is asked about
POSSIBLE = 0.2  # probability that a remaining column feeds some remaining field
ALSO_POSSIBLE = 0.05  # of a field that a question offers
MOST_FIELDS = 4
MOST_LEFT = 2  # columns and fields of which any compatible pair is asked about
COMPATIBLE = 0.8  # share of values of the field's type


def doubtful(
    evidence: Evidence, chosen: dict[int, int], doubts: Sequence[Doubt]
) -> Iterator[Doubt]:
    """Yield proposals that are too improbable to be made without asking."""
    free = _free_fields(evidence, set(chosen.values()).union(*(d.fields for d in doubts)))
    asked_columns = {column for doubt in doubts for column in doubt.columns}
    for column, field in sorted(chosen.items()):
        fit = evidence.fits[column, field]
        if column in asked_columns or fit.exact or fit.learned or fit.probability >= CERTAIN:
            continue
        if worth_asking(evidence.profiles[column]):
            others = (f for f in _likeliest(evidence, column, free) if f != field)
            fields = frozenset({field, *list(others)[: MOST_FIELDS - 1]})
            yield Doubt(frozenset({column}), fields, "Probable, but not certain", may_leave=True)


def possible(
    evidence: Evidence, chosen: dict[int, int], doubts: Sequence[Doubt]
) -> Iterator[Doubt]:
    """Yield remaining columns that feed one of the remaining fields with some probability."""
    free = _free_fields(evidence, set(chosen.values()).union(*(d.fields for d in doubts)))
    for column in _free_columns(evidence, chosen, doubts):
        fields = _likeliest(evidence, column, free)
        mass = sum(evidence.fits[column, field].probability for field in fields)
        if mass >= POSSIBLE:
            why = "Nothing fits better, but this is not certain"
            shown = frozenset(fields[:MOST_FIELDS])
            yield Doubt(frozenset({column}), shown, why, may_leave=True, is_unlikely=mass < 0.5)


def last_ones(
    evidence: Evidence, chosen: dict[int, int], doubts: Sequence[Doubt]
) -> Iterator[Doubt]:
    """Yield the last columns with values of a required field's type that would stay empty."""
    columns = _free_columns(evidence, chosen, doubts)
    taken = set(chosen.values()).union(*(doubt.fields for doubt in doubts))
    for field in _free_fields(evidence, taken):
        if not evidence.specs[field].is_required:
            continue
        compatible = [column for column in columns if _is_compatible(evidence, column, field)]
        if 0 < len(compatible) <= MOST_LEFT:
            why = "The field is required, and these columns remain"
            yield Doubt(
                frozenset(compatible), frozenset({field}), why, may_leave=True, is_unlikely=True
            )


def lost_namesakes(evidence: Evidence, chosen: dict[int, int]) -> Iterator[Doubt]:
    """Yield a column with a field's name and other values, and one with the values."""
    holders = {field: column for column, field in chosen.items()}
    for (column, field), fit in sorted(evidence.fits.items()):
        holder = holders.get(field)
        if column in chosen or holder is None:
            continue
        own = evidence.fits[holder, field]
        named, other = (fit, own) if fit.exact else (own, fit)
        has_values = other.name > 0 and (other.values or 0.0) >= COMPATIBLE
        if not (named.exact and contradicted(named) and has_values):
            continue
        if worth_asking(evidence.profiles[column]):
            why = "One has the field's name, the other its values"
            yield Doubt(frozenset({column, holder}), frozenset({field}), why)


def contradicted(fit: Fit) -> bool:
    """Return whether the values of a column are mostly not of the field's type."""
    return fit.values is not None and fit.values < VETOED


def _is_compatible(evidence: Evidence, column: int, field: int) -> bool:
    """Return whether the values have the distinctive form of a field's type, or are its options."""
    fit = evidence.fits.get((column, field))
    if fit is not None and fit.is_excluded:
        return False
    share = type_fit(evidence.profiles[column], evidence.specs[field].column_type)
    return share is not None and share >= COMPATIBLE


def _free_fields(evidence: Evidence, taken: set[int]) -> list[int]:
    return [field for field in range(len(evidence.paths)) if field not in taken]


def _free_columns(evidence: Evidence, chosen: dict[int, int], doubts: Sequence[Doubt]) -> list[int]:
    asked_columns = {column for doubt in doubts for column in doubt.columns}
    return [
        column
        for column, profile in enumerate(evidence.profiles)
        if column not in chosen
        and column not in asked_columns
        and worth_asking(profile)
        and not evidence.unmapped_before[column]
        and not is_helper(evidence, column)
    ]


def _likeliest(evidence: Evidence, column: int, free: Sequence[int]) -> list[int]:
    """Return the fields that a column may feed, the most probable first."""
    ranked = sorted(
        (-fit.probability, field)
        for field, fit in evidence.of_column[column].items()
        if field in free and fit.probability >= ALSO_POSSIBLE
    )
    return [field for _, field in ranked]
