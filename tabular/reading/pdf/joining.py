"""Words that the end of a cell's line broke in two are one again, where their type says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from tabular.reading.pdf.grid import Row
from tabular.types.iban import structures
from tabular.values import Kind, judge

LEAST_ALIKE = 3  # whole cells of a column that tell what its values look like
ALIKE = 0.6  # share of these that a joined word must be like
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
ADDRESS = {Kind.EMAIL, Kind.URL}


def with_whole_words(rows: Sequence[Row], width: int) -> list[Row]:
    """
    Join the lines of cells that hold one broken word.

    An address, an IBAN or a UUID is known by itself; any other word only if the column's whole
    cells have just its pattern of letters, digits and signs.
    """
    found = list(rows)
    for column in range(width):
        broken = [index for index, row in enumerate(rows) if column in dict(row.breaks)]
        if not broken:
            continue
        whole = [row.cells[column] for row in rows if column not in dict(row.breaks)]
        patterns = [pattern_of(cell) for cell in whole if cell]
        for index in broken:
            text = _joined(found[index], column, patterns)
            cells = found[index].cells
            found[index] = replace(
                found[index], cells=(*cells[:column], text, *cells[column + 1 :])
            )
    return found


def _joined(row: Row, column: int, patterns: Sequence[str]) -> str:
    text = row.cells[column]
    places = [0, *dict(row.breaks)[column], len(text)]
    pieces = [text[start:end].strip() for start, end in pairwise(places)]
    if any(" " in piece for piece in pieces):
        return text
    word = "".join(pieces)
    return word if _is_one(word, pieces) or _is_like(word, pieces, patterns) else text


def _is_one(word: str, pieces: Sequence[str]) -> bool:
    if judge(word).kind in ADDRESS:
        whole = [piece for piece in pieces if judge(piece).kind in ADDRESS]
        return len(whole) < 2 and not (whole and whole[0] == pieces[0] and _ends(pieces))
    form = structures().get(word[:2].upper(), "")
    return bool(UUID.fullmatch(word) or (form and re.fullmatch(form, word.upper())))


def _ends(pieces: Sequence[str]) -> bool:
    """Say whether what follows a whole address begins like a word of its own."""
    return pieces[1][0].isupper()


def _is_like(word: str, pieces: Sequence[str], patterns: Sequence[str]) -> bool:
    pattern = pattern_of(word)
    like = sum(1 for other in patterns if other == pattern)
    alone = all(pattern_of(piece) in patterns for piece in pieces)
    known = len(patterns) >= LEAST_ALIKE and like > ALIKE * len(patterns)
    return known and not alone and pattern.strip("a") != ""


def pattern_of(text: str) -> str:
    """
    Write letters as a, digits as 9, and how many digits there are behind a point.

    >>> pattern_of("K-85179"), pattern_of("1,234.50"), pattern_of("12.03.2026")
    ('a-9', '9.99', '9.9.9999')
    """
    marks = [
        "a" if mark.isalpha() else "9" if mark.isdigit() else mark
        for mark in re.sub(r"(?<=\d)[,'’](?=\d{3})|(?<=\d)\.(?=\d{3}(?:,|$))", "", text)
    ]
    runs = ["".join(run) for _, run in groupby(marks)]
    last = len(runs) - 1
    return "".join(
        run if place == last and place > 0 and runs[place - 1] in ".," else run[0]
        for place, run in enumerate(runs)
    )
