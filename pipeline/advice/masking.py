"""What a value may show outside the engine: its form, and words that are public anyway."""

import re
from collections.abc import Collection, Iterable

MOST_CHARACTERS = 40
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")


def masked(text: str, known: Collection[str] = ()) -> str:
    """
    Return a text with ``9`` for each digit and ``x`` or ``X`` for each letter.

    known: words in lower case that stay as they are: those of the catalog.

    >>> masked("Ada Lovelace, 1815-12-10"), masked("paid by Ada", {"paid", "by"})
    ('Xxx Xxxxxxxx, 9999-99-99', 'paid by Xxx')
    """

    def shape(match: re.Match[str]) -> str:
        word = match.group()
        if word.lower() in known:
            return word
        return "".join("X" if letter.isupper() else "x" for letter in word)

    return _DIGIT.sub("9", _LETTERS.sub(shape, text[:MOST_CHARACTERS]))


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """
    Return the words of public texts in lower case.

    >>> sorted(words_of(["Paid in full", "2nd class"]))
    ['class', 'full', 'in', 'nd', 'paid']
    """
    return frozenset(word.lower() for text in texts for word in _LETTERS.findall(text))
