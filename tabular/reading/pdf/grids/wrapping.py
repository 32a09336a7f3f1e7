"""Whether lines that may be one row read like wrapped cells or like separate rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tabular.reading.pdf.grids.content import kind_of
from tabular.reading.pdf.grids.grid import lines_of, text_of
from tabular.reading.pdf.grids.strips import Strip
from tabular.reading.pdf.pages.page import Word, around

TYPED = {"number", "date"}
BLANK = 0.2  # of a word's height: the least space between two words
MOSTLY = 0.5  # share of a column's lines that are numbers or dates, in a column of these
BROKEN = 0.85  # of a column's width: a line from which a word was broken off is at least this wide
MISFITS = 0.06  # share of the cells of wrapped rows whose lines had room for the next word
ALWAYS = 0.9  # share of the rows that fill a column of values which shows where rows begin
SCALED = 0.04  # of a column's width: programs that shrink a page to fit break lines slightly early
ALIKE = 0.3  # share of the lines in wrapped rows that fill every column their row fills


@dataclass(frozen=True, slots=True)
class Fashion:
    """What the lines of a table reveal about its columns."""

    widths: tuple[float, ...]  # of the widest line in each column
    typed: tuple[bool, ...]  # columns that mostly hold numbers or dates
    begins_low: tuple[bool, ...]  # columns whose lines often begin with a lower-case letter
    anchors: frozenset[int] = frozenset()  # columns of numbers or dates that every row fills


def fashion_of(strips: Sequence[Strip]) -> Fashion:
    """Measure the columns of a table, line by line."""
    columns = range(len(strips[0].cells))
    cells = [[strip.cells[column] for strip in strips if strip.cells[column]] for column in columns]
    texts = [[text_of(cell) for cell in held] for held in cells]
    typed = tuple(
        sum(kind_of(text) in TYPED for text in held) > MOSTLY * max(len(held), 1) for held in texts
    )
    return Fashion(
        tuple(max((width_of(cell) for cell in held), default=0.0) for held in cells),
        typed,
        tuple(4 * sum(text[:1].islower() for text in held) > len(held) for held in texts),
        _anchors(strips, typed),
    )


def _anchors(strips: Sequence[Strip], typed: Sequence[bool]) -> frozenset[int]:
    """Return the columns of values that are filled in almost every line with any of them."""
    columns = [column for column, is_typed in enumerate(typed) if is_typed]
    rows = [strip.filled for strip in strips if strip.filled & set(columns)]
    return frozenset(
        column for column in columns if sum(column in row for row in rows) >= ALWAYS * len(rows)
    )


def width_of(words: Sequence[Word]) -> float:
    """Return the width of a cell's line in points."""
    return around([word.box for word in words]).width if words else 0.0


def reads_as_wrapped(
    groups: Sequence[Sequence[Strip]], fashion: Fashion, *, drawn: bool = False
) -> bool:
    """
    Return whether groups of lines can be rows whose cells wrap.

    drawn: painted or ruled bands hold the groups.

    1. No cell would have two numbers or dates of a column of these; in a band, one that is as wide
       as its column may go on below.
    2. Almost every continuing line begins with a word that had no space above.
    3. Most continuing lines leave some of their row's columns empty: a key does not wrap.
    """
    wrapped = [group for group in groups if len(group) > 1]
    if any(_stacks_values(group, fashion, drawn=drawn) for group in wrapped):
        return False
    pairs = [pair for group in wrapped for pair in _breaks(group)]
    misfits = sum(
        not had_no_space(above, below, fashion.widths[column]) for column, above, below in pairs
    )
    return misfits <= MISFITS * len(pairs) and not _are_alike(wrapped)


def _are_alike(wrapped: Sequence[Sequence[Strip]]) -> bool:
    whole = [set().union(*(strip.filled for strip in group)) for group in wrapped]
    further = [
        (strip.filled, filled)
        for group, filled in zip(wrapped, whole, strict=True)
        for strip in group[1:]
        if group[0].filled == filled
    ]
    alike = sum(own == filled and len(filled) > 1 for own, filled in further)
    return alike > ALIKE * max(len(further), 1)


def _stacks_values(group: Sequence[Strip], fashion: Fashion, *, drawn: bool) -> bool:
    return any(
        is_typed
        and (
            _holds_several(column, group, fashion, drawn=drawn)
            or is_title_of(group[0], group[1], column)
        )
        for column, is_typed in enumerate(fashion.typed)
    )


def is_title_of(line: Strip, below: Strip, column: int) -> bool:
    """Return whether a text alone in its line is above a value of its column: a group's title."""
    is_text = kind_of(text_of(line.cells[column])) == "text" and line.filled == {column}
    return is_text and kind_of(text_of(below.cells[column])) in TYPED


def _holds_several(column: int, group: Sequence[Strip], fashion: Fashion, *, drawn: bool) -> bool:
    """
    Return whether a cell would have several values, not one code whose pieces look like values.
    """
    lines = lines_of([word for strip in group for word in strip.cells[column]])
    kinds = [kind_of(text_of(line)) for line in lines]
    if sum(kind in TYPED for kind in kinds) < 2:
        return False
    full = all(width_of(line) > BROKEN * fashion.widths[column] for line in lines[:-1])
    return not full or (kinds[0] in TYPED and not drawn)


def _breaks(group: Sequence[Strip]) -> Iterator[tuple[int, list[Word], list[Word]]]:
    """Yield each break within a cell: its column, the line above and the line below."""
    for column in range(len(group[0].cells)):
        lines = lines_of([word for strip in group for word in strip.cells[column]])
        for above, below in pairwise(lines):
            yield column, above, below


def had_no_space(
    above: Sequence[Word], below: Sequence[Word], width: float, slack: float = 0.0
) -> bool:
    """
    Return whether the first word below would not have fitted after the line above.

    slack: the share of the width by which the line above may have been broken early.
    """
    blank = BLANK * below[0].box.height
    return width_of(above) + blank + below[0].box.width > width * (1 - slack) - 1
