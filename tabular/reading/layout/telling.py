"""Whether a line of texts above other texts is unlike them, so that it names the columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tabular.reading.layout.grid import Grid
from tabular.reading.layout.profile import Profile

_LOOKED_AT = 500  # rows below that are compared
_REPEATS = 0.7  # distinct texts among all of a column that repeats its values
_LIKE = 0.2  # share of the values with the shape of the name, up to which it is unlike them
_TOO_FEW = 3  # values it takes to compare a name with them
_DIGITS, _WORD, _AGAIN = (
    re.compile(pattern) for pattern in (r"\d+", r"[^\W\d_]+", r"\b(\w)(?: \1)+\b")
)


def text_score(grid: Grid, row: int, below: Sequence[int], profile: Profile) -> float:
    """
    Say how sure it is that a line of distinct texts names the columns of texts below it.

    Each column that tells the two apart adds to it. Without any, the line is doubted: only somebody
    who knows the words can say whether they are names.
    """
    rows = below[:_LOOKED_AT]
    telling = sum(_tells(grid, row, column, rows, profile) for column in grid.filled(row))
    return min(0.9, 0.6 + 0.15 * telling)


def _tells(grid: Grid, row: int, column: int, below: Sequence[int], profile: Profile) -> bool:
    """Say whether a column holds another kind or shape of text, or repeats all but its name."""
    look = profile.looks.get(column)
    if look is not None and look is not grid.look(row, column):
        return True
    name = grid.cell(row, column).strip()
    texts = [text for later in below if (text := grid.cell(later, column).strip())]
    if len(texts) < _TOO_FEW:
        return False
    if len(set(texts)) <= len(texts) * _REPEATS and name not in texts:
        return True
    return sum(shape(text) == shape(name) for text in texts) <= len(texts) * _LIKE


def shape(text: str) -> str:
    """
    Give what the words, digits and marks of a text look like; three words and more are two.

    >>> shape("Ada Lovelace"), shape("Grace Brewster Hopper"), shape("first_name"), shape("K-12")
    ('T T', 'T T', 'a_a', 'A-0')
    """
    marked = _WORD.sub(_case, _DIGITS.sub("0", " ".join(text.split())))
    return _AGAIN.sub(r"\1 \1", marked)


def _case(word: re.Match[str]) -> str:
    text = word.group()
    if text.isupper():
        return "A"
    return "T" if text.istitle() else "a"
