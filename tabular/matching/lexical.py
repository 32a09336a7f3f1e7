"""Compare a header and a field word by word, where the grammar finds nothing.

Without heads and qualifiers: how much of both is the same, where rare words count most. Words are
similar by meaning, by letters, as abbreviations, or as parts of a compound.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from tabular.model.catalog import Field
from tabular.vocabulary.headers import take_apart
from tabular.vocabulary.lexicon import Atoms, are_cognates, lexicon
from tabular.vocabulary.sentences import reduced
from tabular.vocabulary.words import ENDINGS, lookup, skeleton

SHORTEST = 3  # letters of a word that is compared by its letters
SHORTEST_PART = 5  # letters of a part of a compound
SAME_SENSE = 0.95
SAME_STEM = 0.97
COGNATE = 0.85
ABBREVIATED = 0.8
PART = 0.75
ALIKE = 0.7  # from here on, two words count as one
NEAR_LETTERS = 78  # rapidfuzz ratio of long words
LONG = 6
COMMON = 0.35  # weight of a word that any header may have
COMMON_HEADS = frozenset({"date", "amount", "time", "quantity", "description", "type", "status"})
LONGEST_DESCRIPTION = 12  # words
MOST_WORDS = 6  # of one header or name


@dataclass(frozen=True, slots=True)
class NameWords:
    """The significant words of a header or of one field name, and its languages."""

    words: tuple[str, ...]
    languages: tuple[str, ...]


@lru_cache(maxsize=16384)
def name_words(text: str, languages: tuple[str, ...]) -> NameWords:
    """Return the words of a text without small words, digits and units."""
    lex = lexicon()
    small = frozenset[str]().union(*(lex.languages[code].small for code in languages))
    header = take_apart(reduced(text))
    words = (word for word in header.words if not word.isdigit() and word not in small)
    return NameWords(tuple(dict.fromkeys(words))[:MOST_WORDS], languages)


def names_of(spec: Field, languages: tuple[str, ...]) -> tuple[NameWords, ...]:
    """Return every name of a field, and its description if that is not prose."""
    names = [spec.key, spec.label, *(spec.alternative_matches or ())]
    if spec.description and len(take_apart(spec.description).words) <= LONGEST_DESCRIPTION:
        names.append(spec.description)
    return tuple(dict.fromkeys(name_words(name, languages) for name in names if name))


@lru_cache(maxsize=65536)
def senses(word: str, languages: tuple[str, ...]) -> frozenset[Atoms]:
    """Return the meanings that a word can have."""
    return frozenset(atoms for code in languages for atoms in lookup(word, code))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """
    Remove an ending that only marks number or case.

    >>> stem("orders"), stem("id")
    ('order', 'id')
    """
    for ending in sorted(ENDINGS, key=len, reverse=True):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST + 1:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=65536)
def letters_alike(first: str, other: str) -> float:
    """
    Return how certain it is, by their letters, that two words are one, 0 to 1.

    >>> letters_alike("categories", "category") > letters_alike("qnty", "quantity") > 0.7
    True
    >>> letters_alike("invoice", "delivery")
    0.0
    """
    if first == other:
        return 1.0
    short, long = sorted((first, other), key=len)
    if len(short) < SHORTEST:
        return 0.0
    if stem(first) == stem(other):
        return SAME_STEM
    if are_cognates(first, other):
        return COGNATE
    if long.startswith(short):
        return ABBREVIATED
    if len(short) >= SHORTEST_PART and long.endswith(short):
        return PART
    if short[0] == long[0] and skeleton(short) == short and _is_skeleton(short, long):
        return ABBREVIATED
    near = len(short) >= LONG and fuzz.ratio(first, other) >= NEAR_LETTERS
    return PART if near and short[0] == long[0] else 0.0


def _is_skeleton(short: str, long: str) -> bool:
    """Return whether a word without vowels abbreviates another."""
    bones = skeleton(long)
    return bones == short or (len(short) > SHORTEST and bones.startswith(short))


def word_fit(word: str, mine: tuple[str, ...], other: str, theirs: tuple[str, ...]) -> float:
    """Return how certain it is that words of given languages mean the same, 0 to 1."""
    share = letters_alike(word, other)
    if share < SAME_SENSE and senses(word, mine) & senses(other, theirs):
        return SAME_SENSE
    return share


def _is_common(concept: str) -> bool:
    """Return whether a concept only says how something is written or measured."""
    return concept in COMMON_HEADS or lexicon().concepts[concept].kind == "form"


@dataclass(frozen=True, slots=True)
class Overlap:
    """How much two names share, 0 to 1, and whether the rest of them contradicts."""

    share: float
    contradicts: bool


class Rarity:
    """How many names have a word, so that a common word counts little."""

    def __init__(self, names: Iterable[Sequence[NameWords]]) -> None:
        self.count: dict[str, int] = {}
        for own in names:
            for word in {stem(word) for name in own for word in name.words}:
                self.count[word] = self.count.get(word, 0) + 1
        self._weights: dict[tuple[str, tuple[str, ...]], float] = {}

    def weight(self, word: str, languages: tuple[str, ...]) -> float:
        """Return 1 for a word of one name only, less for a more common word; little for "date"."""
        weight = self._weights.get((word, languages))
        if weight is None:
            plain = senses(word, languages)
            least = COMMON if plain and all(_is_common(atoms[0]) for atoms in plain) else 1.0
            weight = self._weights[word, languages] = least / self.count.get(stem(word), 1)
        return weight


def overlap(mine: NameWords, theirs: NameWords, columns: Rarity, fields: Rarity) -> Overlap:
    """Pair the words of a header and of a field's name, the most certain first."""
    pairs = sorted(
        (-fit, item, other)
        for item in mine.words
        for other in theirs.words
        if (fit := word_fit(item, mine.languages, other, theirs.languages)) >= ALIKE
    )
    left, right = dict.fromkeys(mine.words), dict.fromkeys(theirs.words)
    shared = 0.0
    for fit, mine_word, other in pairs:
        if mine_word in left and other in right:
            del left[mine_word], right[other]
            shared -= fit * (
                columns.weight(mine_word, mine.languages) + fields.weight(other, theirs.languages)
            )
    total = sum(columns.weight(word, mine.languages) for word in mine.words)
    total += sum(fields.weight(word, theirs.languages) for word in theirs.words)
    known = [bool(senses(word, mine.languages)) for word in left]
    known_there = [bool(senses(word, theirs.languages)) for word in right]
    return Overlap(shared / total if total else 0.0, any(known) and any(known_there))
