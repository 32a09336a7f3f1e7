"""What a header means: a head (the kind of value) and its qualifiers.

A grammar, not a list of synonyms: "Rechnungsdatum", "invoice date", "date de facture" and
``inv_dt`` all have the head *date* and the qualifier *invoice*.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product

from tabular.vocabulary.headers import Header, take_apart
from tabular.vocabulary.lexicon import UNKNOWN_HEAD, Atoms, lexicon
from tabular.vocabulary.words import ReadWords, Term, lookup, read_words

MOST_READINGS = 8  # of one header in one language
DESCRIBED = 0.85  # weight of reading the description of a thing as its name
WITHOUT = frozenset(
    {"ohne", "without", "excluding", "excl", "sans", "hors", "sin", "senza", "zonder", "sem", "bez"}
)
LATER = 0.9  # weight of a head that is only the second likeliest reading of a bare noun


@dataclass(frozen=True, slots=True)
class Meaning:
    """One reading of a header."""

    head: str
    qualifiers: frozenset[str] = frozenset()
    forms: frozenset[str] = frozenset()  # how it is written: id, code, number, name
    unknown: tuple[str, ...] = ()
    ordinal: int | None = None
    is_head_stated: bool = True  # False: no head was said, a bare noun represents it
    weight: float = 1.0


@lru_cache(maxsize=16384)
def effort(text: str, language: str) -> float:
    """Return how hard a header is to read in a language: its terms, and ten for an unknown word."""
    return read_words(take_apart(text).words, language).cost


@lru_cache(maxsize=16384)
def meanings(text: str, language: str) -> tuple[Meaning, ...]:
    """
    Read a header in one language; () if it has no known word.

    >>> meanings("Rechnungsdatum", "de")[0].head
    'date'
    """
    header = take_apart(text)
    if header.aside and lookup(header.key + "".join(header.aside), language):
        header = Header(header.words + header.aside)  # "Zahlungsziel (Tage)" is a term as a whole
    main = read_words(header.words, language)
    aside = read_words(_telling_aside(header.aside, language), language)
    if not main.terms:
        main, aside = aside, ReadWords((), main.unknown)
    unknown_meaning = _meaning_of_unknown(main, language)
    if not main.terms:
        return unknown_meaning
    if header.words[-1] in lexicon().languages[language].when:
        main = replace(main, terms=(*main.terms, Term((("date",),))))
    unique: dict[Meaning, None] = {}
    for atoms in islice(product(*(t.meanings for t in (*main.terms, *aside.terms))), MOST_READINGS):
        of = _first_of(main.terms)
        for meaning in _compose(atoms, len(main.terms), of, language):
            unique[replace(meaning, unknown=main.unknown, ordinal=main.ordinal)] = None
    if unknown_meaning and not any(meaning.is_head_stated for meaning in unique):
        unique.update(dict.fromkeys(unknown_meaning))
    return tuple(unique)


def _meaning_of_unknown(main: ReadWords, language: str) -> tuple[Meaning, ...]:
    """Read a word that is not in the vocabulary as a head of its own: "deal probability"."""
    if not main.unknown:
        return ()
    last = lexicon().languages[language].head_last
    place = len(main.unknown) - 1 if last else 0
    rest = main.unknown[:place] + main.unknown[place + 1 :]
    qualifiers = frozenset(atom for term in main.terms for atom in term.meanings[0])
    head = UNKNOWN_HEAD + main.unknown[place]
    return (Meaning(head, qualifiers, unknown=rest, ordinal=main.ordinal),)


def _telling_aside(words: tuple[str, ...], language: str) -> tuple[str, ...]:
    """Return an aside without units; nothing if it says what is not meant: "(ohne Skonto)"."""
    if words and words[0] in WITHOUT and not lookup("".join(words), language):
        return ()
    units = lexicon().units
    return tuple(word for word in words if word not in units)


def _first_of(terms: tuple[Term, ...]) -> int | None:
    """Return the position of the first term after an "of", which never holds the head."""
    return next((place for place, term in enumerate(terms) if place and term.after_of), None)


def _compose(
    spans: tuple[Atoms, ...], main: int, of: int | None, language: str
) -> tuple[Meaning, ...]:
    """Separate the head from the qualifiers among the chosen meanings of a header's terms."""
    concepts = lexicon().concepts
    spans = _at_an_address(spans, main, language)
    kinds = [[concepts[atom].kind for atom in span] for span in spans]
    heads = [i for i, kind in enumerate(kinds) if "head" in kind]
    forms = [i for i, kind in enumerate(kinds) if "form" in kind and i not in heads]
    place = _place(heads, main, of, language)
    if place is None:
        place = _place(forms, main, of, language)
    if place is None:
        return _bare(spans, main, of, language)
    wanted = "head" if heads else "form"
    head = next(atom for atom in spans[place] if concepts[atom].kind == wanted)
    others = [atom for span in spans for atom in span if atom != head]
    written = frozenset(atom for atom in others if concepts[atom].kind == "form")
    stated = Meaning(head, frozenset(others) - written, written)
    if head == "description" and any(concepts[atom].kind == "entity" for atom in others):
        return stated, replace(stated, head="name", weight=DESCRIBED)  # DEPT_DESC
    return (stated,)


def _last_head(spans: tuple[Atoms, ...], language: str) -> tuple[str, ...]:
    """Return the head that a last word represents if heads come last: "Project total"."""
    last = lexicon().concepts[spans[-1][0]] if spans else None
    if last is None or last.kind != "modifier" or not lexicon().languages[language].head_last:
        return ()
    return last.alone[:1]


def _at_an_address(spans: tuple[Atoms, ...], main: int, language: str) -> tuple[Atoms, ...]:
    """Read "shipping address first name" as the shipping's first name: it is not an address."""
    concepts = lexicon().concepts
    place = next((i for i, span in enumerate(spans) if "address" in span), main)
    is_last = lexicon().languages[language].head_last
    sides = spans if is_last else spans[place : place + 1]
    side = next((a for span in sides for a in span if concepts[a].facet == "side"), "")
    after = {concepts[a].kind for span in spans[place + 1 : main] for a in span if a != side}
    if not side or not after & ({"head", "form", "entity"} if is_last else {"head", "form"}):
        return spans
    inside = tuple(dict.fromkeys(side if a == "address" else a for a in spans[place]))
    return (*spans[:place], inside, *spans[place + 1 :])


def _place(places: list[int], main: int, of: int | None, language: str) -> int | None:
    """Choose the position of the head: last or first by the language, never after an "of"."""
    inside = [place for place in places if place < main] or places
    before = [place for place in inside if of is None or place < of] or inside
    if not before:
        return None
    return before[-1] if lexicon().languages[language].head_last and of is None else before[0]


def _bare(
    spans: tuple[Atoms, ...], main: int, of: int | None, language: str
) -> tuple[Meaning, ...]:
    """Read nouns without a head: "Customer" means a name, or a number."""
    concepts = lexicon().concepts
    entities = [
        i for i, span in enumerate(spans) if any(concepts[a].kind == "entity" for a in span)
    ]
    place = _place(entities, main, of, language)
    if place is None:
        place = _place(list(range(len(spans))), main, of, language)
    atoms = frozenset(atom for span in spans for atom in span)
    noun = spans[place or 0][0]
    heads = dict.fromkeys((*_last_head(spans[:main], language), *concepts[noun].alone))
    heads.update(dict.fromkeys(head for span in spans for head in concepts[span[0]].alone[:1]))
    return tuple(
        Meaning(head, atoms, is_head_stated=False, weight=1.0 if not rank else LATER)
        for rank, head in enumerate(heads)
    )
