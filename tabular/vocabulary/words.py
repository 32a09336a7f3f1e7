"""Find the terms in a header's words: the longest known spans, compounds, abbreviations, typos."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from tabular.vocabulary.lexicon import ANY, Atoms, lexicon

LONGEST_SPAN = 6  # words of one term
SHORTEST_PART = 3  # letters of a part of a compound
TAILS = frozenset({"nr", "no", "id", "cd", "dt", "nm", "ct", "tp"})  # short last parts: invno
ENDINGS = ("s", "es", "en", "n", "e", "er", "i", "a", "y", "ow")  # plurals and cases
SHORTEST_TYPO = 5  # shorter words have too many neighbours
SHORTEST_TAIL = 4  # letters of the known last part of a compound
TELLING = frozenset({"head", "form"})
LONGEST_WORD = 40
LONGEST_ABBREVIATED = 14  # letters of a term that is written without its vowels
MOST_MEANT = 3  # meanings of an abbreviation; one with more says nothing

# The cost of a step: the cheapest reading wins.
TERM_COST = 1.0
PART_COST = 1.5  # of a compound
TYPO_COST = 3.0
BORROWED_COST = 4.0  # an English word in another language's header
UNKNOWN_COST = 10.0
HALF_COST = -1.0  # half a compound understood is better than none
UNIT_COST = 1.2
SMALL_COST = 0.2
DIGITS_COST = 0.1

_UMLAUT = re.compile("([aou])e")
_VOWELS = re.compile("[aeiou]")
_DOUBLE = re.compile(r"(.)\1+")


@dataclass(frozen=True, slots=True)
class Term:
    """One understood span: what it can mean; ``of`` precedes it in the sense of "of"."""

    meanings: tuple[Atoms, ...]
    after_of: bool = False


@dataclass(frozen=True, slots=True)
class ReadWords:
    """A header read in one language."""

    terms: tuple[Term, ...]
    unknown: tuple[str, ...]
    ordinal: int | None = None
    cost: float = 0.0


@lru_cache(maxsize=32768)
def lookup(key: str, language: str) -> tuple[Atoms, ...]:
    """Return the meanings of a written key, umlauts spelt out or not."""
    lex = lexicon()
    if meanings := lex.meanings(key, language):
        return meanings
    plain = _UMLAUT.sub(r"\1", key)
    return lex.meanings(plain, language) if plain != key else ()


@lru_cache(maxsize=32768)
def understand(word: str, language: str) -> tuple[tuple[Atoms, ...], ...]:
    """Return the parts of a word that is not a term itself, each with its meanings; () for none."""
    if len(word) > LONGEST_WORD or not word.isascii():
        return ()
    for ending in ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= SHORTEST_PART and (atoms := lookup(stem, language)):
            return (atoms,)
    return _compound(word, language) or _typo(word, language) or _abbreviation(word, language)


def _compound(word: str, language: str) -> tuple[tuple[Atoms, ...], ...]:
    """Split ``rechnungsdatum`` or ``ordernumber`` into known parts, as few as possible."""
    glue = lexicon().languages[language].glue
    best: dict[int, tuple[tuple[str, ...], int]] = {0: ((), 0)}
    for end in range(SHORTEST_PART, len(word) + 1):
        for start in range(max(0, end - 24), end):
            if start not in best:
                continue
            part = word[start:end]
            for letters in glue if end < len(word) else ("",):
                stem = part.removesuffix(letters) if letters else part
                if (letters and stem == part) or not _is_part(stem, language, end == len(word)):
                    continue
                parts = (*best[start][0], stem)
                price = best[start][1] + 10 + (4 if len(stem) < 4 else 0)
                if end not in best or price < best[end][1]:
                    best[end] = (parts, price)
    parts, _ = best.get(len(word), ((), 0))
    return tuple(lookup(part, language) for part in parts) if len(parts) > 1 else ()


@lru_cache(maxsize=32768)
def _half_known(word: str, language: str) -> tuple[str, str] | None:
    """
    Split a compound of which only the last part is known, which says what its values are.

    >>> _half_known("kluftnummer", "de")
    ('kluft', 'nummer')
    """
    if not lexicon().languages[language].joins or not word.isalpha():
        return None
    for start in range(SHORTEST_PART, len(word) - SHORTEST_TAIL + 1):
        tail = word[start:]
        if any(lexicon().concepts[atoms[0]].kind in TELLING for atoms in lookup(tail, language)):
            return word[:start], tail
    return None


def _is_part(stem: str, language: str, last: bool) -> bool:
    if len(stem) < SHORTEST_PART:
        return last and stem in TAILS
    return bool(lookup(stem, language))


@lru_cache(maxsize=16)
def _shelves(language: str) -> dict[tuple[str, int], tuple[str, ...]]:
    """Group the long enough terms of a language by first letter and length."""
    terms = lexicon().terms
    shelves: dict[tuple[str, int], list[str]] = {}
    for key in sorted(terms[language].keys() | terms[ANY].keys()):
        if len(key) >= SHORTEST_TYPO:
            shelves.setdefault((key[0], len(key)), []).append(key)
    return {place: tuple(keys) for place, keys in shelves.items()}


def _typo(word: str, language: str) -> tuple[tuple[Atoms, ...], ...]:
    """Accept one typing error in a long enough word."""
    if len(word) < SHORTEST_TYPO or not word.isalpha():
        return ()
    shelves = _shelves(language)
    for length in (len(word), len(word) - 1, len(word) + 1):
        shelf = shelves.get((word[0], length), ())
        if nearest := process.extractOne(word, shelf, scorer=OSA.distance, score_cutoff=1):
            return (lookup(nearest[0], language),)
    return ()


def skeleton(word: str) -> str:
    """
    Remove the vowels after the first letter, and double letters.

    >>> skeleton("quantity")
    'qnty'
    """
    rest = _VOWELS.sub("", word[1:])
    return _DOUBLE.sub(r"\1", word[:1] + rest)


@lru_cache(maxsize=16)
def _bones(language: str) -> dict[str, tuple[str, ...]]:
    """Group the terms of a language by their skeletons."""
    terms = lexicon().terms
    by_bone: dict[str, list[str]] = {}
    for key in sorted(terms[language].keys() | terms[ANY].keys()):
        if SHORTEST_TYPO <= len(key) <= LONGEST_ABBREVIATED:
            by_bone.setdefault(skeleton(key), []).append(key)
    return {bones: tuple(keys) for bones, keys in by_bone.items()}


def _abbreviation(word: str, language: str) -> tuple[tuple[Atoms, ...], ...]:
    """Read a word without its vowels, if that leaves few possible meanings: ``qnty``."""
    if len(word) < SHORTEST_PART or not word.isalpha() or skeleton(word) != word:
        return ()
    meant = dict.fromkeys(
        atoms for key in _bones(language).get(word, ()) for atoms in lookup(key, language)
    )
    return (tuple(meant),) if 0 < len(meant) <= MOST_MEANT else ()


@dataclass(frozen=True, slots=True)
class _Path:
    """The cheapest reading up to a word."""

    cost: float
    terms: tuple[Term, ...] = ()
    unknown: tuple[str, ...] = ()
    ordinal: int | None = None
    after_of: bool = False

    def rank(self) -> tuple[float, int]:
        return self.cost, len(self.terms)

    def with_terms(self, cost: float, *meanings: tuple[Atoms, ...]) -> "_Path":
        """Continue with understood terms; only the first of them follows an "of"."""
        terms = tuple(Term(m, self.after_of and not i) for i, m in enumerate(meanings))
        return _Path(self.cost + cost, self.terms + terms, self.unknown, self.ordinal)

    def with_number(self, cost: float, digits: str) -> "_Path":
        return replace(self, cost=self.cost + cost, ordinal=int(digits[:4]), after_of=False)

    def with_unknown(self, word: str) -> "_Path":
        unknown = (*self.unknown, word)
        return replace(self, cost=self.cost + UNKNOWN_COST, unknown=unknown, after_of=False)


def read_words(words: tuple[str, ...], language: str) -> ReadWords:
    """Choose the reading with the fewest unknown words, then the fewest and longest terms."""
    rules = lexicon().languages[language]
    best: list[_Path | None] = [_Path(0.0)] + [None] * len(words)
    for start, word in enumerate(words):
        here = best[start]
        if here is None:
            continue
        steps = list(_steps(here, words, start, language))
        if word in rules.small:
            small = replace(here, cost=here.cost + SMALL_COST, after_of=word in rules.of)
            steps.append((start + 1, small))
        for end, path in steps:
            known = best[end]
            if known is None or path.rank() < known.rank():
                best[end] = path
    last = best[-1] or _Path(0.0, unknown=words)
    return ReadWords(last.terms, last.unknown, last.ordinal, last.cost)


def _steps(
    here: _Path, words: tuple[str, ...], start: int, language: str
) -> Iterator[tuple[int, _Path]]:
    """Yield every way to continue from a word: a term of some words, a number, an unknown word."""
    yield from _spans(here, words, start, language)
    word = words[start]
    if word.isdigit():
        yield start + 1, here.with_number(DIGITS_COST, word)
    elif word in lexicon().units:
        yield start + 1, replace(here, cost=here.cost + UNIT_COST, after_of=False)
    if lookup(word, language):
        return
    if language not in {ANY, "en"} and (borrowed := lookup(word, "en")):
        yield start + 1, here.with_terms(BORROWED_COST, borrowed)
    if parts := understand(word, language):
        yield start + 1, here.with_terms(PART_COST * len(parts), *parts)
    else:
        yield start + 1, here.with_unknown(word)
        if halves := _half_known(word, language):
            front, tail = halves
            yield start + 1, here.with_unknown(front).with_terms(HALF_COST, lookup(tail, language))


def _spans(
    here: _Path, words: tuple[str, ...], start: int, language: str
) -> Iterator[tuple[int, _Path]]:
    """Yield the known terms that begin at a word."""
    for end in range(start + 1, min(start + LONGEST_SPAN, len(words)) + 1):
        if atoms := lookup("".join(words[start:end]), language):
            yield end, here.with_terms(TERM_COST, atoms)
    end = start + 3
    if end <= len(words) and words[start + 1].isdigit():  # "Organization 1 - Title"
        around = words[start] + words[end - 1]
        if atoms := lookup(around, language):
            numbered = here.with_number(DIGITS_COST, words[start + 1])
            yield end, numbered.with_terms(TERM_COST, atoms)
    pair = words[start : start + 2]
    if len(pair) == 2 and min(map(len, pair)) == 1:  # "e-mial"
        joined = "".join(pair)
        if not lookup(joined, language) and (parts := _typo(joined, language)):
            yield start + 2, here.with_terms(TYPO_COST, *parts)
