"""
Reduce a header that is a sentence to the name of what it asks for.

Form services export their questions: "How many seats would you like to reserve?" asks for the
number of seats. The phrases of each language are in ``sentences.toml``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from tabular.vocabulary.headers import take_apart

FEWEST_WORDS = 4  # of a sentence without a question mark
REST = "*"
Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Grammar:
    """The phrases of one language."""

    marks: frozenset[str]
    asks: Mapping[Phrase, str]  # what a phrase asks for, with the rest of the sentence as *
    nouns: Mapping[Phrase, str]
    drop: frozenset[Phrase]
    longest: int  # words of a phrase


@cache
def _grammars() -> Mapping[str, _Grammar]:
    read = tomllib.loads(files("tabular.vocabulary").joinpath("sentences.toml").read_text("utf-8"))
    return {code: _grammar(table) for code, table in read.items()}


def _grammar(table: Mapping[str, object]) -> _Grammar:
    asks, nouns = (
        {tuple(phrase.split()): noun for phrase, noun in table[name].items()}  # type: ignore[attr-defined]
        for name in ("asks", "nouns")
    )
    drop = frozenset(tuple(phrase.split()) for phrase in str(table["drop"]).split(","))
    marks = frozenset(word.strip() for word in str(table["marks"]).split(","))
    longest = max(map(len, (*asks, *nouns, *drop)))
    return _Grammar(marks, asks, nouns, drop, longest)


@lru_cache(maxsize=16384)
def reduced(text: str) -> str:
    """
    Return the name of what a sentence asks for; any other header as it is.

    >>> reduced("How many seats would you like to reserve?")
    'number of seats'
    >>> reduced("Wann reisen Sie an?")
    'anreise datum'
    >>> reduced("Order number")
    'Order number'
    """
    if "?" not in text and text.count(" ") < FEWEST_WORDS - 1:
        return text
    words = take_apart(text).words
    grammar = _spoken(words)
    if grammar is None:
        return text
    return _reduce(words, grammar) or text


def _spoken(words: tuple[str, ...]) -> _Grammar | None:
    """Return the grammar of the language with most of its marks in a sentence."""
    counts = {
        code: sum(word in grammar.marks for word in words) for code, grammar in _grammars().items()
    }
    code = max(counts, key=lambda code: counts[code])
    return _grammars()[code] if counts[code] else None


def _reduce(words: tuple[str, ...], grammar: _Grammar) -> str:
    """Replace phrases by nouns, the longest first, and put the rest where the question has it."""
    subject = ""
    rest: list[str] = []
    place = 0
    while place < len(words):
        size = min(grammar.longest, len(words) - place)
        for length in range(size, 0, -1):
            phrase = words[place : place + length]
            if phrase in grammar.asks:
                subject = subject or grammar.asks[phrase]
            elif phrase in grammar.nouns:
                rest.extend(grammar.nouns[phrase].split())
            elif phrase not in grammar.drop:
                continue
            place += length
            break
        else:
            rest.append(words[place])
            place += 1
    if subject and REST not in subject:
        return subject
    return " ".join((subject or REST).replace(REST, " ".join(rest)).split())
