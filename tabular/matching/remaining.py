"""Pair what is left: two words nobody knows, in two languages, may be each other's translation."""

from collections.abc import Iterable

from tabular.matching.evidence import Evidence
from tabular.matching.reading_headers import Named

WEAKEST = 0.4  # below this a pair shares too little
FITTING = 0.8  # share of values that must be what the field expects


def pair_remaining(evidence: Evidence, chosen: dict[int, int]) -> dict[int, int]:
    """
    Pair a column and a field that nothing else is left for, column to field.

    Only where file and catalog are in different languages, both sides have a word the vocabulary
    lacks, the rest agrees and the values fit: "Data aratury" for "Ploughing date".
    """
    if not evidence.is_foreign:
        return {}
    taken = set(chosen.values())
    weak = [
        (column, field)
        for (column, field), fit in evidence.fits.items()
        if column not in chosen
        and field not in taken
        and fit.score >= WEAKEST
        and (fit.values or 0.0) >= FITTING
        and _has_riddle(evidence.named[column])
        and _has_riddle(evidence.fields[field])
    ]
    columns, fields = _once(column for column, _ in weak), _once(field for _, field in weak)
    return {column: field for column, field in weak if column in columns and field in fields}


def _has_riddle(named: Named) -> bool:
    return bool(named.meanings) and all(meaning.unknown for meaning in named.meanings)


def _once(numbers: Iterable[int]) -> set[int]:
    """Give the numbers that occur exactly once."""
    seen = list(numbers)
    return {number for number in seen if seen.count(number) == 1}
