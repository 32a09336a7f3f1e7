"""
What the recognition of scattered text leaves out: digits that are alone, and marks.

Tesseract drops single characters when it looks for text in no particular order. They are cut out,
put below each other in a picture of their own, and recognised as a block of lines. What is unread
even then is kept as a mark, so that no cell is silently empty.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

import numpy as np

from tabular.reading.pdf.pages.morphology import boxes_of, components, dilated, runs_of
from tabular.reading.pdf.pages.page import Box
from tabular.reading.pdf.scans.upright import DARK, Gray
from tabular.reading.pdf.scans.words import DASHES, REMAINS, Seen

UNREAD = "\N{REPLACEMENT CHARACTER}"
AROUND = 3  # pixels around a recognised word that are part of it
LEAST, MOST = 0.2, 2.5  # heights of the usual word, for the longer side and the height of a piece
A_LETTER = 0.55, 1.6  # the same for the height of what is surely a letter or a mark
WIDEST = 12.0  # the same: what is wider is a picture
MOST_PIECES = 300  # on one page: more are a photo or dirt
MARGIN = 40  # pixels around a piece in its own picture


def completed(
    gray: Gray, seen: Sequence[Seen], recognise: Callable[[Gray], list[Seen]]
) -> list[Seen]:
    """
    Return the recognised words with those that were left out.

    gray: the picture without its lines. recognise: reads a block of lines.
    """
    if not seen:
        return []
    usual = median(word.box.height for word in seen)
    pieces = _pieces(_without(gray, seen), usual)
    if not pieces or len(pieces) > MOST_PIECES:
        return list(seen)
    step = round(max(piece.height for piece in pieces)) + MARGIN
    again = recognise(_below_each_other(gray, pieces, step))
    completed_words = list(seen)
    for place, piece in enumerate(pieces):
        mine = [word for word in again if int(word.box.middle[1] // step) == place]
        mine = [word for word in mine if word.text in DASHES or not REMAINS.fullmatch(word.text)]
        if mine:
            text = " ".join(word.text for word in sorted(mine, key=lambda word: word.box.x0))
            sure = min(word.confidence for word in mine)
            completed_words.append(Seen(text, piece, sure, begins=True, is_alone=True))
        elif A_LETTER[0] * usual <= piece.height <= A_LETTER[1] * usual:
            completed_words.append(Seen(UNREAD, piece, 0, begins=True, is_alone=True))
    return completed_words


def _without(gray: Gray, seen: Sequence[Seen]) -> Gray:
    left = gray.copy()
    for word in seen:
        box = word.box
        rows = slice(max(0, int(box.y0) - AROUND), int(box.y1) + AROUND + 1)
        left[rows, max(0, int(box.x0) - AROUND) : int(box.x1) + AROUND + 1] = 255
    return left


def _pieces(gray: Gray, usual: float) -> list[Box]:
    """Return the boxes of the ink that is left, letters near each other together."""
    ink = gray < DARK
    near = max(1, round(usual / 2))
    joined = runs_of(dilated(ink, height=max(1, near // 2), width=near))
    runs = runs_of(ink)
    # Dilation only adds ink, so each run is a part of one that is joined.
    wider = gray.shape[1] + 1
    within = np.searchsorted(
        joined.rows * wider + joined.starts, runs.rows * wider + runs.starts, side="right"
    )
    boxes = []
    for x0, y0, x1, y1 in boxes_of(runs, components(joined)[within - 1]).tolist():
        box = Box(x0, y0, x1, y1)
        long = max(box.width, box.height)
        if long >= LEAST * usual and box.height <= MOST * usual and box.width <= WIDEST * usual:
            boxes.append(box)
    return boxes


def _below_each_other(gray: Gray, pieces: Sequence[Box], step: int) -> Gray:
    width = round(max(piece.width for piece in pieces)) + 2 * MARGIN
    picture = np.full((step * len(pieces), width), 255, np.uint8)
    for place, piece in enumerate(pieces):
        cut = gray[int(piece.y0) : int(piece.y1), int(piece.x0) : int(piece.x1)]
        # On one line, as digits are: a dash stays where it is between them.
        top = place * step + (step - cut.shape[0]) // 2
        picture[top : top + cut.shape[0], MARGIN : MARGIN + cut.shape[1]] = cut
    return picture
