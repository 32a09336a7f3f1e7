"""``key: value`` pairs above a table: they feed the fields that apply to the whole document."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile

from tabular.reading.layout.grid import Grid

_INSIDE = re.compile(r"\s*([^:\n]{2,40}?)\s*:\s+(\S.{0,200})\s*")


def document_pairs(grid: Grid, rows: Iterable[int]) -> dict[str, str]:
    """
    Return the pairs in the preamble rows.

    ``Date: 2024-05-01`` in one cell, or ``Date:`` with the value in the next filled cell, which
    keeps its kind. The first of two equal keys wins.
    """
    pairs: dict[str, str] = {}
    for row in rows:
        texts = [_stripped(grid.cell(row, column)) for column in grid.filled(row)]
        for key, value in _pairs_of(texts):
            pairs.setdefault(key, value)
    return pairs


def below_pairs(grid: Grid) -> Grid:
    """Return the grid below titles and keys with values above a wider table: ``Rate: | 5.125``."""
    rows = [row for row in range(grid.top, grid.bottom) if not grid.is_blank(row)]
    above = takewhile(lambda row: len(grid.filled(row)) == 1 or _are_keyed(grid, row), rows)
    pairs = [row for row in above if _are_keyed(grid, row)]
    if not pairs or pairs[-1] == rows[-1]:
        return grid
    below = grid.window(top=pairs[-1] + 1)
    return below if below.usual_width > max(len(grid.filled(row)) for row in pairs) else grid


def _are_keyed(grid: Grid, row: int) -> bool:
    """Return whether a row has only keys that end with a colon, each before its value."""
    texts = [grid.cell(row, column).strip() for column in grid.filled(row)]
    is_key = [text.endswith(":") for text in texts]
    return len(texts) > 1 and is_key == [True, False] * (len(texts) // 2)


def _pairs_of(texts: list[str]) -> Iterable[tuple[str, str]]:
    place = 0
    while place < len(texts):
        text = texts[place].lstrip("#").strip()
        following = texts[place + 1] if place + 1 < len(texts) else ""
        if text.endswith(":") and 1 < len(text) <= 40 and following:
            yield text[:-1].strip(), following
            place += 2
            continue
        if match := _INSIDE.fullmatch(text):
            yield match[1], match[2].strip()
        elif len(texts) == 2 and place == 0 and 1 < len(text) <= 40 and _is_label(text):
            yield text, following
            return
        place += 1


def _stripped(text: str) -> str:
    return text.strip() if type(text) is str else text  # a number stays a number; it has no blanks


def _is_label(text: str) -> bool:
    return text[0].isalpha() and not text.endswith((".", "!", "?"))
