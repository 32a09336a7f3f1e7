"""Group the words of a line into segments, and the segments of a block of lines into columns."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from tabular.reading.pdf.grids.content import kind_of
from tabular.reading.pdf.grids.grid import (
    IDEOGRAPH,
    WIDE_BLANK,
    changes_script,
    is_script_gap,
    lines_of,
)
from tabular.reading.pdf.pages.page import Box, Word, around
from tabular.reading.pdf.pages.right_to_left import is_right_to_left

USUAL_AT_MOST = 0.6  # of the line's height, if the file writes no blanks
SEVERAL_BLANKS = 1.85  # of the usual blank
UNWRITTEN_BLANK = 0.3  # the same if the file writes its blanks but none here
NOTE_MARK = re.compile(r"\(\w{1,2}\)|[*†‡§¹²³]+|\[\w{1,2}\]")
BULLET = re.compile(r"[•●○▪■□◦‣·❖➢➤►\x80-\x9f\ue000-\uf8ff]")
BULLET_BLANK = 3.0  # of the line's height: a nearer bullet belongs to the text after it
NOTE_BLANK = 1.5  # of the line's height: a nearer mark belongs to the text before it
LEADING_DIGITS = re.compile(r"[-+−(]?[$€£]?\d{1,3}")
REST_DIGITS = re.compile(r"\d{3}(?:[.,]\d+)?\)?")
CELL_GAP = 0.03  # of the line's height: separates two text objects if a file's objects are cells
LEAST_HELD = 1  # pairs of words in one object that show what the file's objects are
SAME_GAP = 1.5  # points between the sides of gaps of two lines that part the same columns
LEAST_SHARED = 3  # lines with the same gap that show two columns
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
        """The height in points."""
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        """The vertical position of its middle in points."""
        return (self.top + self.bottom) / 2


def text_lines(words: Iterable[Word]) -> list[Line]:
    """Group upright words into lines of segments, from the top."""
    upright = [word for word in words if word.upright]
    lines = lines_of(upright)
    wide = max(WIDE_BLANK, SEVERAL_BLANKS * usual_blank(lines))
    narrow = UNWRITTEN_BLANK if writes_blanks(upright) else wide
    are_cells = objects_are_cells(lines)
    cells = _cell_gaps(lines, are_cells)
    shared = frozenset() if are_cells else _shared_gaps(lines)
    gaps = _Gaps(CELL_GAP if are_cells else narrow, narrow, wide, cells, shared)
    return [_line(line, gaps) for line in lines]


@dataclass(frozen=True, slots=True)
class _Gaps:
    """Gaps that part words of a line, as shares of its height; and where cells are parted."""

    beginning: float
    narrow: float
    wide: float
    cells: Collection[tuple[int, int]]
    shared: Collection[tuple[int, int]] = ()  # gaps that alone part columns

    def part_columns(self, before: Word, word: Word) -> bool:
        """Return whether the gap is where many lines have one, between two text objects."""
        return word.begins and word.after_gap and _gap_of(before, word) in self.shared

    def part_cells(self, before: Word, word: Word) -> bool:
        """Return whether two cells of another line are parted by the same gap."""
        left, right = _gap_of(before, word)
        return any(
            (left + aside, right + further) in self.cells
            for aside in (-1, 0, 1)
            for further in (-1, 0, 1)
        )


def _cell_gaps(lines: list[list[Word]], are_cells: bool) -> Collection[tuple[int, int]]:
    """Return the gaps between two objects that no change of the script explains."""
    if not are_cells:
        return ()
    return {
        _gap_of(before, word)
        for line in lines
        for before, word in pairwise(line)
        if word.begins and word.after_gap
        if not changes_script(before, word) and not _ends_run(before, word)
    }


def _shared_gaps(lines: list[list[Word]]) -> frozenset[tuple[int, int]]:
    """
    Return the gaps that part two columns in a file whose text objects are single words.

    Such a file does not show whether an object is a cell. Where the texts of one column end and
    those of the next begin at the same place in several lines, titles too, two columns touch.
    """
    pairs = [pair for line in lines for pair in pairwise(line)]
    if not all(word.begins and word.after_gap for _, word in pairs):
        return frozenset()
    held: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for before, word in pairs:
        held.setdefault(_gap_of(before, word), []).append((before.text, word.text))
    return frozenset(gap for gap, texts in held.items() if _are_columns(texts))


def _are_columns(texts: list[tuple[str, str]]) -> bool:
    """Return whether texts on both sides of a gap are of several lengths, values below titles."""
    left, right = (list(side) for side in zip(*texts, strict=True))
    lengths = min(len(set(map(len, left))), len(set(map(len, right))))
    (first, title), *below = texts
    is_titled = kind_of(first) == "text" and kind_of(title) == "text"
    kinds = {(kind_of(before), kind_of(text)) for before, text in below}
    return (
        len(texts) >= LEAST_SHARED
        and lengths > 1
        and is_titled
        and len(kinds) == 1
        and kinds != {("text", "text")}
    )


def _ends_run(before: Word, word: Word) -> bool:
    """
    Return whether a mark ends a text from right to left, and another one follows.

    Office programs begin another text object there, since a mark has no direction of its own.
    """
    return (
        not before.text[-1].isalnum()
        and any(map(is_right_to_left, before.text))
        and any(map(is_right_to_left, word.text))
    )


def _is_run_gap(before: Word, word: Word) -> bool:
    """Return whether the gap between two words may be there only because a run of text ends."""
    height = max(before.box.height, word.box.height)
    is_near = word.box.x0 - before.box.x1 <= WIDE_BLANK * height
    return word.after_gap and is_near and _ends_run(before, word)


def _gap_of(before: Word, word: Word) -> tuple[int, int]:
    return round(before.box.x1 / SAME_GAP), round(word.box.x0 / SAME_GAP)


def texts_of(line: Line) -> list[str]:
    """Return the text of each segment."""
    return [" ".join(word.text for word in segment.words) for segment in line.segments]


def usual_blank(lines: list[list[Word]]) -> float:
    """Return the usual gap between words, as a share of their height."""
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
    """Return whether the file writes blanks between words instead of only moving on."""
    written = sum(not word.after_gap for word in words)
    return written > WRITES_BLANKS * len(words)


def objects_are_cells(lines: list[list[Word]]) -> bool:
    """
    Return whether the file shows each line of a cell as one text object.

    Office programs do: the words of a cell are in one object, with written blanks between them, and
    no blank is written between two objects. Where ideographs and other letters meet, an object ends
    within a cell; a text of ideographs alone is in one object and needs no blanks.
    """
    pairs = [pair for line in lines for pair in pairwise(line) if not _meets_ideographs(*pair)]
    held = [word for _, word in pairs if not word.begins]
    written = sum(not word.after_gap for word in held)
    beginning = [word for _, word in pairs if word.begins]
    open_ended = sum(not word.after_gap for word in beginning)
    words = [word for line in lines for word in line]
    unmixed = [word for word in words if not _is_mixed(word)]
    torn = sum(not word.is_whole for word in unmixed)
    unparted = sum(len(word.text) > 1 and bool(IDEOGRAPH.match(word.text)) for word in unmixed)
    return (
        written + unparted >= LEAST_HELD
        and written >= WRITES_BLANKS * len(held)
        and open_ended <= STRAY * len(beginning)
        and torn <= STRAY * len(words)
    )


def _meets_ideographs(before: Word, word: Word) -> bool:
    return bool(IDEOGRAPH.match(before.text[-1]) or IDEOGRAPH.match(word.text[0]))


def _is_mixed(word: Word) -> bool:
    ideographs = len(IDEOGRAPH.findall(word.text))
    return 0 < ideographs < len(word.text)


def _line(words: list[Word], gaps: _Gaps) -> Line:
    runs: list[list[Word]] = []
    for word in words:
        if runs and not _are_parted(runs[-1][-1], word, gaps):
            runs[-1].append(word)
        else:
            runs.append([word])
    segments = tuple(Segment(tuple(run), around([word.box for word in run])) for run in runs)
    return Line(
        segments,
        min(segment.box.y0 for segment in segments),
        max(segment.box.y1 for segment in segments),
    )


def _are_parted(before: Word, word: Word, gaps: _Gaps) -> bool:
    """Return whether a gap separates two words."""
    height = min(before.box.height, word.box.height)
    gap = word.box.x0 - before.box.x1
    if gaps.part_columns(before, word):
        return True
    if is_script_gap(before, word) or _is_run_gap(before, word):
        return word.begins and gaps.part_cells(before, word)
    if BULLET.fullmatch(before.text):
        return gap > BULLET_BLANK * height
    if NOTE_MARK.fullmatch(word.text):
        return gap > NOTE_BLANK * before.box.height
    is_grouped = LEADING_DIGITS.fullmatch(before.text) and REST_DIGITS.fullmatch(word.text)
    if word.begins and word.after_gap and gaps.beginning < gaps.narrow and not is_grouped:
        return gap > gaps.beginning * height
    if _two_numbers(before.text, word.text):
        return gap > min(WIDE_BLANK, gaps.wide) * height
    return gap > (gaps.narrow if word.after_gap else gaps.wide) * height


def _two_numbers(before: str, text: str) -> bool:
    """Return whether two words are two numbers, not the thousands and the rest of one."""
    numbers = kind_of(before) == "number" and kind_of(text) == "number"
    return numbers and not (LEADING_DIGITS.fullmatch(before) and REST_DIGITS.fullmatch(text))


OVERLAP = 1.0  # points that segments of neighbouring columns may overlap
SAMPLE = 120  # lines examined to see whether a segment spans columns
STRAY = 0.06  # share of lines whose segments may run into the next column


def column_edges(lines: list[Line], *, lone: bool = False) -> list[float]:
    """
    Return the borders of the columns, from the left; one more than columns.

    lone: lines of a single segment count too; prose would distort the result.

    1. Ignore segments that span two or more segments of most other lines: titles over
       columns, prose.
    2. The remaining segments fall into bands of overlapping segments: the columns.
    3. A band with two segments in many lines is split where the fewest segments cross.
    """
    wide = [line for line in lines if lone or len(line.segments) > 1] or lines
    gaps = sorted(_middle_gap(a, b) for line in wide for a, b in pairwise(line.segments))
    sample = wide[:: len(wide) // SAMPLE + 1]
    plain = [
        [segment for segment in line.segments if not _spanning(segment, gaps, sample)]
        for line in wide
    ]
    spans = sorted((s.box.x0, s.box.x1) for line in plain for s in line)
    bands = _bands(spans)
    bands = [part for band in bands for part in _parted(band, plain)]
    if not bands:
        return []
    middles = [(a[1] + b[0]) / 2 for a, b in pairwise(bands)]
    return [bands[0][0] - 1, *middles, bands[-1][1] + 1]


def _middle_gap(left: Segment, right: Segment) -> float:
    return (left.box.x1 + right.box.x0) / 2


def _spanning(segment: Segment, gaps: list[float], lines: list[Line]) -> bool:
    # Almost no segment of a table spans a gap of another line, so no closer look is needed.
    if bisect_left(gaps, segment.box.x0) == bisect_right(gaps, segment.box.x1):
        return False
    several = single = 0
    for line in lines:
        under = sum(_common(segment.box, other.box) > 2 * OVERLAP for other in line.segments)
        several += under > 1
        single += under == 1
    return several >= max(2, single)


def _common(first: Box, other: Box) -> float:
    return min(first.x1, other.x1) - max(first.x0, other.x0)


def _bands(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    bands: list[tuple[float, float]] = []
    for start, end in spans:
        if bands and start < bands[-1][1] - OVERLAP:
            bands[-1] = (bands[-1][0], max(bands[-1][1], end))
        else:
            bands.append((start, end))
    return bands


def _parted(band: tuple[float, float], lines: list[list[Segment]]) -> list[tuple[float, float]]:
    """Return the columns of a band, from the left."""
    parts: list[tuple[float, float]] = []
    waiting = [band]  # not by recursion: a damaged page has thousands of columns
    while waiting:
        start, end = waiting.pop()
        cut = _cut_of((start, end), lines)
        if cut is None:
            parts.append((start, end))
        else:
            waiting += [(cut, end), (start, cut)]
    return parts


def _cut_of(band: tuple[float, float], lines: list[list[Segment]]) -> float | None:
    """Return where a band of several columns is cut, or None for one column."""
    inside = [
        [s for s in line if s.box.x0 >= band[0] - OVERLAP and s.box.x1 <= band[1] + OVERLAP]
        for line in lines
    ]
    held = [line for line in inside if line]
    double = [line for line in held if len(line) > 1]
    if len(double) < max(2, 0.3 * len(held)):
        return None
    segments = [s for line in held for s in line]
    cut = _thinnest(double, segments)
    if sum(_lies_over(cut, s) for s in segments) > max(1, STRAY * len(held)):
        return None
    # Segments of a point or less, on top of each other: one side would have all of them again.
    is_left = all(s.box.x1 <= cut + OVERLAP for s in segments)
    is_right = all(s.box.x0 >= cut - OVERLAP for s in segments)
    return None if is_left or is_right else cut


def _thinnest(double: list[list[Segment]], segments: list[Segment]) -> float:
    places = sorted(_middle_gap(a, b) for line in double for a, b in pairwise(line))
    return min(places, key=lambda place: sum(_lies_over(place, s) for s in segments))


def _lies_over(place: float, segment: Segment) -> bool:
    return segment.box.x0 + OVERLAP < place < segment.box.x1 - OVERLAP


def occupied(box: Box, edges: list[float]) -> tuple[int, int]:
    """Return the first and last column that a box reaches into noticeably."""
    reached = [
        index
        for index in range(len(edges) - 1)
        if min(box.x1, edges[index + 1]) - max(box.x0, edges[index])
        > min(2 * OVERLAP, 0.4 * box.width)
    ]
    if reached:
        return reached[0], reached[-1]
    middle, _ = box.middle
    nearest = min(range(len(edges) - 1), key=lambda i: abs((edges[i] + edges[i + 1]) / 2 - middle))
    return nearest, nearest


def fits(line: Line, edges: list[float]) -> bool:
    """Return whether a line's segments each have a column of their own."""
    homes = [occupied(segment.box, edges) for segment in line.segments]
    inside = all(edges[0] - 3 <= s.box.x0 and s.box.x1 <= edges[-1] + 3 for s in line.segments)
    return inside and all(a[1] < b[0] for a, b in pairwise(homes))
