"""Pair what the grammar left: shared words, partial sense, and elimination where values agree.

A column and a field are paired here only if each is the other's best, by a margin, among all that
is left, nothing either says contradicts, and the values do not object.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tabular.matching.evidence import Evidence
from tabular.matching.lexical import Rarity, Said, names_of, overlap, telling
from tabular.matching.lexicon import RIDDLE
from tabular.matching.reading_headers import Named
from tabular.matching.scoring import Fit, option_share, values_of
from tabular.matching.values import guess_by_values

LEAST = 0.45  # below this a pair shares too little
SURE = 0.6  # share of words that outweighs a grammar that understood both and saw nothing
MARGIN = 0.08  # what the best pair must be ahead of the next
PLAUSIBLE = 0.85  # factor of the values below which they object
FITTING = 0.8  # share of values that must be what the field expects
AGREEING_VALUES = 0.08
AGREEING_OPTIONS = 0.25
SAME_VALUES_LEAST = 0.7  # how sure values alone must be where the header is a riddle
PAIRED = 0.57  # score of a pair made here: a proposal, and a weak one
MOST_PAIRS = 2_500  # of what is left; with more, only the grammar decides
ROUNDS = 3
MANY = frozenset({"date", "date_dmy", "date_mdy", "date_iso", "datetime"})  # any file has some

Worths = dict[tuple[int, int], float]


@dataclass(frozen=True, slots=True)
class _Left:
    """What is still free, in words."""

    columns: Mapping[int, Said]
    fields: Mapping[int, tuple[Said, ...]]
    common: Rarity  # of words among the columns
    usual: Rarity  # of words among the fields


def pair_remaining(evidence: Evidence, chosen: dict[int, int]) -> dict[int, int]:
    """
    Pair columns and fields that are left over, column to field, and note why in the evidence.

    "Data aratury" for "Ploughing date" in a file where nothing else is left for either;
    ``cat_lbl`` for "Category label".
    """
    found: dict[int, int] = {}
    for weigh in (_by_words, _by_values):
        for _ in range(ROUNDS):
            taken = chosen | found
            left = _left(evidence, taken)
            if not left.columns or len(left.columns) * len(left.fields) > MOST_PAIRS:
                break
            worths = dict(weigh(evidence, left))
            pairs = _mutual(worths)
            if not pairs:
                break
            for column, field in pairs.items():
                _note(evidence, column, field, by_values=weigh is _by_values)
            found |= pairs
    return found


def _left(evidence: Evidence, taken: Mapping[int, int]) -> _Left:
    """Collect what has no partner; words are counted among all columns and all fields."""
    used = set(taken.values())
    said = [telling(text, evidence.spoken) for text in evidence.columns]
    names = [names_of(spec, evidence.written) for spec in evidence.specs]
    return _Left(
        {c: said[c] for c in range(len(said)) if c not in taken and _is_open(evidence, c)},
        {f: names[f] for f in range(len(names)) if f not in used},
        Rarity((words,) for words in said),
        Rarity(names),
    )


def _is_open(evidence: Evidence, column: int) -> bool:
    return not evidence.left_out[column] and not evidence.profiles[column].is_empty


def _by_words(evidence: Evidence, left: _Left) -> Iterator[tuple[tuple[int, int], float]]:
    """Weigh the words that a header and a field's names share, and what of their sense agrees."""
    for column, words in left.columns.items():
        for field, names in left.fields.items():
            fit = evidence.fits.get((column, field))
            worth = fit.score if fit and not fit.by_values else 0.0
            met = [overlap(words, name, left.common, left.usual) for name in names]
            shared = max((found.share for found in met if not found.contradicts), default=0.0)
            if not evidence.is_foreign or _both_understood(evidence, column, field):
                worth = 0.0
            if _both_understood(evidence, column, field):
                shared = shared if shared >= SURE else 0.0
            worth = max(worth, shared)
            if worth == 0.0:
                continue
            share, factor = values_of(evidence.specs[field], "", evidence.profiles[column])
            if factor < PLAUSIBLE:
                continue
            worth += AGREEING_VALUES * (share is not None and share >= FITTING)
            options = option_share(evidence.specs[field], evidence.profiles[column])
            yield (column, field), worth + AGREEING_OPTIONS * (options >= FITTING)


def _both_understood(evidence: Evidence, column: int, field: int) -> bool:
    return not _has_riddle(evidence.named[column]) and not _has_riddle(evidence.fields[field])


def _has_riddle(named: Named) -> bool:
    return all(meaning.unknown for meaning in named.meanings)


def _by_values(evidence: Evidence, left: _Left) -> Iterator[tuple[tuple[int, int], float]]:
    """Let values decide for a header nobody understands, as if it said nothing."""
    for column in left.columns:
        readings = evidence.named[column].meanings
        if any(not meaning.head.startswith(RIDDLE) for meaning in readings):
            continue
        for field in left.fields:
            spec, read = evidence.specs[field], evidence.fields[field].meanings
            if not evidence.is_foreign and spec.column_type in MANY:
                continue
            sure = guess_by_values(read, spec, evidence.profiles[column])
            if sure >= SAME_VALUES_LEAST:
                yield (column, field), sure


def _mutual(worths: Worths) -> dict[int, int]:
    """Choose the pairs in which each side is the other's best, by a margin."""
    best: dict[tuple[int, int], list[tuple[float, int]]] = {}
    for (column, field), worth in worths.items():
        best.setdefault((0, column), []).append((worth, field))
        best.setdefault((1, field), []).append((worth, column))
    ahead = {place: _ahead(ranked) for place, ranked in best.items()}
    return {
        column: field
        for (column, field), worth in sorted(worths.items())
        if worth >= LEAST and ahead[0, column] == field and ahead[1, field] == column
    }


def _ahead(ranked: list[tuple[float, int]]) -> int | None:
    """Give the best, unless the next is nearly as good."""
    ranked = sorted(ranked, reverse=True)
    if len(ranked) > 1 and ranked[0][0] - ranked[1][0] < MARGIN:
        return None
    return ranked[0][1]


def _note(evidence: Evidence, column: int, field: int, *, by_values: bool) -> None:
    """Keep how a pair was made, so that questions, scores and reasons know."""
    share, _ = values_of(evidence.specs[field], "", evidence.profiles[column])
    known = evidence.fits.get((column, field))
    name = max(known.name if known else 0.0, 0.0 if by_values else PAIRED)
    fit = Fit(max(PAIRED, known.score if known else 0.0), name, share, by_values=by_values)
    evidence.fits[column, field] = fit
    evidence.of_column[column][field] = fit
