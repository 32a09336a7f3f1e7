"""Score a column for a field: by name, by values, by earlier answers."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from tabular.detecting import Profile, detect, strength
from tabular.detecting.fitting import KINDS_BY_TYPE
from tabular.matching.comparing import Context, compare
from tabular.matching.values import (
    LENIENT_TYPES,
    VETOED,
    guess_by_values,
    may_be,
    option_share,
    values_of,
)
from tabular.model.catalog import Field
from tabular.vocabulary.lexicon import lexicon
from tabular.vocabulary.meaning import Meaning
from tabular.vocabulary.names import Named

OTHER_WORDS = 0.99  # the same sense in other words counts slightly less
DETECTED = 0.6  # the least a detector's hit is worth if the header says nothing
DETECTION = 0.3  # what its weight adds
NAMESAKE = 0.6  # the least an exact name is worth, whatever the values are
PLACEHOLDER = re.compile(
    r"(?:unnamed|col|column|spalte|feld|field|fld|f|c|var|x|v|colonne|columna|colonna|kolom|kolumna"
    r"|coluna|campo|champ|pole|header|kopf)?\d*|[a-z]{1,2}"
)


class Fit(NamedTuple):
    """How well one column fits one field."""

    score: float  # 0 to 1, everything considered
    name: float  # 0 to 1, by the header alone
    values: float | None = None  # share of values that are what the field expects
    exact: bool = False  # the header is one of the field's names
    by_values: bool = False  # the header says nothing, the values decided
    literal: bool = False  # header and field share a word
    options: float = 0.0  # share of values among the field's options
    learned: int = 0  # how often this pair was confirmed
    odd: bool = False  # an exact name over values that cannot be the field's
    detected: float = 0.0  # weight of the field's detector that recognises the values, 0 to 1
    probability: float = 0.0  # that the column feeds the field, by everything known about the file
    alone: float = 0.0  # the same by the pair's own features, in logits
    features: tuple[float, ...] = ()  # what the probability is made of
    is_excluded: bool = False  # whatever else speaks for it

    @property
    def rank(self) -> float:
        """The score, with ties broken by a fitting detector."""
        return self.score + DETECTION * self.detected


def is_placeholder(named: Named) -> bool:
    """Return whether a header only numbers its column: ``Column 5``, ``F3``, ``a``, nothing."""
    if any(meaning.ordinal is None for meaning in named.meanings):
        return False
    return all(PLACEHOLDER.fullmatch(key) for key in named.keys)


def name_fit(column: Named, field: Named, context: Context) -> tuple[float, Meaning | None]:
    """Compare a header with a field's names. Return the fit and the best-fitting field reading."""
    lex = lexicon()
    best, reading = 0.0, field.meanings[0] if field.meanings else None
    for mine in column.meanings:
        for theirs in field.meanings:
            crossed = mine.head in theirs.qualifiers or theirs.head in mine.qualifiers
            if not crossed and lex.near(mine.head, theirs.head) <= best:
                continue
            score = compare(mine, theirs, context)
            if score > best:
                best, reading = score, theirs
    if column.keys & field.keys:
        return 1.0, reading
    if not set(column.words) & set(field.words):
        best *= OTHER_WORDS
    return best, reading


def score_pair(
    column: Named, field: Named, spec: Field, profile: Profile, name: float, reading: Meaning | None
) -> Fit:
    """Return what a pair, whose names were compared, has in common by values and detectors."""
    exact = bool(column.keys & field.keys)
    head = reading.head if reading else ""
    share, factor = values_of(spec, head, profile)
    detected = strength(profile, spec.value_detectors or ())
    if not exact and detected and (is_placeholder(column) or not column.meanings):
        detection = DETECTED + DETECTION * detected
        return Fit(detection, name, share, by_values=True, detected=detected)
    if is_placeholder(column) and not exact:
        if spec.value_detectors and not profile.is_empty:
            return Fit(0.0, 0.0, share)
        guess = guess_by_values(field.meanings, spec, profile)
        return Fit(guess, 0.0, share, by_values=bool(guess))
    if name == 0.0:
        return Fit(0.0, 0.0, share)
    options = option_share(spec, profile)
    recognised = detect(profile, spec.value_detectors or ())
    if recognised is not None:
        factor *= 1.0 if exact else 0.85 + 0.15 * recognised
    score = name * factor
    odd = exact and share is not None and share < VETOED and not may_be(spec, profile)
    return Fit(
        max(score, NAMESAKE) if exact else score,
        name,
        share,
        exact,
        literal=bool(set(column.words) & set(field.words)),
        options=options,
        detected=detected,
        odd=odd,
    )


def is_vetoed(fit: Fit, spec: Field) -> bool:
    """
    Return whether values have a form that the field's type never has; exact names are asked about.
    """
    if fit.exact or fit.values is None or spec.column_type in LENIENT_TYPES:
        return False
    return fit.values < VETOED and spec.column_type in KINDS_BY_TYPE


def learned_fit(fit: Fit, counts: Mapping[str, int], path: str) -> Fit:
    """Let users' answers for this header outweigh everything but the values' veto."""
    times = counts.get(path, 0)
    if not times or (fit.values is not None and fit.values < VETOED):
        return fit
    return fit._replace(score=1.0, name=1.0, learned=times, odd=False)
