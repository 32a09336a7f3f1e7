"""Split lines of a table into columns, and drop columns that the texts disprove."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median

from tabular.reading.pdf.grids.content import column_kinds, kind_of
from tabular.reading.pdf.grids.grid import Row, line_ends, text_of
from tabular.reading.pdf.pages.page import Word

ROW_GAP = 0.42  # of a line's height: lines of running text are nearer


@dataclass(slots=True)
class Strip:
    """One line, or one row so far: words by column."""

    cells: list[list[Word]]
    top: float
    bottom: float
    spans: tuple[tuple[int, int], ...] = ()
    pieces: list[Strip] = field(default_factory=list)  # the rows, if doubtful lines are separate

    @property
    def filled(self) -> set[int]:
        """The columns with words."""
        return {column for column, words in enumerate(self.cells) if words}

    @property
    def height(self) -> float:
        """The height of its first line in points."""
        words = [word for cell in self.cells for word in cell]
        return median(word.box.height for word in words) if words else self.bottom - self.top

    @property
    def middle(self) -> float:
        """The vertical position of its middle in points."""
        return (self.top + self.bottom) / 2

    def take(self, other: Strip) -> None:
        """Add the words of another strip."""
        if self.pieces or other.pieces:
            pieces = self.pieces or [self.copy()]
            first, *more = other.pieces or [other]
            pieces[-1].take(first)
            self.pieces = [*pieces, *more]
        for mine, theirs in zip(self.cells, other.cells, strict=True):
            mine.extend(theirs)
        self.top, self.bottom = min(self.top, other.top), max(self.bottom, other.bottom)
        self.spans = tuple({*self.spans, *other.spans})

    def take_doubtfully(self, other: Strip) -> None:
        """Add the words of a strip that may be a separate row."""
        pieces = [*(self.pieces or [self.copy()]), other.copy()]
        self.take(other)
        self.pieces = pieces

    @property
    def weight(self) -> int:
        """The weight of its lightest font."""
        return min((word.weight for cell in self.cells for word in cell), default=0)

    def copy(self) -> Strip:
        """Return a strip that can take others without changing this one."""
        cells = [list(cell) for cell in self.cells]
        pieces = [piece.copy() for piece in self.pieces]
        return Strip(cells, self.top, self.bottom, self.spans, pieces)


def gap_between(above: Strip, below: Strip) -> float:
    """Return the free height between two strips, as a share of a line's height."""
    return (below.top - above.bottom) / max(below.height, 1.0)


def rows_of(strips: Sequence[Strip], page: int, *, apart: bool = False) -> Iterator[Row]:
    """Yield strips as rows of text; ``apart``: borders separate them, otherwise their gaps do."""
    for above, strip in pairwise([None, *strips]):
        if strip is None:
            continue
        is_apart = apart or (above is not None and gap_between(above, strip) > ROW_GAP)
        pieces = tuple(_row(piece, page, is_apart=True) for piece in strip.pieces)
        yield replace(_row(strip, page, is_apart=is_apart), pieces=pieces)


def _row(strip: Strip, page: int, *, is_apart: bool) -> Row:
    breaks = tuple(
        (column, ends) for column, words in enumerate(strip.cells) if (ends := line_ends(words))
    )
    return Row(
        tuple(map(text_of, strip.cells)),
        strip.top,
        strip.bottom,
        page,
        strip.spans,
        strip.weight,
        breaks,
        is_apart,
    )


TITLE_LINES = 4  # lines at the top that may be titles
RARE = 0.25  # share of the lines that fill a column with nothing but ends of its neighbour
LOOSE = 0.15  # share of the lines that fill only the last column: text next to the table
LONG_WORDS = 4.0  # average words per cell of text next to the table


def settled_columns(strips: list[Strip], edges: list[float]) -> tuple[list[Strip], list[float]]:
    """
    Determine which columns a block has.

    1. Running text next to the table is not a column: it fills lines of its own.
    2. A title next to its column's values, not above them, is one column with them.
    3. A column without a title that rarely has a text is the end of the column before.
    """
    strips, edges = _without_side_text(strips, edges)
    column = 0
    while column + 2 < len(edges):
        if _title_next_to(strips, column) or _rare_end(strips, column):
            strips = [_joined(strip, column) for strip in strips]
            edges = edges[: column + 1] + edges[column + 2 :]
        else:
            column += 1
    return strips, edges


def _without_side_text(strips: list[Strip], edges: list[float]) -> tuple[list[Strip], list[float]]:
    last = len(edges) - 2
    loose = sum(strip.filled == {last} for strip in strips)
    texts = [text_of(strip.cells[last]) for strip in strips if strip.cells[last]]
    words = sum(text.count(" ") + 1 for text in texts) / max(len(texts), 1)
    is_named = len(strips[0].filled) == last + 1 and len(strips[0].cells[last]) < LONG_WORDS
    if last < 2 or is_named or loose < LOOSE * len(strips) or words < LONG_WORDS:
        return strips, edges
    kept = [
        Strip(strip.cells[:last], strip.top, strip.bottom, _spans_until(strip, last - 1))
        for strip in strips
        if strip.filled != {last}
    ]
    return kept, edges[:-1]


def _spans_until(strip: Strip, last: int) -> tuple[tuple[int, int], ...]:
    return tuple((a, min(b, last)) for a, b in strip.spans if a < min(b, last))


def _title_next_to(strips: list[Strip], column: int) -> bool:
    left = [index for index, strip in enumerate(strips) if strip.cells[column]]
    right = [index for index, strip in enumerate(strips) if strip.cells[column + 1]]
    if not left or not right or set(left) & set(right):
        return False
    few, many = sorted((left, right), key=len)
    if len(few) <= 2 and max(few) < TITLE_LINES and max(few) < min(many):
        return True
    return _are_labels(strips, column, left, right)


def _are_labels(strips: list[Strip], column: int, left: list[int], right: list[int]) -> bool:
    """Return whether a column has a title and, apart from it, only the labels of short rows."""
    titles, *labels = left
    names = strips[titles].filled
    is_untitled = titles < min(right) and names == set(range(len(strips[0].cells))) - {column + 1}
    least = min(len(strips[index].filled) for index in right)
    return is_untitled and all(len(strips[index].filled) < least for index in labels)


def _rare_end(strips: list[Strip], column: int) -> bool:
    filled = [index for index, strip in enumerate(strips) if strip.cells[column + 1]]
    if not filled or min(filled) < 2 or len(filled) > RARE * len(strips):
        return False
    texts = [text_of(strips[index].cells[column + 1]) for index in filled]
    beside = [text_of(strips[index].cells[column]) for index in filled]
    worded = all(kind_of(text) in {"text", "prose", "mark"} for text in texts)
    rows = [Row((text_of(strip.cells[column]),), 0, 0, 0) for strip in strips]
    return worded and all(beside) and column_kinds(rows, 1)[0][0] in {"text", "prose"}


def _joined(strip: Strip, column: int) -> Strip:
    cells = [*strip.cells[:column], strip.cells[column] + strip.cells[column + 1]]
    spans = [(_shifted(a, column), _shifted(b, column)) for a, b in strip.spans]
    return Strip(
        cells + strip.cells[column + 2 :],
        strip.top,
        strip.bottom,
        tuple((a, b) for a, b in spans if a != b),
    )


def _shifted(index: int, column: int) -> int:
    return index - 1 if index > column else index
