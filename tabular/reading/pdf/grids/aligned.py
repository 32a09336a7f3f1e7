"""Tables that are only aligned in columns: blocks of lines whose segments line up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tabular.reading.pdf.grids.columns import (
    Line,
    column_edges,
    fits,
    occupied,
    text_lines,
    texts_of,
)
from tabular.reading.pdf.grids.content import (
    is_year,
    kind_of,
    looks_tabular,
    parting_heights,
    row_ends,
    title_rules,
)
from tabular.reading.pdf.grids.folding import INNER, folded
from tabular.reading.pdf.grids.grid import WIDE_BLANK, Grid
from tabular.reading.pdf.grids.group_titles import with_group_titles_first
from tabular.reading.pdf.grids.spacing import (
    OVERLAPPING,
    SAME_EDGE,
    follows_rows,
    leads_alike,
    lies_below,
    wraps_alike,
)
from tabular.reading.pdf.grids.strips import Strip, rows_of, settled_columns
from tabular.reading.pdf.grids.title_lines import parted_at_titles
from tabular.reading.pdf.grids.upper_titles import with_upper_titles_spread
from tabular.reading.pdf.pages.page import Box, Page, Word, around

NEAR = 1.6  # line heights: lines farther apart begin a new block unless their columns agree
INSIDE = 0.42  # line heights: a line this near to others, on their edges, is inside a row of theirs
FAR = 6.0  # line heights: no table continues beyond such a gap
FITTING = 0.7  # share of the lines of each of two blocks that fit their common columns
LONE_LINES = 3  # consecutive lines of a single segment that a table may have
CORE = 0.5  # share of the columns that a line fills if it certainly belongs to the table
VALUES = {"number", "date", "code"}
ENDS = 3.0  # points between the ends of a free line and those of the table, at most
SAME_STEP = 1.25  # times the distance of a row from the titles: upper titles are as near to these
HEADING_WORDS = 8  # a segment with more words is not a column title


def aligned_grids(page: Page, taken: list[Box]) -> list[Grid]:
    """Return all tables without full rulings, outside the boxes already taken."""
    words = [word for word in page.words if not any(box.holds(*word.box.middle) for box in taken)]
    grids = [grid_of(block, page) for block in blocks(text_lines(words))]
    return [grid for grid in grids if grid is not None and looks_tabular(grid)]


def blocks(lines: list[Line]) -> list[list[Line]]:
    """Split the lines of a page into blocks that may each be a table."""
    joined: list[list[Line]] = []
    for atom in _atoms(lines):
        if joined and _belong(joined[-1], atom):
            joined[-1] = joined[-1] + atom
        else:
            joined.append(atom)
    parts = [part for block in joined for part in parted_at_titles(block)]
    return [_with_lines_between(block, lines) for block in parts if len(block) > 1]


def _with_lines_between(block: list[Line], lines: list[Line]) -> list[Line]:
    """Return a block with the single lines between its lines that are near and on their edges."""
    first, last = lines.index(block[0]), lines.index(block[-1])
    kept = set(map(id, block))
    with_between: list[Line] = []
    for above, line, below in zip(
        lines[first - 1 :] if first else [block[0], *lines],
        lines[first : last + 1],
        [*lines[first + 1 : last + 1], block[-1]],
        strict=False,
    ):
        gap = min(line.top - above.bottom, below.top - line.bottom)
        if id(line) in kept or (gap < INSIDE * line.height and lies_below(block, line)):
            with_between.append(line)
    return with_between


def _atoms(lines: list[Line]) -> list[list[Line]]:
    atoms: list[list[Line]] = []
    lone = 0
    for line in lines:
        lone = lone + 1 if len(line.segments) == 1 else 0
        near = atoms and line.top - atoms[-1][-1].bottom < NEAR * line.height
        if near and _is_set_off(atoms[-1], line):
            near = False
        if near and (lone <= LONE_LINES or follows_rows(atoms[-1], line)):
            atoms[-1].append(line)
        else:
            atoms.append([line])
    return [atom for atom in map(_without_lone_ends, atoms) if atom]


def _is_set_off(atom: list[Line], line: Line) -> bool:
    """Return whether a line of titles follows lines of values after a gap wider than theirs."""
    if not _is_named(line) or not _has_values(atom):
        return False
    gaps = [after.top - before.bottom for before, after in pairwise(atom)]
    return line.top - atom[-1].bottom > max(gaps, default=0.0) + 0.3 * line.height


def _without_lone_ends(block: list[Line]) -> list[Line]:
    wide = [index for index, line in enumerate(block) if len(line.segments) > 1]
    if not wide:
        return []
    end = min(wide[-1] + 3, len(block))
    while end < len(block) and _is_of_rows(block[:end], block[end]):
        end += 1
    start = wide[0]
    while start and leads_alike(block[start - 1], block[start:end]):
        start -= 1
    return block[start:end]


def _is_of_rows(block: list[Line], line: Line) -> bool:
    return follows_rows(block, line) or wraps_alike(block, line)


def _belong(above: list[Line], below: list[Line]) -> bool:
    if below[0].top - above[-1].bottom > FAR * below[0].height:
        return False
    edges = column_edges(above + below)
    few, many = sorted((above, below), key=len)
    if _has_values(above) and _is_named(below[0]):
        return False
    columns, fewer = len(column_edges(many)), len(column_edges(few))
    if not max(columns - 1, fewer) <= len(edges) <= max(columns, fewer):
        return False
    return all(
        sum(fits(line, edges) for line in lines) >= FITTING * len(lines) for lines in (few, many)
    )


def _has_values(lines: list[Line]) -> bool:
    texts = [text for line in lines for text in texts_of(line)]
    return any(kind_of(text) in VALUES and not is_year(text) for text in texts)


def _is_named(line: Line) -> bool:
    texts = texts_of(line)
    return len(texts) > 2 and not any(kind_of(text) in VALUES or is_year(text) for text in texts)


def core_of(block: list[Line]) -> tuple[list[Line], list[float]]:
    """
    Return the lines of a block that belong to its table, and the borders of the columns.

    1. Lines that fill enough columns, each segment in its own, are the core.
    2. Column titles close above belong to it; prose does not.
    3. Below, lines that fit the columns belong to it, and ends of wrapped cells.
    """
    edges = column_edges(block)
    sure = [index for index, line in enumerate(block) if _is_core(line, edges)]
    if len(sure) < 2:
        return [], []
    first, last = sure[0], sure[-1]
    while first and _precedes(block, first, edges):
        first -= 1
    while last + 1 < len(block) and not _is_note(block[last + 1], edges, block[first : last + 1]):
        if not _goes_on(block[: last + 1], block[last + 1], edges):
            break
        last += 1
    core = block[first : last + 1]
    return core, column_edges(core)


def _is_core(line: Line, edges: list[float]) -> bool:
    enough = max(2.0, CORE * (len(edges) - 1))
    return len(line.segments) >= enough and fits(line, edges)


def _precedes(block: list[Line], first: int, edges: list[float]) -> bool:
    above = block[first - 1]
    if _is_free(above, edges, block[first]):
        return False
    if fits(above, edges) and leads_alike(above, block[first:]):
        return True
    return _titles(above, block[first], edges) or _are_upper_titles(
        above, *block[first : first + 2]
    )


def _are_upper_titles(above: Line, titles: Line, row: Line) -> bool:
    """Return whether a line has fewer titles than the next one and is as far from it as its row."""
    texts = texts_of(above)
    is_fewer = 1 < len(texts) < len(titles.segments)
    are_titles = all(kind_of(text) not in VALUES or is_year(text) for text in texts)
    apart = _baseline(titles) - _baseline(above)
    return is_fewer and are_titles and apart <= SAME_STEP * (_baseline(row) - _baseline(titles))


def _is_free(line: Line, edges: list[float], below: Line | None = None) -> bool:
    """
    Return whether a line is a text of its own at one end of a table.

    It begins or ends where the table does, as programs align what is above and below a table, and
    runs over several columns, or over none of the texts in the line below. A title over several
    columns is in their middle.
    """
    if len(line.segments) > 1:
        return False
    box = line.segments[0].box
    first, last = occupied(box, edges)
    is_at_end = box.x0 < edges[0] + ENDS or box.x1 > edges[-1] - ENDS
    is_apart = below is not None and all(_common(box, s.box) < 0 for s in below.segments)
    return is_at_end and (first < last or is_apart)


def _is_note(line: Line, edges: list[float], block: list[Line]) -> bool:
    """
    Return whether a free line is below the rows, none of which is like it.

    One that begins in the first column, where rows have their key, runs over texts of several.
    """
    if not _is_free(line, edges) or any(_is_free(other, edges) for other in block):
        return False
    box = line.segments[0].box
    if occupied(box, edges)[0] > 0:
        return True
    over = {
        occupied(s.box, edges)
        for other in block
        if len(other.segments) > 1
        for s in other.segments
        if _common(box, s.box) > 0
    }
    return len(over) > 1


def _common(first: Box, other: Box) -> float:
    return min(first.x1, other.x1) - max(first.x0, other.x0)


def _baseline(line: Line) -> float:
    return line.segments[0].words[0].baseline


def _titles(above: Line, line: Line, edges: list[float]) -> bool:
    short = all(len(segment.words) <= HEADING_WORDS for segment in above.segments)
    apart = len(above.segments) > 1 or above.segments[0].box.x0 > edges[1] - 1
    return short and apart and line.top - above.bottom < 0.9 * line.height


def _goes_on(block: list[Line], below: Line, edges: list[float]) -> bool:
    line = block[-1]
    gap = below.top - line.bottom
    if fits(below, edges) and _is_of_rows(block, below):
        return True
    if len(below.segments) > 1:
        return False
    home = occupied(below.segments[0].box, edges)
    # A line that begins above the end of the last one is in its row: numbers level with the middle.
    row = block if gap < -OVERLAPPING * line.height else [line]
    above = [s for other in row for s in other.segments if occupied(s.box, edges) == home]
    is_near = home[0] == home[1] and gap <= INNER * line.height
    box = below.segments[0].box
    is_label = home[0] == 0  # numbered rows have it aligned at the end
    return is_near and any(
        abs(s.box.x0 - box.x0) < SAME_EDGE or (is_label and abs(s.box.x1 - box.x1) < SAME_EDGE)
        for s in above
    )


def grid_of(block: list[Line], page: Page) -> Grid | None:
    """Return a block of lines read by its columns, or None if it does not have two."""
    lines, edges = core_of(block)
    if len(edges) < 3 or len(lines) < 2:
        return None
    rules = title_rules(box_of(lines), page)
    return grid_in(below_top_rule(lines, rules), edges, page)


def grid_in(lines: list[Line], edges: list[float], page: Page, *, settled: bool = False) -> Grid:
    """Return lines read by columns; with ``settled``, by exactly these."""
    box = box_of(lines)
    strips = [_strip(line, edges) for line in lines]
    if not settled:
        strips, edges = settled_columns(strips, edges)
        strips = with_upper_titles_spread(strips)
    whole = folded(strips, row_ends(box, page), parting_heights(box, page))
    rows = tuple(rows_of(with_group_titles_first(whole), page.number))
    rules = title_rules(box, page)
    return Grid(page.number, box, "aligned", rows, tuple(edges), rules=rules)


def read_by(edges: Sequence[float], grid: Grid, page: Page) -> Grid | None:
    """Return a grid's lines read by other columns, if each of its texts fits one of these."""
    if grid.method != "aligned" or grid.width >= len(edges) - 1:
        return None
    lines = text_lines(word for word in page.words if grid.box.holds(*word.box.middle))
    if not lines or not all(fits(line, list(edges)) for line in lines):
        return None
    return replace(grid_in(lines, list(edges), page, settled=True), score=grid.score)


def box_of(lines: list[Line]) -> Box:
    """Return the smallest box that contains all lines."""
    return around([segment.box for line in lines for segment in line.segments])


def below_top_rule(lines: list[Line], rules: tuple[float, ...]) -> list[Line]:
    """Return the lines without a caption above the top rule, if titles and another line follow."""
    if len(rules) < 2:
        return lines
    below = [line for line in lines if line.middle > rules[0]]
    titles = [line for line in below if line.middle < rules[1]]
    above = [line for line in lines if line not in below]
    if above and len(above[-1].segments) > 1:  # titles in columns: the line is drawn below them
        return lines
    texts = [" ".join(w.text for w in s.words) for line in titles for s in line.segments]
    values = [text for text in texts if kind_of(text) in {"number", "date"} and not is_year(text)]
    named = len(texts) > 1 and 2 * len(values) < len(texts)
    return below if len(above) <= len(titles) + 2 and named and len(below) > 2 else lines


def _strip(line: Line, edges: list[float]) -> Strip:
    cells: list[list[Word]] = [[] for _ in edges[1:]]
    spans = []
    for segment in line.segments:
        first, last = occupied(segment.box, edges)
        parts = None if first == last else cut(list(segment.words), edges)
        if parts is None:
            cells[first] += segment.words
            if first != last:
                spans.append((first, last))
            continue
        for column, word in parts:
            cells[column].append(word)
    return Strip(cells, line.top, line.bottom, tuple(spans))


def cut(words: list[Word], edges: list[float]) -> list[tuple[int, Word]] | None:
    """Return each word's column, or None if the words are one text over several columns."""
    placed = [(occupied(word.box, edges), word) for word in words]
    for ((_, last), before), ((first, _), word) in pairwise(placed):
        is_near = word.box.x0 - before.box.x1 < WIDE_BLANK * word.box.height
        if last != first and is_near and not word.after_gap:
            return None
    if any(first != last for (first, last), _ in placed):
        return None
    return [(first, word) for (first, _), word in placed]
