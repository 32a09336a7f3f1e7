"""Several columns for one field: equally good, equally probable, or closest to a required one."""

from collections.abc import Iterator, Set

from tabular.matching.asking.doubt import ALSO, CLOSE, Doubt, is_helper, worth_asking
from tabular.matching.comparing import CODED
from tabular.matching.evidence import Evidence
from tabular.matching.features import AGREEING
from tabular.matching.scoring import Fit
from tabular.matching.values import PROSE, VETOED, values_of
from tabular.vocabulary.lexicon import lexicon
from tabular.vocabulary.names import Named

SAYING_BOTH = 0.3  # as CLOSE, for headers that name the same field, each with its own words
RIVAL = 0.62  # a worse fit is not a rival
OVERLAP = 0.6  # share of common values that makes two columns rivals despite their names
OVERLAP_CLOSE = 0.22
EQUAL = 0.5  # logits within which two columns count as equally probable
FAIR = -2.0  # logit of a pair that is worth a question
TORN = 0.5  # probability that one of several columns feeds a field
PART_OF_IT = 0.15  # the least share of it that each must have
WHY = "They are equally likely"
NEAR = 0.3  # score from which a column counts as close
SHARED = 0.3  # share of words from which a column counts as close
MOST = 3


def rivals(evidence: Evidence, chosen: dict[int, int]) -> Iterator[Doubt]:
    """Yield unassigned columns that fit a taken field as well as its own column does."""
    fits = evidence.fits
    for column, field in sorted(chosen.items()):
        own = fits[column, field]
        if own.learned or own.by_values or not worth_asking(evidence.profiles[column]):
            continue
        others = {
            other
            for other in range(len(evidence.columns))
            if other not in chosen and _is_rival(evidence, column, other, field)
        }
        if others:
            yield Doubt(
                frozenset({column, *others}),
                frozenset({field}),
                "Both look possible" if len(others) == 1 else "All of them look possible",
            )


def _is_rival(evidence: Evidence, column: int, other: int, field: int) -> bool:
    fit, own = evidence.fits.get((other, field)), evidence.fits[column, field]
    if fit is None or fit.by_values or is_helper(evidence, other):
        return False
    if fit.score < (ALSO if fit.exact else RIVAL):
        return False
    if not worth_asking(evidence.profiles[other]):
        return False
    mine, theirs = evidence.named[column], evidence.named[other]
    if differ_in_length(mine, theirs):
        return True
    if own.exact and not fit.exact and set(mine.words) < set(theirs.words):
        return False  # "Preferred first name" next to "First name"
    if own.score - fit.score <= (SAYING_BOTH if _say_both(mine, theirs, own, fit) else CLOSE):
        return True
    return own.score - fit.score <= OVERLAP_CLOSE and _overlap(evidence, column, other) >= OVERLAP


def _say_both(mine: Named, theirs: Named, own: Fit, fit: Fit) -> bool:
    """Return whether two headers name the same field, each with its own words: dateOp, dateVal."""
    if own.exact or fit.exact or not (own.literal and fit.literal):
        return False
    if any(m.ordinal is not None for m in (*mine.meanings, *theirs.meanings)):
        return False
    words, other = set(mine.words), set(theirs.words)
    if words <= other or other <= words:
        return False
    heads = {meaning.head for meaning in mine.meanings} - CODED  # other rules decide which id it is
    return bool(heads & {meaning.head for meaning in theirs.meanings})


def differ_in_length(mine: Named, theirs: Named) -> bool:
    """Return whether two columns of prose differ only in length, as a short description does."""
    concepts = lexicon().concepts
    return any(
        meaning.head in PROSE
        and meaning.head == other.head
        and bool(extra := meaning.qualifiers ^ other.qualifiers)
        and all(concepts[name].facet == "length" for name in extra)
        for meaning in mine.meanings
        for other in theirs.meanings
    )


def _overlap(evidence: Evidence, column: int, other: int) -> float:
    """Return the share of a column's values that end another's paths: "Bags" in "Home > Bags"."""
    mine = {value.split(">")[-1].strip() for value in evidence.profiles[column].values}
    theirs = {value.split(">")[-1].strip() for value in evidence.profiles[other].values}
    return len(mine & theirs) / len(theirs) if mine and theirs else 0.0


def as_probable(evidence: Evidence, chosen: dict[int, int]) -> Iterator[Doubt]:
    """Yield unassigned columns that, each alone, feed a taken field as probably as its own."""
    for column, field in sorted(chosen.items()):
        own = evidence.fits[column, field]
        if own.exact or own.learned or not worth_asking(evidence.profiles[column]):
            continue
        others = {
            other
            for other in range(len(evidence.columns))
            if other not in chosen
            and (fit := evidence.fits.get((other, field))) is not None
            and fit.alone >= max(FAIR, own.alone - EQUAL)
            and worth_asking(evidence.profiles[other])
            and not is_helper(evidence, other)
        }
        if others:
            yield Doubt(frozenset({column, *others}), frozenset({field}), WHY)


def torn(evidence: Evidence, chosen: dict[int, int]) -> Iterator[Doubt]:
    """Yield free fields that some free column probably feeds, without a clear choice."""
    taken = set(chosen.values())
    shares: dict[int, dict[int, float]] = {}
    for (column, field), fit in sorted(evidence.fits.items()):
        if column in chosen or field in taken or fit.probability < PART_OF_IT:
            continue
        if worth_asking(evidence.profiles[column]) and not is_helper(evidence, column):
            shares.setdefault(field, {})[column] = fit.probability
    for field, by_column in sorted(shares.items()):
        if sum(by_column.values()) >= TORN:
            fields = {field}
            if len(by_column) == 1:  # what else the one column may feed
                fields |= {
                    other for other, columns in shares.items() if by_column.keys() <= columns.keys()
                }
            yield Doubt(frozenset(by_column), frozenset(fields), "Both are equally likely")


def unfilled(evidence: Evidence, chosen: dict[int, int], doubts: list[Doubt]) -> Iterator[Doubt]:
    """Ask which unassigned column feeds a required field that no other doubt concerns."""
    taken = set(chosen.values()).union(*(doubt.fields for doubt in doubts))
    specs = evidence.specs
    fields = [f for f, spec in enumerate(specs) if spec.is_required and f not in taken]
    columns = _free(evidence, chosen.keys() | {c for doubt in doubts for c in doubt.columns})
    if not fields or not columns:
        return
    for field in fields:
        near = []
        for column in columns:
            fit = evidence.fits.get((column, field))
            share, _ = values_of(specs[field], "", evidence.profiles[column])
            if fit is None or fit.is_excluded or (share is not None and share < VETOED):
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
        and not evidence.unmapped_before[column]
        and not is_helper(evidence, column)
    ]
