"""Words of a line become segments: runs with ordinary blanks between them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from tabular.reading.pdf.content import kind_of
from tabular.reading.pdf.grid import lines_of
from tabular.reading.pdf.page import Box, Word, around

WIDE_BLANK = 0.35  # of the line's height: a wider gap parts segments
USUAL_AT_MOST = 0.6  # of the line's height, where the file writes no blanks
SEVERAL_BLANKS = 1.85  # of the usual blank
UNWRITTEN_BLANK = 0.3  # the same where the file writes its blanks but wrote none here
NOTE_MARK = re.compile(r"\(\w{1,2}\)|[*†‡§¹²³]+|\[\w{1,2}\]")
BULLET = re.compile(r"[•●○▪■□◦‣·❖➢➤►\x80-\x9f\ue000-\uf8ff]")
BULLET_BLANK = 3.0  # of the line's height: a nearer bullet belongs to the text after it
NOTE_BLANK = 1.5  # of the line's height: a nearer mark belongs to the text before it
LEADING_DIGITS = re.compile(r"[-+−(]?[$€£]?\d{1,3}")
REST_DIGITS = re.compile(r"\d{3}(?:[.,]\d+)?\)?")
WRITES_BLANKS = 0.6  # share of word gaps with a written blank, in a file that writes them


@dataclass(frozen=True, slots=True)
class Segment:
    """Words that belong together."""

    words: tuple[Word, ...]
    box: Box


@dataclass(frozen=True, slots=True)
class Line:
    """Segments of one line, from the left."""

    segments: tuple[Segment, ...]
    top: float
    bottom: float

    @property
    def height(self) -> float:
        """Give the height in points."""
        return self.bottom - self.top


def text_lines(words: Iterable[Word]) -> list[Line]:
    """Group upright words into lines of segments, from the top."""
    upright = [word for word in words if word.upright]
    lines = lines_of(upright)
    wide = max(WIDE_BLANK, SEVERAL_BLANKS * usual_blank(lines))
    narrow = UNWRITTEN_BLANK if writes_blanks(upright) else wide
    return [_line(line, narrow, wide) for line in lines]


def texts_of(line: Line) -> list[str]:
    """Give the text of each segment."""
    return [" ".join(word.text for word in segment.words) for segment in line.segments]


def usual_blank(lines: list[list[Word]]) -> float:
    """Give the usual gap between words, as a share of their height."""
    gaps = [
        ((word.box.x0 - before.box.x1) / max(word.box.height, 1.0), word.after_gap)
        for line in lines
        for before, word in pairwise(line)
    ]
    near = [(gap, unwritten) for gap, unwritten in gaps if 0 < gap < 1]
    written = [gap for gap, unwritten in near if not unwritten]
    usual = written or [gap for gap, _ in near if gap < USUAL_AT_MOST]
    return median(usual) if usual else 0.25


def writes_blanks(words: list[Word]) -> bool:
    """Say whether the file writes blanks between words instead of only moving on."""
    written = sum(1 for word in words if not word.after_gap)
    return written > WRITES_BLANKS * len(words)


def _line(words: list[Word], narrow: float, wide: float) -> Line:
    runs: list[list[Word]] = []
    for word in words:
        if runs and not _parted(runs[-1][-1], word, narrow, wide):
            runs[-1].append(word)
        else:
            runs.append([word])
    segments = tuple(Segment(tuple(run), around([word.box for word in run])) for run in runs)
    return Line(
        segments,
        min(segment.box.y0 for segment in segments),
        max(segment.box.y1 for segment in segments),
    )


def _parted(before: Word, word: Word, narrow: float, wide: float) -> bool:
    height = min(before.box.height, word.box.height)
    gap = word.box.x0 - before.box.x1
    if BULLET.fullmatch(before.text):
        return gap > BULLET_BLANK * height
    if NOTE_MARK.fullmatch(word.text):
        return gap > NOTE_BLANK * before.box.height
    if _two_numbers(before.text, word.text):
        return gap > min(WIDE_BLANK, wide) * height
    return gap > (narrow if word.after_gap else wide) * height


def _two_numbers(before: str, text: str) -> bool:
    """Say whether two words are a number each, not the thousands and the rest of one."""
    numbers = kind_of(before) == "number" and kind_of(text) == "number"
    return numbers and not (LEADING_DIGITS.fullmatch(before) and REST_DIGITS.fullmatch(text))
