"""The vocabulary in memory: concepts, languages, and the meanings of each written term.

The files under ``terms`` are the source. They are read once per process, on first use, and compiled
for the next one, like bytecode: the compiled file is next to the bytecode of this package and is
trusted as far as that is. A file compiled from other sources, or by other code, is compiled again.
"""

import hashlib
import marshal
import os
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass, field
from functools import lru_cache
from importlib.resources import files
from importlib.util import cache_from_source
from itertools import groupby
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Literal

from rapidfuzz import fuzz

from tabular.vocabulary.headers import take_apart

Kind = Literal["head", "form", "entity", "modifier"]
Atoms = tuple[str, ...]  # concepts of one term, the head first: ("date", "birth")

ANY = "any"
UNKNOWN_HEAD = "="  # begins the name of a head that no vocabulary file has
SPELLING = 85  # rapidfuzz ratio from which two unknown words are one
COGNATE = 83  # the same for words in two languages written by their sound
SHORTEST_COGNATE = 7
SOUNDS = (
    ("ph", "f"), ("th", "t"), ("ch", "k"), ("qu", "k"), ("c", "k"), ("z", "s"), ("y", "i"),
    ("w", "v"), ("x", "ks"),
)  # fmt: skip
TABLES = (
    "forms", "people", "places", "money", "dates", "things", "identifiers", "measures", "domains",
    "technical", "trades", "industries",
)  # fmt: skip
CODE = ("headers.py", "lexicon.py")  # that determine the result of reading the files
MISS = {"head": 0.35, "form": 0.1, "entity": 0.15, "modifier": 0.2}
EXTRA = {"head": 0.5, "form": 0.1, "entity": 0.5, "modifier": 0.4}
LIKE = 0.9  # how well a concept replaces one that is like it
NEAR = 0.65  # for one that it may represent
RELATED = 0.4  # for one that shares some of its sense
NEARNESS = {"like": LIKE, "near": NEAR, "related": RELATED}


@dataclass(frozen=True, slots=True)
class Concept:
    """One meaning of a word, and how it behaves when two headers are compared."""

    name: str
    kind: Kind
    miss: float  # share of the score lost if only the field says it
    extra: float  # share of the score lost if only the column says it
    facet: str = ""  # two different concepts of one facet contradict each other
    alone: tuple[str, ...] = ()  # heads it represents without a head, likeliest first
    values: str = ""  # what its values look like
    near: Mapping[str, float] = field(default_factory=dict)
    implies: tuple[str, ...] = ()
    party: tuple[str, ...] = ()  # the parties behind it, such as an order's customer
    helper: bool = False  # says something about another column
    generic: bool = False  # any party may be meant
    body: bool = False  # an organisation, not a person
    things: bool = False  # said of things, not of people


@dataclass(frozen=True, slots=True)
class Language:
    """How a language combines words."""

    code: str
    head_last: bool
    glue: tuple[str, ...]
    small: frozenset[str]
    of: frozenset[str]
    when: frozenset[str]

    @property
    def joins(self) -> bool:
        """Whether it makes one word of several: Rechnungsdatum."""
        return len(self.glue) > 1


def are_cognates(first: str, other: str) -> bool:
    """
    Return whether two unknown words are spelt alike, or are one word in two languages.

    >>> are_cognates("kalibrator", "calibrator")
    True
    """
    if fuzz.ratio(first, other) >= SPELLING:
        return True
    if min(len(first), len(other)) < SHORTEST_COGNATE:
        return False
    return fuzz.ratio(sound(first), sound(other)) >= COGNATE


def sound(word: str) -> str:
    """Return a word as most languages would write it: one letter per sound, no double letters."""
    for spelt, plain in SOUNDS:
        word = word.replace(spelt, plain)
    return "".join(letter for letter, _ in groupby(word))


def _spelt_alike(first: str, other: str) -> float:
    """Compare two heads that are not in the vocabulary by their letters."""
    return (
        1.0
        if are_cognates(first.removeprefix(UNKNOWN_HEAD), other.removeprefix(UNKNOWN_HEAD))
        else 0.0
    )


class Concepts(dict[str, Concept]):
    """The concepts by name; a word that is not in the vocabulary is a head of its own."""

    def __missing__(self, name: str) -> Concept:
        """Return the concept of an unknown word."""
        if not name.startswith(UNKNOWN_HEAD):
            raise KeyError(name)
        return Concept(name, "head", MISS["head"], EXTRA["head"])


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Everything in the vocabulary files."""

    concepts: Mapping[str, Concept]
    languages: Mapping[str, Language]
    terms: Mapping[str, Mapping[str, tuple[Atoms, ...]]]  # by language, then by written key
    units: frozenset[str]

    def meanings(self, key: str, language: str) -> tuple[Atoms, ...]:
        """Return a written key's meanings in a language, its own meanings before common ones."""
        own = self.terms[language].get(key, ())
        common = self.terms[ANY].get(key, ())
        return own + tuple(atoms for atoms in common if atoms not in own)

    def near(self, first: str, other: str) -> float:
        """
        Return how well one concept replaces another, 0 to 1; stated for one, it applies both ways.
        """
        if first == other:
            return 1.0
        if first.startswith(UNKNOWN_HEAD) or other.startswith(UNKNOWN_HEAD):
            return _spelt_alike(first, other)
        back = self.concepts[other].near.get(first, 0.0)  # only one of them states it
        return self.concepts[first].near.get(other, back)


def _sources() -> dict[str, str]:
    """Return the text of each vocabulary file by its name."""
    folder = files("tabular.vocabulary").joinpath("terms")
    names = (*TABLES, "languages", "units")
    return {name: folder.joinpath(f"{name}.toml").read_text("utf-8") for name in names}


def table(name: str) -> dict[str, Any]:
    """Read one vocabulary file as it is written."""
    return tomllib.loads(_sources()[name])


def split_terms(line: str) -> Iterator[tuple[str, bool]]:
    """Split a line of terms; a question mark means that the term has other meanings too."""
    for written in line.split(","):
        term = written.strip()
        yield term.removesuffix("?"), term.endswith("?")


def _concept(name: str, table_of: Mapping[str, Any]) -> Concept:
    kind: Kind = table_of["kind"]
    return Concept(
        name=name,
        kind=kind,
        miss=table_of.get("miss", MISS[kind]),
        extra=table_of.get("extra", EXTRA[kind]),
        facet=table_of.get("facet", ""),
        alone=tuple(table_of.get("alone", ())),
        values=table_of.get("values", ""),
        near={name: near for word, near in NEARNESS.items() for name in table_of.get(word, ())},
        implies=tuple(table_of.get("implies", ())),
        party=tuple(table_of.get("party", ())),
        helper=table_of.get("helper", False),
        generic=table_of.get("generic", False),
        body=table_of.get("body", False),
        things=table_of.get("things", False),
    )


def _language(code: str, rules: Mapping[str, Any]) -> Language:
    of = frozenset(term for term, _ in split_terms(rules["of"]))
    return Language(
        code=code,
        head_last=rules["head"] == "last",
        glue=tuple(rules["glue"]),
        small=(frozenset(term for term, _ in split_terms(rules["small"])) | of) - {""},
        of=of - {""},
        when=frozenset(term for term, _ in split_terms(rules["when"])) - {""},
    )


def _keys(term: str, small: frozenset[str]) -> Iterator[str]:
    """Yield the written keys of a term: as it is, and without small words."""
    words = take_apart(term).words
    yield "".join(words)
    telling = [word for word in words if word not in small]
    if len(telling) > 1:  # "to name" is not "name"
        yield "".join(telling)


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Read the vocabulary once, from a compiled file of an earlier process if it is current."""
    sources = _sources()
    if (read := load(sources)) is None:
        read = _read(sources)
        if not sys.dont_write_bytecode:
            with suppress(OSError):  # no write permission: the next process reads again
                keep(sources, read)
    concepts = Concepts((name, Concept(name, *rest)) for name, rest in read["concepts"].items())
    languages = {code: Language(code, *rest) for code, rest in read["languages"].items()}
    return Lexicon(concepts, languages, read["terms"], read["units"])


def compile_vocabulary() -> None:
    """Compile the vocabulary for later processes. Raise OSError if the file cannot be written."""
    sources = _sources()
    keep(sources, _read(sources))


def _read(sources: Mapping[str, str]) -> dict[str, Any]:
    """Return the content of the files as plain values, which a process can load at once."""
    tables = {name: tomllib.loads(text) for name, text in sources.items()}
    languages = {code: _language(code, rules) for code, rules in tables["languages"].items()}
    concepts: dict[str, Concept] = {}
    terms: dict[str, dict[str, tuple[Atoms, ...]]] = {code: {} for code in languages}
    for name in TABLES:
        for key, table_of in tables[name].items():
            atoms = tuple(key.split())
            if "kind" in table_of:
                concepts[key] = _concept(key, table_of)
            for code in languages.keys() & table_of.keys():
                _add(terms[code], atoms, table_of[code], languages[code].small)
    units = frozenset(term for line in tables["units"].values() for term, _ in split_terms(line))
    return {
        "concepts": {name: astuple(concept)[1:] for name, concept in concepts.items()},
        "languages": {code: astuple(language)[1:] for code, language in languages.items()},
        "terms": terms,
        "units": units,
    }


def _add(
    terms: dict[str, tuple[Atoms, ...]], atoms: Atoms, line: str, small: frozenset[str]
) -> None:
    for term, _ in split_terms(line):
        for key in _keys(term, small):
            known = terms.get(key, ())
            if key and atoms not in known:
                terms[key] = (*known, atoms)


def load(sources: Mapping[str, str]) -> dict[str, Any] | None:
    """Return what was stored for the same sources by the same code, or None."""
    digest = _digest(sources)
    try:
        whole = _place().read_bytes()
    except OSError:
        return None
    if not whole.startswith(digest):
        return None
    try:
        # As Python itself loads the bytecode next to it
        kept: dict[str, Any] = marshal.loads(whole[len(digest) :])  # noqa: S302  (our own digest)
    except (EOFError, ValueError, TypeError):  # truncated: the disk was full
        return None
    return kept


def keep(sources: Mapping[str, str], made: dict[str, Any]) -> None:
    """Store plain values made from the sources. Raise OSError if the file cannot be written."""
    place = _place()
    place.parent.mkdir(exist_ok=True)
    with NamedTemporaryFile(dir=place.parent, delete=False) as written:
        written.write(_digest(sources) + marshal.dumps(made))
    os.chmod(written.name, 0o644)
    os.replace(written.name, place)


def _place() -> Path:
    return Path(cache_from_source(str(Path(__file__).with_name("vocabulary.py")))).with_suffix("")


def _digest(sources: Mapping[str, str]) -> bytes:
    sha256 = hashlib.sha256()
    for name in CODE:
        sha256.update(Path(__file__).with_name(name).read_bytes())
    for name, text in sorted(sources.items()):
        sha256.update(f"{name}\0{text}\0".encode())
    return sha256.digest()
