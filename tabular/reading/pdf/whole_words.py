"""Words that the end of a line within a cell breaks in two."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise, product
from mimetypes import MimeTypes

from tabular.reading.layout.footer import TOTAL
from tabular.reading.pdf.grids.content import kind_of
from tabular.reading.pdf.grids.grid import Row
from tabular.reading.pdf.heading import MOST_HEADER_ROWS
from tabular.types.families.codes import structures
from tabular.values import Kind, judge
from tabular.vocabulary.names import share_understood

LEAST_ALIKE = 3  # whole cells of a column that show how its values look
ALIKE = 0.6  # share of these that a joined word must resemble
MOST_LINES = 5  # of the label of a total
FILE_NAME = re.compile(r"[\w-]+(?:\.[\w-]+)*\.(\w{2,8})")
FILE_TYPES = frozenset(MimeTypes().types_map[True])
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
ADDRESS = {Kind.EMAIL, Kind.URL}


def with_whole_words(rows: Sequence[Row], width: int) -> list[Row]:
    """
    Join the lines of cells that hold one broken word.

    An address, an IBAN, a UUID, the name of a file or the label of a total is recognised by itself,
    a title by the vocabulary; any other word only if the column's whole cells, placeholders aside,
    have exactly its pattern of letters, digits and signs.
    """
    joined_rows = list(rows)
    whole_words: dict[int, set[int]] = defaultdict(set)  # columns of a row
    for column in range(width):
        broken = [index for index, row in enumerate(rows) if column in dict(row.breaks)]
        if not broken:
            continue
        whole = [row.cells[column] for row in rows if column not in dict(row.breaks)]
        patterns = [pattern_of(cell) for cell in whole if kind_of(cell) not in {"", "mark"}]
        for index in broken:
            is_title = index < MOST_HEADER_ROWS
            text = _joined(joined_rows[index], column, patterns, is_title=is_title)
            cells = joined_rows[index].cells
            if text != cells[column]:
                whole_words[index].add(column)
                breaks = tuple(part for part in joined_rows[index].breaks if part[0] != column)
                cells = (*cells[:column], text, *cells[column + 1 :])
                joined_rows[index] = replace(joined_rows[index], cells=cells, breaks=breaks)
    for index, columns in whole_words.items():
        if _ends_within(joined_rows[index], columns):
            joined_rows[index] = replace(joined_rows[index], pieces=())
    return joined_rows


def _ends_within(row: Row, columns: set[int]) -> bool:
    """Return whether every doubtful line of a row is the end of a word in one of some columns."""
    ends = [column for piece in row.pieces[1:] for column, cell in enumerate(piece.cells) if cell]
    return bool(ends) and columns.issuperset(ends)


def _joined(row: Row, column: int, patterns: Sequence[str], *, is_title: bool) -> str:
    text = row.cells[column]
    places = [0, *dict(row.breaks)[column], len(text)]
    pieces = [text[start:end].strip() for start, end in pairwise(places)]
    if (label := _total_label(pieces)) and not TOTAL.fullmatch(text):
        return label
    if any(" " in piece for piece in pieces):
        return text
    word = "".join(pieces)
    is_whole = _is_one(word, pieces) or _is_like(word, pieces, patterns)
    return word if is_whole or (is_title and _is_named(word, pieces)) else text


def _total_label(pieces: Sequence[str]) -> str:
    """
    Return the label of a total in whose words a narrow column breaks lines, "" if it is none.

    >>> _total_label(["Sous-", "total"]), _total_label(["Zwischen", "summe", "netto"])
    ('Sous-total', 'Zwischensumme netto')
    """
    if len(pieces) > MOST_LINES:
        return ""
    labels = (
        "".join(f"{blank}{piece}" for blank, piece in zip(("", *blanks), pieces, strict=True))
        for blanks in product((" ", ""), repeat=len(pieces) - 1)
    )
    return next((label for label in labels if TOTAL.fullmatch(label)), "")


def _is_named(word: str, pieces: Sequence[str]) -> bool:
    """Return whether pieces are a title's word that is too long for its column: Meng, e."""
    if not word.isalpha() or not all(piece.islower() for piece in pieces[1:]):
        return False
    return share_understood([word]) > 0 and share_understood(pieces[:1]) == 0


def _is_one(word: str, pieces: Sequence[str]) -> bool:
    if judge(word).kind in ADDRESS:
        whole = [piece for piece in pieces if judge(piece).kind in ADDRESS]
        return len(whole) < 2 and not (whole and whole[0] == pieces[0] and _ends(pieces))
    if _is_file(word) and not _is_file(pieces[0]):
        return True
    form = structures().get(word[:2].upper(), "")
    return bool(UUID.fullmatch(word) or (form and re.fullmatch(form, word.upper())))


def _is_file(word: str) -> bool:
    """
    Return whether a text is the name of a file of a known type.

    >>> _is_file("photo.jpeg"), _is_file("photo.jp"), _is_file("J. Miller")
    (True, False, False)
    """
    match = FILE_NAME.fullmatch(word)
    return match is not None and f".{match[1].lower()}" in FILE_TYPES


def _ends(pieces: Sequence[str]) -> bool:
    """Return whether the text after a whole address begins like a separate word."""
    return pieces[1][0].isupper()


def _is_like(word: str, pieces: Sequence[str], patterns: Sequence[str]) -> bool:
    pattern = pattern_of(word)
    like = sum(other == pattern for other in patterns)
    alone = all(pattern_of(piece) in patterns for piece in pieces)
    known = len(patterns) >= LEAST_ALIKE and like > ALIKE * len(patterns)
    return known and not alone and pattern.strip("a") != ""


def pattern_of(text: str) -> str:
    """
    Return a text with letters as a, digits as 9, and the number of digits after a point.

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
