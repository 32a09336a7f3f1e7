"""Pair what the grammar left: shared words, partial sense, and elimination where values agree.

A column and a field are paired here only if each is the other's best, by a margin, among all that
is left, nothing either says contradicts, and the values do not object.
"""

from collections.abc import Iterator, Mapping

from tabular.matching.evidence import Evidence
from tabular.matching.lexical import Index, Rarity, names_of, overlap, telling
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
BY_WORDS = 0.25  # what a pair of the same words is worth more
ROUNDS = 3
MANY = frozenset({"date", "date_dmy", "date_mdy", "date_iso", "datetime"})  # any file has some

Shared = Mapping[tuple[int, int], float]  # column and field to the share of common words
Worths = dict[tuple[int, int], float]


def meet_by_words(evidence: Evidence) -> Shared:
    """
    Score pairs whose words are alike, whatever the grammar made of them; give what each shares.

    "Opened at" was read as a status; ``open_dt`` shares its word all the same.
    """
    found = {(column, field): shared for column, field, shared in _sharing(evidence)}
    for column, field in _mutual(found).items():
        shared = found[column, field]
        known = evidence.fits.get((column, field))
        if shared < SURE or (known is not None and (known.exact or known.learned)):
            continue
        score = PAIRED + BY_WORDS * (shared - SURE) / (1 - SURE)
        share, factor = values_of(evidence.specs[field], "", evidence.profiles[column])
        if factor < PLAUSIBLE or (known is not None and known.score >= score):
            continue
        fit = Fit(score, max(score, known.name if known else 0.0), share, literal=True)
        evidence.fits[column, field] = evidence.of_column[column][field] = fit
    return found


def pair_remaining(evidence: Evidence, chosen: dict[int, int], shared: Shared) -> dict[int, int]:
    """
    Pair columns and fields that are left over, column to field, and note why in the evidence.

    shared: what ``meet_by_words`` found.
    "Data aratury" for "Ploughing date" in a file where nothing else is left for either;
    ``cat_lbl`` for "Category label".
    """
    found: dict[int, int] = {}
    for weigh in (_by_words, _by_values):
        worths = dict(weigh(evidence, chosen | found, shared))
        for _ in range(ROUNDS):
            taken = set(found.values())
            worths = {p: w for p, w in worths.items() if p[0] not in found and p[1] not in taken}
            pairs = _mutual(worths)
            if not pairs:
                break
            for column, field in pairs.items():
                _note(evidence, column, field, by_values=weigh is _by_values)
            found |= pairs
    return found


def _sharing(evidence: Evidence) -> Iterator[tuple[int, int, float]]:
    """Give column, field and share of common words of each pair that may have some."""
    said = [telling(text, evidence.spoken) for text in evidence.columns]
    names = [names_of(spec, evidence.written) for spec in evidence.specs]
    common, usual = Rarity((words,) for words in said), Rarity(names)
    index = Index(names)
    for column, words in enumerate(said):
        if evidence.left_out[column]:
            continue
        for field in sorted(index.near(words) | evidence.of_column[column].keys()):
            met = [overlap(words, name, common, usual) for name in names[field]]
            yield column, field, max((m.share for m in met if not m.contradicts), default=0.0)


def _by_words(
    evidence: Evidence, taken: Mapping[int, int], sharing: Shared
) -> Iterator[tuple[tuple[int, int], float]]:
    """Weigh the words that a header and a field's names share, and what of their sense agrees."""
    used = set(taken.values())
    for (column, field), shared in sharing.items():
        if column in taken or field in used:
            continue
        if _both_understood(evidence, column, field):
            worth = shared if shared >= SURE else 0.0
        else:
            fit = evidence.fits.get((column, field))
            partly = evidence.is_foreign and fit is not None and not fit.by_values
            worth = max(shared, fit.score if fit and partly else 0.0)
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


def _by_values(
    evidence: Evidence, taken: Mapping[int, int], _: Shared
) -> Iterator[tuple[tuple[int, int], float]]:
    """Let values decide for a header nobody understands, as if it said nothing."""
    free = [f for f in range(len(evidence.specs)) if f not in set(taken.values())]
    for column, named in enumerate(evidence.named):
        if column in taken or evidence.left_out[column] or evidence.profiles[column].is_empty:
            continue
        if any(not meaning.head.startswith(RIDDLE) for meaning in named.meanings):
            continue
        for field in free:
            spec, read = evidence.specs[field], evidence.fields[field].meanings
            if not evidence.is_foreign and spec.column_type in MANY:
                continue
            sure = guess_by_values(read, spec, evidence.profiles[column])
            if sure >= SAME_VALUES_LEAST:
                yield (column, field), sure


def _mutual(worths: Shared) -> dict[int, int]:
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
