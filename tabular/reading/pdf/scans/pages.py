"""One picture becomes one page, with words, lines and how sure the recognition is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabular.model.recognition import Picture, Recogniser
from tabular.reading.pdf.pages.page import Box, Page, Turn
from tabular.reading.pdf.pages.strokes import rulings_and_fills
from tabular.reading.pdf.scans.doubting import doubted
from tabular.reading.pdf.scans.missed import UNREAD, completed
from tabular.reading.pdf.scans.upright import (
    DARK,
    SURE,
    SURE_LETTERS,
    Gray,
    straightened,
    without_lines,
)
from tabular.reading.pdf.scans.words import Seen, confidence_of, seen_in, words_of

DOTS_PER_INCH = 300
SAMPLE_PIXELS = 600  # the least side of the part in which the direction of the text is found
PADDING = 20
TURNS = (0, 2, 1, 3)  # quarter turns, anticlockwise, the most frequent first


def page_of_picture(
    gray: Gray, number: int, recogniser: Recogniser, *, dots_per_inch: float = DOTS_PER_INCH
) -> Page:
    """
    Recognise a picture of a page. Raise RecognitionFailed.

    gray: rows of pixels, 0 black. dots_per_inch: of the picture, which gives the page its size.
    """
    gray = straightened(gray)
    clean, lines = without_lines(gray, dots_per_inch)
    reading = _Reading(recogniser, round(dots_per_inch))
    turn, seen = reading.upright(clean)
    upright = np.rot90(clean, turn)
    seen = completed(upright, seen, lambda picture: reading.seen(picture, is_sparse=False))
    seen = doubted(seen, reading.seen(upright, is_sparse=False) if seen else ())
    height, width = upright.shape
    scale = 72 / dots_per_inch
    boxes = [_scaled(_turned(box, turn, gray.shape), scale) for box in lines]
    space = Box(0, 0, width * scale, height * scale)
    # The boxes already count from the top, which a Turn would turn over.
    flat = [Box(b.x0, space.y1 - b.y1, b.x1, space.y1 - b.y0) for b in boxes]
    across, down, _ = rulings_and_fills(flat, Turn(0, space))
    return Page(
        number=number,
        width=width * scale,
        height=height * scale,
        words=tuple(words_of(seen, scale)),
        pictured_across=tuple(across),
        pictured_down=tuple(down),
        images=1,
        confidence=round(confidence_of(seen)),
        unread_marks=sum(word.text == UNREAD for word in seen),
        turn=turn,
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    recogniser: Recogniser
    dots_per_inch: int

    def upright(self, gray: Gray) -> tuple[int, list[Seen]]:
        """Return by how many quarter turns the text is upright, and its words then."""
        turn = self.turn_of(_sample(gray))
        return turn, self.seen(np.rot90(gray, turn))

    def turn_of(self, sample: Gray) -> int:
        """Return by how many quarter turns the text of a part of the page is upright."""
        best, score = 0, 0.0
        for turn in TURNS:
            tried = self.seen(np.rot90(sample, turn))
            if _is_sure(tried):
                return turn
            if _score(tried) > score:
                best, score = turn, _score(tried)
        return best

    def seen(self, gray: Gray, *, is_sparse: bool = True) -> list[Seen]:
        height, width = gray.shape
        pixels = np.ascontiguousarray(gray).tobytes()
        picture = Picture(width, height, pixels, self.dots_per_inch, is_sparse=is_sparse)
        return seen_in(self.recogniser.words(picture))


def _sample(gray: Gray) -> Gray:
    """Return the part of a page that holds the most ink, large enough to see how its text runs."""
    ink = gray < DARK
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return gray[:1, :1]
    whole = gray[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    height, width = max(SAMPLE_PIXELS, len(whole) // 4), max(SAMPLE_PIXELS, whole.shape[1] // 2)
    top = _fullest((whole < DARK).sum(axis=1), height)
    part = whole[top : top + height]
    left = _fullest((part < DARK).sum(axis=0), width)
    return np.pad(part[:, left : left + width], PADDING, constant_values=255)


def _fullest(ink: NDArray[np.int64], size: int) -> int:
    """Return where the window of a size begins that holds the most ink."""
    if len(ink) <= size:
        return 0
    sums = np.concatenate([[0], np.cumsum(ink)])
    return int(np.argmax(sums[size:] - sums[:-size]))


def _is_sure(seen: list[Seen]) -> bool:
    letters = sum(len(word.text) for word in seen)
    return letters >= SURE_LETTERS and confidence_of(seen) >= SURE


def _score(seen: list[Seen]) -> float:
    """Return how much text was recognised, and how surely."""
    return sum(len(word.text) * max(0, word.confidence - 40) for word in seen)


def _turned(box: Box, turn: int, shape: tuple[int, ...]) -> Box:
    """Return a box of a picture after some quarter turns, anticlockwise."""
    height, width = shape
    for _ in range(turn):
        box = Box(box.y0, width - box.x1, box.y1, width - box.x0)
        height, width = width, height
    return box


def _scaled(box: Box, scale: float) -> Box:
    return Box(box.x0 * scale, box.y0 * scale, box.x1 * scale, box.y1 * scale)
