"""Signs of a line of names: texts unlike those below it, or numbers that count."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from tabular.reading.cells import Look
from tabular.reading.layout.grid import TEXT, TYPED, Grid
from tabular.reading.layout.profile import Profile


def counts_on(grid: Grid, row: int, dense: Sequence[int]) -> bool:
    """Return whether a row of numbers is a header: years or a count, unlike the rows below."""
    columns = [
        column for column in grid.filled(row) if grid.look(row, column) in {Look.NUMBER, Look.DATE}
    ]
    labels = [column for column in grid.filled(row) if grid.look(row, column) in TEXT]
    whole = wholes(grid, row, columns)
    if not whole or len(whole) < len(columns) or len(whole) != len(set(whole)):
        return False
    if len(labels) * 3 > len(whole) + 3 and len(whole) < 2:
        return False
    years = all(1800 <= number <= 2200 for number in whole)
    counting = len(whole) >= 3 and len(_steps(whole)) == 1
    if not (years and (len(whole) > 1 or labels)) and not counting:
        return False
    if any(grid.look(row, column) in TYPED for column in labels):
        return False
    if any(len(grid.filled(above)) >= len(grid.filled(row)) for above in dense if above < row):
        return False
    below = [later for later in dense if later > row][:20]
    return bool(below) and not _continues(grid, columns, below, years=years)


def _continues(grid: Grid, columns: Sequence[int], below: Sequence[int], *, years: bool) -> bool:
    """Return whether the rows below hold the same kind of numbers, so that the row is data."""
    if not years:
        return any(len(_steps(wholes(grid, row, columns))) == 1 for row in below[:5])
    numbers = [number for row in below for number in wholes(grid, row, columns[:20])]
    same = sum(1800 <= number <= 2200 for number in numbers)
    seen = sum(_number(grid.cell(row, c)) is not None for row in below for c in columns[:20])
    return seen == 0 or same * 2 > seen


def wholes(grid: Grid, row: int, columns: Sequence[int]) -> list[int]:
    """Return the whole numbers among some cells of a row."""
    numbers = [_number(grid.cell(row, column)) for column in columns]
    return [int(number) for number in numbers if number is not None and number == int(number)]


def _steps(whole: Sequence[int]) -> set[int]:
    return {later - earlier for earlier, later in itertools.pairwise(whole)} - {0}


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip().replace(",", "").replace(" ", ""))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


_LOOKED_AT = 500  # rows below that are compared
_REPEATS = 0.7  # distinct texts among all texts of a column that repeats its values
_LIKE = 0.2  # share of values with the shape of the name, up to which they differ from it
_TOO_FEW = 3  # number of values needed to compare a name with them
_DIGITS, _WORD, _AGAIN = (
    re.compile(pattern) for pattern in (r"\d+", r"[^\W\d_]+", r"\b(\w)(?: \1)+\b")
)


def text_score(grid: Grid, row: int, below: Sequence[int], profile: Profile) -> float:
    """
    Return how certainly a line of distinct texts names the columns of texts below it.

    Each column that distinguishes the two adds to the score. Without any, the line is doubtful:
    only a reader who knows the words can tell whether they are names.
    """
    rows = below[:_LOOKED_AT]
    telling = sum(_tells(grid, row, column, rows, profile) for column in grid.filled(row))
    return min(0.9, 0.6 + 0.15 * telling)


def _tells(grid: Grid, row: int, column: int, below: Sequence[int], profile: Profile) -> bool:
    """Return whether a column has another kind or shape of text, or repeats all but its name."""
    look = profile.looks.get(column)
    if look is not None and look is not grid.look(row, column):
        return True
    name = grid.cell(row, column).strip()
    texts = [text for later in below if (text := grid.cell(later, column).strip())]
    if len(texts) < _TOO_FEW:
        return False
    if len(set(texts)) <= len(texts) * _REPEATS and name not in texts:
        return True
    form = shape(name)
    return sum(shape(text) == form for text in texts) <= len(texts) * _LIKE


def shape(text: str) -> str:
    """
    Return the form of a text's words, digits and marks; three or more words count as two.

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
