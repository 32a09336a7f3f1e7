"""A candidate table on one page: rows of cells with their positions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tabular.reading.pdf.pages.page import Box, Word

SPARSE_RULES = 0.4  # lines per row
SAME_LINE = 0.4  # of a word's height: words whose baselines differ less are on one line
WIDE_BLANK = 0.35  # of the line's height: a wider gap separates segments
# Chinese and Japanese: no blank between words, a line ends between any two letters. Not Korean.
IDEOGRAPH = re.compile(
    "[\u2e80-\u2fdf\u3001-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
    "\uff01-\uff9f\uffe0-\uffe6\U00020000-\U0003ffff]"
)
HYPHENATED = re.compile(r"[^\W\d_]-$")  # a line that ends with a hyphen ends within a word


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a text per column, "" for an empty cell, and its position."""

    cells: tuple[str, ...]
    top: float
    bottom: float
    page: int
    spans: tuple[tuple[int, int], ...] = ()  # first and last column of each merged cell
    weight: int = 0  # of its lightest font, 0 if the file does not say
    breaks: tuple[tuple[int, tuple[int, ...]], ...] = ()  # column, where its lines end in the text
    is_apart: bool = False  # drawn apart from the row above, or farther than lines of a text
    pieces: tuple[Row, ...] = ()  # the rows it would be if its doubtful lines were separate
    edges: tuple[float, ...] = ()  # borders of its columns, one more than cells
    boxes: tuple[float, ...] = ()  # of the cells: left, top, right, bottom of each
    confidences: tuple[int | None, ...] = ()  # of the cells of a picture; None for an empty one

    @property
    def filled(self) -> int:
        """The number of cells with text."""
        return sum(map(bool, self.cells))

    @property
    def taken_apart(self) -> tuple[Row, ...]:
        """The rows it becomes if each of its doubtful lines is one."""
        return tuple(replace(row, edges=self.edges) for row in self.pieces) or (self,)


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of equal width; ``edges`` are the columns' borders, one more than columns."""

    page: int
    box: Box
    method: str  # ruled, aligned or a camelot flavor
    rows: tuple[Row, ...]
    edges: tuple[float, ...]
    score: float = 0.0
    rules: tuple[float, ...] = ()  # heights of long lines across it, if cells have no borders

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.edges) - 1

    @property
    def parting_rules(self) -> tuple[float, ...]:
        """The rules, unless almost every row has one and none separates titles from values."""
        return self.rules if len(self.rules) <= max(4, SPARSE_RULES * len(self.rows)) else ()


def put_below(upper: Row, lower: Row) -> Row:
    """Merge two rows: each cell of the lower one continues the cell above it."""
    cells = (
        continued((above, other)) for above, other in zip(upper.cells, lower.cells, strict=True)
    )
    breaks = tuple(_joined_breaks(upper, lower))
    return replace(upper, cells=tuple(cells), bottom=lower.bottom, breaks=breaks, pieces=())


def _joined_breaks(upper: Row, lower: Row) -> Iterator[tuple[int, tuple[int, ...]]]:
    ends, further = dict(upper.breaks), dict(lower.breaks)
    for column, (above, other) in enumerate(zip(upper.cells, lower.cells, strict=True)):
        places = ends.get(column, ())
        begin = len(continued((above, other))) - len(other)
        if above and other:
            places = (*places, len(above))
        places = (*places, *(begin + end for end in further.get(column, ())))
        if places:
            yield column, places


def lines_of(words: list[Word]) -> list[list[Word]]:
    """Group upright words by their baselines into lines, from the top, each from the left."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: (word.baseline, word.box.x0)):
        if lines:
            height = max(word.box.height, lines[-1][0].box.height)
            if word.baseline - lines[-1][0].baseline < SAME_LINE * height:
                lines[-1].append(word)
                continue
        lines.append([word])
    return [sorted(line, key=lambda word: word.box.x0) for line in lines]


def text_of(words: list[Word]) -> str:
    """Join a cell's words as one text, with a blank between its lines."""
    upright = [word for word in words if word.upright]
    texts = [_line_text(line) for line in lines_of(upright)]
    texts += [" ".join(word.text for word in words if not word.upright)]
    return continued(texts)


def continued(texts: Sequence[str]) -> str:
    """
    Join the lines of one text.

    >>> continued(["Oak", "shelf"]), continued(["不锈钢", "螺丝"]), continued(["A-", "39001"])
    ('Oak shelf', '不锈钢螺丝', 'A-39001')
    """
    joined = ""
    for text in texts:
        joined += f"{_blank_between(joined, text)}{text}"
    return joined


def _blank_between(before: str, text: str) -> str:
    if not before or not text:
        return ""
    if HYPHENATED.search(before) and (text[0].isdigit() or text[0].isupper()):
        return ""
    return "" if IDEOGRAPH.match(before[-1]) or IDEOGRAPH.match(text[0]) else " "


def changes_script(before: Word, word: Word) -> bool:
    """
    Return whether one of two words is ideographs where they meet, the other not.

    The font changes there: office programs begin another text object and put a little space.
    """
    return bool(IDEOGRAPH.match(before.text[-1])) != bool(IDEOGRAPH.match(word.text[0]))


def is_script_gap(before: Word, word: Word) -> bool:
    """Return whether the gap between two words may be there only because the script changes."""
    height = max(before.box.height, word.box.height)
    is_near = word.box.x0 - before.box.x1 <= WIDE_BLANK * height
    return word.after_gap and is_near and changes_script(before, word)


def line_ends(words: list[Word]) -> tuple[int, ...]:
    """Return the positions in a cell's text where one of its lines ends and another follows."""
    lines = [_line_text(line) for line in lines_of([word for word in words if word.upright])]
    return tuple(len(continued(lines[:place])) for place in range(1, len(lines)))


def _line_text(line: list[Word]) -> str:
    text = ""
    before: Word | None = None
    for word in line:
        touching = before is not None and (
            is_script_gap(before, word)
            or (word.after_gap and word.box.x0 - before.box.x1 < 0.1 * word.box.height)
        )
        text += word.text if touching or not text else f" {word.text}"
        before = word
    return text
