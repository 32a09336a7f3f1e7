"""The evidence for and against a column feeding a field: one number per feature of each pair.

The features of instance-based and name-based schema matchers (COMA, Do and Rahm 2002; LSD, Doan et
al. 2001), each from 0 to 1. ``weighing`` adds them up; none of them decides alone.
"""

from dataclasses import dataclass

from rapidfuzz import fuzz

from tabular.detecting import Profile, strength
from tabular.detecting.fitting import value_fit
from tabular.matching.comparing import Context
from tabular.matching.currencies import share_of_type
from tabular.matching.lexical import NameWords, Rarity, name_words, names_of, overlap, stem
from tabular.matching.scoring import is_placeholder
from tabular.matching.values import guess_by_values, option_share
from tabular.model.catalog import ColumnType, Field
from tabular.vocabulary.headers import take_apart
from tabular.vocabulary.lexicon import UNKNOWN_HEAD, lexicon
from tabular.vocabulary.meaning import Meaning
from tabular.vocabulary.names import Named
from tabular.vocabulary.sentences import reduced

ALIKE = 55  # rapidfuzz ratio of unrelated texts; only what exceeds it counts
FITTING = 0.8  # share of values from which there is no misfit
CODED: frozenset[ColumnType] = frozenset(
    {
        "email", "url", "url_www", "url_https", "phone", "iban", "bic", "vat_eu", "gtin",
        "country_code_alpha_2", "country_code_alpha_3", "currency_code", "zip_code_de",
    }
)  # fmt: skip
FEATURES = (
    "exact",  # the header is one of the field's names
    "grammar",  # how close the senses are
    "grammar_near",  # the same above one half
    "grammar_same",  # the same above 0.8
    "words",  # share of common words, rare ones first
    "words_agreeing",  # the same if the rest does not contradict
    "contradicting",  # each side says something the other does not
    "letters",  # how similar the spelling is
    "narrower",  # the header says all that the field says, and more
    "wider",  # the field says all that the header says, and more
    "initials",  # one side is the other's initials
    "options",  # share of values among the field's options
    "no_options",  # the field has options, and the values are not among them
    "detected",  # weight of the field's detector that recognises the values
    "undetected",  # the field has detectors, and none recognises the values
    "coded",  # share of values that pass as the field's type, for types with a distinctive form
    "typed",  # the same for numbers, dates and flags
    "misfit",  # how far the values are from the type
    "expected",  # share of values of the kind expected for a text of this name
    "foreign",  # a text, and the values are dates, links or flags
    "empty",  # no value says anything
    "constant",  # every value is the same
    "by_values",  # how certain it is by values alone, if the header says nothing
    "by_values_too",  # the same if the header says something
    "helper",  # the column only describes another
    "unrelated",  # both sides are understood, and their senses have nothing in common
    "riddle",  # the header's words are unknown
    "riddle_field",  # the field's words are unknown
    "placeholder",  # the header only counts
    "ordinal",  # the second e-mail address, but not the field's
    "repeating",  # the field is unique, and the values are not
)
AGREEING = FEATURES.index("words_agreeing")


@dataclass(frozen=True, slots=True)
class Column:
    """A column, read once for all its pairs."""

    named: Named
    profile: Profile
    name_words: NameWords
    stems: frozenset[str]
    words: tuple[str, ...]
    is_placeholder: bool
    is_unknown: bool
    is_helper: bool
    ordinals: frozenset[int]


@dataclass(frozen=True, slots=True)
class Target:
    """A field, read once for all its pairs."""

    named: Named
    spec: Field
    context: Context
    names: tuple[NameWords, ...]
    stems: tuple[frozenset[str], ...]
    is_unknown: bool
    is_unique: bool
    ordinals: frozenset[int]


def column(text: str, named: Named, profile: Profile, languages: tuple[str, ...]) -> Column:
    """Read a column for its pairs."""
    words, concepts = name_words(text, languages), lexicon().concepts
    placeholder = is_placeholder(named)
    return Column(
        named,
        profile,
        words,
        frozenset(map(stem, words.words)),
        take_apart(reduced(text)).words,
        placeholder,
        not placeholder and _is_unknown(named),
        bool(named.meanings) and all(concepts[m.head].helper for m in named.meanings),
        _ordinals(named),
    )


def target(named: Named, spec: Field, context: Context, languages: tuple[str, ...]) -> Target:
    """Read a field for its pairs."""
    names = names_of(spec, languages)
    return Target(
        named,
        spec,
        context,
        names,
        tuple(frozenset(map(stem, name.words)) for name in names),
        _is_unknown(named),
        any(rule.validate_ == "unique" for rule in spec.validations or ()),
        _ordinals(named),
    )


def _is_unknown(named: Named) -> bool:
    return all(meaning.head.startswith(UNKNOWN_HEAD) for meaning in named.meanings)


def _ordinals(named: Named) -> frozenset[int]:
    return frozenset(meaning.ordinal or 1 for meaning in named.meanings)


@dataclass(frozen=True, slots=True)
class Rarities:
    """How many columns of the file, and how many fields of the catalog, use a word."""

    columns: Rarity
    fields: Rarity


def features(
    mine: Column, theirs: Target, rarities: Rarities, grammar: float, reading: Meaning | None
) -> tuple[float, ...]:
    """Return the features of a pair whose names were compared, in the order of ``FEATURES``."""
    return (
        *_names(mine, theirs, rarities, grammar),
        *_values(mine, theirs, _Sought.by(theirs, reading, grammar)),
        *_circumstances(mine, theirs, grammar),
    )


def _names(mine: Column, theirs: Target, rarities: Rarities, grammar: float) -> tuple[float, ...]:
    exact = bool(mine.named.keys & theirs.named.keys)
    met = [
        overlap(mine.name_words, name, rarities.columns, rarities.fields) for name in theirs.names
    ]
    return (
        float(exact),
        grammar,
        max(0.0, grammar - 0.5) * 2,
        max(0.0, grammar - 0.8) * 5,
        max((item.share for item in met), default=0.0),
        max((item.share for item in met if not item.contradicts), default=0.0),
        float(bool(met) and all(item.contradicts for item in met)),
        max((_letters(mine.name_words, name) for name in theirs.names), default=0.0),
        max((_within(stems, mine.stems) for stems in theirs.stems), default=0.0),
        max((_within(mine.stems, stems) for stems in theirs.stems), default=0.0),
        float(any(_are_initials(mine.words, name.words) for name in theirs.names)),
    )


def _letters(mine: NameWords, theirs: NameWords) -> float:
    """Compare two names by spelling, without blanks and in any order of words."""
    if not mine.words or not theirs.words:
        return 0.0
    ratio = max(
        fuzz.ratio("".join(mine.words), "".join(theirs.words)),
        fuzz.token_sort_ratio(" ".join(mine.words), " ".join(theirs.words)),
    )
    return max(0.0, (ratio - ALIKE) / (100 - ALIKE))


def _within(few: frozenset[str], many: frozenset[str]) -> float:
    """Return how much of a name equals all of another: 0 unless it says all of that and more."""
    return len(few) / len(many) if few and few < many else 0.0


def _are_initials(first: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """
    Return whether one name is the initials of the other.

    >>> _are_initials(("dob",), ("date", "of", "birth"))
    True
    """
    short, long = sorted((first, other), key=len)
    return len(short) == 1 and len(long) >= 2 and short[0] == "".join(word[0] for word in long)


@dataclass(frozen=True, slots=True)
class _Sought:
    """The values that a field expects: the kind for a text of its name, and its certainty."""

    kind: str
    by_form: bool  # the values alone must show that they are telephone numbers: no name says so

    @classmethod
    def by(cls, theirs: Target, reading: Meaning | None, grammar: float) -> "_Sought":
        kind = lexicon().concepts[reading.head].values if reading else ""
        return cls(kind, grammar == 0 and "phone" in (kind, theirs.spec.column_type))

    def telling(self, profile: Profile) -> float:
        """Return the share of fitting values that prove it: bare digits can number anything."""
        may_be = profile.share("phone") if self.by_form else 0.0
        return profile.share("dialled") / may_be if may_be else 1.0


def _values(mine: Column, theirs: Target, sought: _Sought) -> tuple[float, ...]:
    spec, profile = theirs.spec, mine.profile
    options = option_share(spec, profile)
    detected = strength(profile, spec.value_detectors or ())
    silent = profile.says_nothing
    by_values = guess_by_values(theirs.named.meanings, spec, profile) * sought.telling(profile)
    says_nothing = mine.is_placeholder or mine.is_unknown
    return (
        options,
        float(bool(spec.dropdown_options) and not profile.is_empty and options < 1 - FITTING),
        detected,
        float(bool(spec.value_detectors) and not silent and not detected),
        *(_fitting(mine, theirs, sought) if not silent else (0.0,) * 5),
        float(silent),
        float(profile.is_constant),
        by_values * says_nothing,
        by_values * (not says_nothing),
    )


def _fitting(
    mine: Column, theirs: Target, sought: _Sought
) -> tuple[float, float, float, float, float]:
    """Return what values say about a type: coded, typed, misfit, expected, foreign."""
    profile, type_ = mine.profile, theirs.spec.column_type
    share = share_of_type(theirs.spec, profile)
    if share is not None:
        misfit = max(0.0, 1 - share / FITTING)
        coded = share * sought.telling(profile) if type_ in CODED else 0.0
        return coded, share - coded, misfit, 0.0, 0.0
    share = value_fit(profile, sought.kind)
    if share is not None:
        misfit = max(0.0, 1 - share / FITTING) / 2
        return 0.0, 0.0, misfit, share * sought.telling(profile), 0.0
    foreign = profile.share("date", "email", "url", "iban", "boolean", "phone") >= FITTING
    return 0.0, 0.0, 0.0, 0.0, float(foreign or profile.share("decimal") >= FITTING)


def _circumstances(mine: Column, theirs: Target, grammar: float) -> tuple[float, ...]:
    understood = not (mine.is_placeholder or mine.is_unknown or theirs.is_unknown)
    unrelated = understood and grammar == 0.0
    apart = mine.ordinals and theirs.ordinals and not mine.ordinals & theirs.ordinals
    return (
        float(mine.is_helper),
        float(unrelated),
        float(mine.is_unknown),
        float(theirs.is_unknown),
        float(mine.is_placeholder),
        float(bool(apart)),
        float(theirs.is_unique and not mine.profile.is_empty and mine.profile.unique < 0.9),
    )
