"""Lines of titles inside a block of lines: where another table begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tabular.reading.pdf.grids.columns import Line, column_edges, fits, occupied, texts_of
from tabular.reading.pdf.grids.content import is_year, kind_of

VALUES = {"number", "date", "code"}
LEAST_TITLES = 2  # texts of a line that names columns
LOOKED_AT = 12  # lines whose columns a line of titles must name
NAMED = 0.8  # share of the columns that a line of titles names
SAME_TABLE = 0.6  # share of the cells below a line of titles that are like those above it


def parted_at_titles(block: Sequence[Line]) -> list[list[Line]]:
    """
    Split a block where a line of titles begins a table of other columns.

    The line has only words, values are above and below it, and the cells below differ from those
    above in the same columns. Titles that are printed again split nothing.
    """
    parts: list[list[Line]] = []
    begin = 0
    first_titles = texts_of(block[0]) if block else []
    for place in range(2, len(block) - 1):
        above, below = block[begin:place], _until_titles(block, place)
        if not _is_title(block[place]) or texts_of(block[place]) == first_titles:
            continue
        is_named = bool(below) and _names_all(block[place : place + LOOKED_AT])
        if is_named and _has_values(above) and not _is_alike(above, below):
            start = place - _lone_lines_above(block, place)
            parts.append(list(block[begin:start]))
            begin, first_titles = start, texts_of(block[place])
    parts.append(list(block[begin:]))
    return [part for part in parts if part]


def _lone_lines_above(block: Sequence[Line], place: int) -> int:
    """Return the number of captions right above a line of titles."""
    return int(len(block[place - 1].segments) == 1 and not _has_values(block[place - 1 : place]))


def _is_title(line: Line) -> bool:
    texts = texts_of(line)
    return len(texts) >= LEAST_TITLES and all(
        kind_of(text) == "text" or is_year(text) for text in texts
    )


def _names_all(lines: Sequence[Line]) -> bool:
    """Return whether the first line has a text for almost every column of the lines below it."""
    columns = len(column_edges(list(lines))) - 1
    return len(lines[0].segments) >= NAMED * columns


def _until_titles(block: Sequence[Line], place: int) -> list[Line]:
    """Return the lines below a line of titles, up to the next one; all of them if they are text."""
    rest = list(block[place + 1 :])
    end = next((later for later, line in enumerate(rest) if _is_title(line)), len(rest))
    return rest[:end] or rest


def _has_values(lines: Sequence[Line]) -> bool:
    texts = (text for line in lines for text in texts_of(line))
    return any(kind_of(text) in VALUES and not is_year(text) for text in texts)


def _is_alike(above: Sequence[Line], below: Sequence[Line]) -> bool:
    """Return whether lines continue the table above: its columns, and their kinds of values."""
    edges = column_edges(list(above))
    if len(edges) < 2:
        return True
    kinds: dict[int, Counter[str]] = {}
    for line in above:
        for column, kind in _cells(line, edges):
            kinds.setdefault(column, Counter())[kind] += 1
    cells = [(line, cell) for line in below for cell in _cells(line, edges)]
    alike = sum(
        fits(line, edges) and kinds.get(column, Counter())[kind] > 0
        for line, (column, kind) in cells
    )
    return alike >= SAME_TABLE * len(cells)


def _cells(line: Line, edges: list[float]) -> list[tuple[int, str]]:
    """Return the column and the kind of each text of a line."""
    return [
        (occupied(segment.box, edges)[0], kind_of(text))
        for segment, text in zip(line.segments, texts_of(line), strict=True)
    ]
