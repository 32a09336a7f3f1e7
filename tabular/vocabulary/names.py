"""
Read all headers of a file, and all names of a catalog's fields, in their languages.

A header is read again with its values: "Name" of order #1001 is a number.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tabular.detecting import Profile
from tabular.model.catalog import Catalog, Entry, Field
from tabular.vocabulary.headers import take_apart
from tabular.vocabulary.lexicon import ANY, UNKNOWN_HEAD, lexicon
from tabular.vocabulary.meaning import Meaning, effort, meanings
from tabular.vocabulary.sentences import reduced
from tabular.vocabulary.words import read_words

FOREIGN_LANGUAGE = 0.97  # weight of a reading in a language that the other headers do not use
HALF = 0.93  # weight of reading only one side of a slash
ALIAS = 0.98  # weight of an alternative match compared with key and label
MOST_LANGUAGES = 2
SECOND = 0.88  # share of the best language's points that a second one needs
CLEARER = 0.5  # a language that needs this much more effort misunderstands
LONGEST_DESCRIPTION = 6  # words; a longer description is prose
FEWEST_SHARING = 3
SHARED = 0.6  # share of the headers that begin with the same word
MOSTLY = 0.6  # share of values that decides what a name or a title is
NEARLY_ALL = 0.9
INFERRED = 0.85  # weight of a reading that comes from the values
COUNTED = 0.9  # weight of an "id" that only counts, if there is a number that people use
MACHINE = frozenset({"id", "identifiant", "identificador", "identificativo", "identyfikator"})
SERIAL_LENGTH = 8
PARTS = frozenset({"first", "last", "middle", "maiden"})
IDENTIFIERS = frozenset({"number", "id", "code"})


@dataclass(frozen=True, slots=True)
class Named:
    """One column or field: its spelling, and every way to read it."""

    keys: frozenset[str]
    words: tuple[str, ...]
    meanings: tuple[Meaning, ...]


def share_understood(texts: Sequence[str]) -> float:
    """Return the share of texts that the vocabulary reads as names of columns."""
    languages = languages_of(texts)
    understood = sum(
        any(
            not meaning.head.startswith(UNKNOWN_HEAD)
            for code in languages
            for meaning in meanings(text, code)
        )
        for text in texts
    )
    return understood / len(texts) if texts else 0.0


def languages_of(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the languages that make most of the texts understandable, the best first."""
    points = dict.fromkeys(lexicon().languages.keys() - {ANY}, 0.0)
    for text in sorted(set(texts)):
        for code in points:
            points[code] += _understood(text, code)
    ranked = sorted(points, key=lambda code: (-points[code], code != "en", code))
    least = SECOND * points[ranked[0]]
    return tuple(code for code in ranked[:MOST_LANGUAGES] if points[code] >= least)


@lru_cache(maxsize=65536)  # 5,000 columns in every language: with less, nothing is found again
def _understood(text: str, language: str) -> float:
    """
    Return how well a language explains a header, 0 to 1; its own words count, not common ones.
    """
    header = take_apart(reduced(text))
    terms = read_words(header.words, language)
    if not terms.terms:
        return 0.0
    own = lexicon().terms[language]
    share = len(terms.terms) / (len(terms.terms) + 2 * len(terms.unknown))
    at_home = header.key in own or sum(word in own for word in header.words) / len(header.words)
    return share * (0.4 + 0.6 * float(at_home))


def _understanding(text: str, codes: tuple[str, ...], spoken: int) -> tuple[str, ...]:
    """Return the spoken languages if they understand a text as well as any other, else the best."""
    least = min(effort(text, code) for code in codes) + CLEARER
    at_home = tuple(code for code in codes[:spoken] if effort(text, code) <= least)
    return at_home or tuple(code for code in codes if effort(text, code) <= least)


def in_languages(text: str, languages: tuple[str, ...]) -> tuple[Meaning, ...]:
    """Read a text in the file's languages and in English, each reading once."""
    by_sense: dict[tuple[object, ...], Meaning] = {}
    codes = tuple(dict.fromkeys((*languages, "en")))
    text = reduced(text)
    for rank, code in enumerate(_understanding(text, codes, len(languages))):
        for meaning in meanings(text, code):
            weight = meaning.weight * (FOREIGN_LANGUAGE if rank else 1.0)
            key = (meaning.head, meaning.qualifiers, meaning.forms, meaning.unknown)
            known = by_sense.get(key)
            if known is None or known.weight < weight:
                by_sense[key] = replace(meaning, weight=weight)
    return tuple(by_sense.values())


def read_column(text: str, languages: tuple[str, ...], beginning: str = "") -> Named:
    """Read a source column's header, without a first word that most headers share."""
    rest = without_beginning(text, beginning)
    header = take_apart(reduced(rest))
    keys = frozenset({take_apart(rest).key, take_apart(text).key})
    meanings = dict.fromkeys(in_languages(rest, languages))
    for part in rest.split("/") if "/" in rest else ():
        for meaning in in_languages(part, languages):
            meanings.setdefault(replace(meaning, weight=meaning.weight * HALF))
    return Named(keys, header.words, tuple(meanings))


@lru_cache(maxsize=4096)
def _read_names(
    names: tuple[str, ...], alternatives: tuple[str, ...], languages: tuple[str, ...]
) -> Named:
    meanings: dict[Meaning, None] = {}
    for text in names:
        meanings.update(dict.fromkeys(in_languages(text, languages)))
    for text in alternatives:
        read = in_languages(text, languages)
        meanings.update(dict.fromkeys(replace(m, weight=m.weight * ALIAS) for m in read))
    keys = frozenset(take_apart(text).key for text in (*names, *alternatives))
    return Named(keys, take_apart(names[-1]).words, tuple(meanings))


def read_field(field: Field, languages: tuple[str, ...]) -> Named:
    """Read a field by key, label, alternatives and a short description."""
    names = tuple(dict.fromkeys(name for name in (field.key, field.label) if name))
    alternatives = list(field.alternative_matches or ())
    if field.description and len(take_apart(field.description).words) <= LONGEST_DESCRIPTION:
        alternatives.append(field.description)
    named = _read_names(names, tuple(alternatives), languages)
    suiting = tuple(meaning for meaning in named.meanings if _suits(meaning, field))
    return replace(named, meanings=suiting or named.meanings)


COUNTABLE = frozenset({"int", "float", "percentage", "currency_eur", "currency_usd"})
TYPES_BY_VALUES = {
    "number": COUNTABLE,
    "integer": COUNTABLE,
    "date": frozenset({"date", "date_dmy", "date_mdy", "date_iso", "datetime"}),
}


def _suits(meaning: Meaning, spec: Field) -> bool:
    """Return whether a field of this type can mean that: a number field is not a tax class."""
    values = lexicon().concepts[meaning.head].values
    if spec.column_type == "string":
        return meaning.is_head_stated or values not in TYPES_BY_VALUES
    if spec.column_type in COUNTABLE:
        return values in {"number", "integer", ""} or meaning.is_head_stated
    if spec.column_type in TYPES_BY_VALUES["date"]:
        return values == "date" or meaning.is_head_stated
    return True


def own_heads(fields: Iterable[Named], implied: frozenset[str]) -> frozenset[str]:
    """Return the heads of the fields that name no entity other than the entry's subject."""
    concepts = lexicon().concepts
    return frozenset(
        meaning.head
        for named in fields
        for meaning in named.meanings[:1]
        if not any(concepts[q].kind == "entity" for q in meaning.qualifiers - implied)
    )


def names_in(catalog: Catalog) -> tuple[str, ...]:
    """Return every name in a catalog, for detecting its language."""
    return tuple(
        name
        for entry in catalog.entries
        for field in entry.fields
        for name in (field.key, field.label, *(field.alternative_matches or ()))
        if name
    )


@lru_cache(maxsize=1024)
def _about(names: tuple[str, ...], languages: tuple[str, ...]) -> frozenset[str]:
    concepts = lexicon().concepts
    paths = {
        atom
        for name in names
        for meaning in in_languages(name, languages)
        for atom in meaning.qualifiers
        if concepts[atom].kind == "entity"
    }
    return frozenset(paths)


def about(
    entry: Entry, fields: Iterable[Named], languages: tuple[str, ...]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return what an entry's rows are about, and the parties behind them if a field names them."""
    names = (entry.id, entry.label, *(entry.aliases or ()))
    things = _about(tuple(name for name in names if name), languages)
    concepts = lexicon().concepts
    mentioned = {q for named in fields for meaning in named.meanings for q in meaning.qualifiers}
    behind = frozenset(party for thing in things for party in concepts[thing].party)
    return things, (behind & mentioned) - things


def shared_beginning(columns: Iterable[str]) -> str:
    """Return the first word that most headers share, as in ``cust_name`` or "Person - Name"."""
    headers = [take_apart(column) for column in columns]
    firsts = [header.words[0] for header in headers if len(header.words) > 1]
    if len(firsts) < FEWEST_SHARING:
        return ""
    top = max(sorted(set(firsts)), key=firsts.count)
    return top if firsts.count(top) >= SHARED * len(headers) else ""


def without_beginning(text: str, beginning: str) -> str:
    """Remove a shared first word from a header, unless nothing would be left."""
    header = take_apart(text)
    if not beginning or len(header.words) < 2 or header.words[0] != beginning:
        return text
    aside = f" ({' '.join(header.aside)})" if header.aside else ""
    return " ".join(header.words[1:]) + aside


def concerned(word: str, languages: tuple[str, ...]) -> frozenset[str]:
    """Return what a shared first word is about."""
    return _about((word,), languages) if word else frozenset()


def reread(named: Named, profile: Profile) -> Named:
    """Drop the readings that the values rule out and add those they suggest."""
    if not named.meanings or profile.is_empty:
        return named
    readings = _readings(named.meanings, profile)
    if (
        len(named.words) > 1
        and MACHINE & set(named.words)
        and profile.share("integer") >= NEARLY_ALL
    ):
        readings = tuple(replace(m, weight=m.weight * COUNTED) for m in readings)
    return replace(named, meanings=readings)


def _readings(readings: tuple[Meaning, ...], profile: Profile) -> tuple[Meaning, ...]:
    if profile.share("honorific") >= MOSTLY:
        return tuple(m for m in readings if m.head == "salutation")
    heads = {meaning.head for meaning in readings}
    if profile.share("gtin") >= NEARLY_ALL and heads & IDENTIFIERS:
        return (Meaning("gtin", weight=INFERRED),)
    if profile.share("person", "title") >= MOSTLY:
        readings = _without_parts(readings)
    if profile.share("uuid") >= MOSTLY:
        readings = tuple(_less_key(meaning) for meaning in readings)
    if not _is_code(profile):
        return readings
    bare = {meaning.head for meaning in readings if not meaning.qualifiers}
    if "name" in bare:
        readings = (*readings, Meaning("number", weight=INFERRED))
    if bare & IDENTIFIERS and _is_serial(profile):
        readings = (*readings, Meaning("serial", weight=INFERRED))
    return readings


def _without_parts(readings: tuple[Meaning, ...]) -> tuple[Meaning, ...]:
    """Drop "family name" if "Name" may be either and the values are whole names."""
    if not any(m.head == "name" and not m.qualifiers & PARTS for m in readings):
        return readings
    return tuple(m for m in readings if not m.qualifiers & PARTS)


def _less_key(meaning: Meaning) -> Meaning:
    """Reduce the weight of a machine's "id" below that of a number that people use."""
    if meaning.head != "id" or meaning.qualifiers:
        return meaning
    return replace(meaning, weight=meaning.weight * INFERRED)


def _is_code(profile: Profile) -> bool:
    return profile.share("code") >= NEARLY_ALL <= profile.unique


def _is_serial(profile: Profile) -> bool:
    """Return whether values look like a maker's serial numbers: long and mixed."""
    return profile.length >= SERIAL_LENGTH and profile.share("number", "date") < 1 - NEARLY_ALL
