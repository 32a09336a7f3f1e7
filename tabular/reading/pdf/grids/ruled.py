"""Tables whose cells are drawn: a lattice of horizontal and vertical rulings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from tabular.reading.pdf.grids.columns import Line, Segment, column_edges, occupied, text_lines
from tabular.reading.pdf.grids.content import kind_of
from tabular.reading.pdf.grids.folding import folded
from tabular.reading.pdf.grids.grid import Grid, Row, lines_of, text_of
from tabular.reading.pdf.grids.lattice import Lattice, Slot, components, lattice_of, outer_borders
from tabular.reading.pdf.grids.strips import Strip, rows_of
from tabular.reading.pdf.grids.wrapping import fashion_of, reads_as_wrapped
from tabular.reading.pdf.pages.page import Page, Ruling, Word, around

MOST_RULINGS = 20_000  # a page with more is a drawing
CROSSED = 0.06  # share of the lines in a cell whose text may cross a missing border
DOUBLE = 0.4  # share of a column's lines with two segments that make it two columns
FULL_LINES = 0.25  # share of the lines in a drawn row that fill most of its columns
TALL = 4  # rows: a cell this tall with as many lines is that many cells without floors
TYPED = {"number", "date", "mark"}


def ruled_grids(page: Page) -> list[Grid]:
    """Return every drawn table of a page."""
    if len(page.horizontals) + len(page.verticals) > MOST_RULINGS:
        return []
    grids = []
    for across, down in components(list(page.horizontals), list(page.verticals)):
        grid = _grid(across, down, page)
        if grid is not None:
            grids.append(grid)
    return grids


def _grid(across: list[Ruling], down: list[Ruling], page: Page) -> Grid | None:
    xs, ys = outer_borders(across, down)
    if len(xs) < 2 or len(ys) < 2:
        return None
    lattice = lattice_of(xs, ys, across, down)
    words = [word for word in page.words if lattice.box.holds(*word.box.middle, slack=1.0)]
    if not words:
        return None
    words = [part for word in words for part in _cut(word, lattice)]
    lines = text_lines(words)
    more = _hidden_borders(lines, lattice)
    if more:
        lattice = lattice_of(sorted(xs + more), ys, across, down)
    _add_walls(lines, lattice)
    _add_floors(words, lattice)
    words = [part for word in words for part in _cut(word, lattice)]
    rows = tuple(_rows(words, lattice, page.number))
    return Grid(page.number, lattice.box, "ruled", rows, tuple(lattice.xs))


def _cut(word: Word, lattice: Lattice) -> Iterable[Word]:
    """Split a word that crosses a border."""
    row = lattice.row_at(word.box.middle[1])
    for column in range(1, lattice.columns):
        border = lattice.xs[column]
        if word.box.x0 + 2 < border < word.box.x1 - 2 and (row, column) in lattice.walls:
            parts = word.split(border)
            if len(parts) == 2:
                yield parts[0]
                yield from _cut(parts[1], lattice)
                return
    yield word


def _hidden_borders(lines: list[Line], lattice: Lattice) -> list[float]:
    """Return borders between columns that share the space between two drawn borders."""
    by_column: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        parts: dict[int, list[Segment]] = defaultdict(list)
        for segment in line.segments:
            parts[lattice.column_at(segment.box.middle[0])].append(segment)
        for column, segments in parts.items():
            by_column[column].append(Line(tuple(segments), line.top, line.bottom))
    more: list[float] = []
    for column, held in by_column.items():
        double = sum(len(line.segments) > 1 for line in held)
        if double >= max(3, DOUBLE * len(held)):
            inner = column_edges(held)[1:-1]
            low, high = lattice.xs[column], lattice.xs[column + 1]
            more += [x for x in inner if low + 3 < x < high - 3]
    return more


def _add_walls(lines: list[Line], lattice: Lattice) -> None:
    """Split a cell over several columns if its texts have columns of their own."""
    owner = lattice.owners()
    held: dict[Slot, list[list[Segment]]] = defaultdict(list)
    for line in lines:
        row = lattice.row_at(line.middle)
        parts: dict[Slot, list[Segment]] = defaultdict(list)
        for segment in line.segments:
            parts[owner[row, lattice.column_at(segment.box.middle[0])]].append(segment)
        for slot, segments in parts.items():
            held[slot].append(segments)
    for (row, first), texts in held.items():
        for column in range(first + 1, lattice.columns):
            border = lattice.xs[column]
            parted = any(_are_next_to(border, segments) for segments in texts)
            if owner[row, column] == (row, first) and parted and _crossed(border, texts) <= CROSSED:
                lattice.walls.add((row, column))


def _are_next_to(border: float, segments: list[Segment]) -> bool:
    return any(a.box.x1 <= border + 1 and border - 1 <= b.box.x0 for a, b in pairwise(segments))


def _crossed(border: float, texts: list[list[Segment]]) -> float:
    """Return the share of lines with a segment across a border."""
    over = sum(any(s.box.x0 + 2 < border < s.box.x1 - 2 for s in segments) for segments in texts)
    return over / len(texts)


def _add_floors(words: list[Word], lattice: Lattice) -> None:
    """Split a tall cell whose lines are level with the drawn rows of the other columns."""
    owner = lattice.owners()
    slots: dict[Slot, list[Slot]] = defaultdict(list)
    for slot, first in owner.items():
        slots[first].append(slot)
    held: dict[Slot, list[Word]] = defaultdict(list)
    for word in words:
        x, y = word.box.middle
        held[owner[lattice.row_at(y), lattice.column_at(x)]].append(word)
    for first, members in slots.items():
        tall = len({row for row, _ in members})
        if tall >= TALL and len(lines_of(held[first])) >= 0.9 * tall:
            lattice.floors.update(members)


def _rows(words: list[Word], lattice: Lattice, page: int) -> Iterable[Row]:
    owner = lattice.owners()
    held: dict[Slot, list[Word]] = defaultdict(list)
    for word in words:
        x, y = word.box.middle
        held[owner[lattice.row_at(y), lattice.column_at(x)]].append(word)
    for row in range(lattice.rows):
        cells = [held.get((row, column), []) for column in range(lattice.columns)]
        spans = _spans(row, owner, lattice.columns)
        if (titles := _title_lines(cells, spans, lattice)) is not None:
            yield from (replace(title, page=page) for title in titles)
            continue
        bands = row_bands(cells) or [(lattice.ys[row], lattice.ys[row + 1])]
        strips = [Strip(cells, *bands[0], spans)]
        if len(bands) > 1:
            parts = ([_within(cell, band) for cell in cells] for band in bands)
            strips = folded([_strip(part, spans) for part in parts if any(part)])
        yield from rows_of(strips, page, apart=len(strips) == 1)


def _strip(cells: list[list[Word]], spans: tuple[tuple[int, int], ...]) -> Strip:
    box = around([word.box for cell in cells for word in cell])
    return Strip(cells, box.y0, box.y1, spans)


def _title_lines(
    cells: list[list[Word]], spans: tuple[tuple[int, int], ...], lattice: Lattice
) -> list[Row] | None:
    """Split a drawn row with a title over columns and, below it, the titles of each."""
    over = [span for span in spans if cells[span[0]]]
    held = {span: text_lines(cells[span[0]]) for span in over}
    if not any(_is_titled(lines) for lines in held.values()):
        return None
    upper: list[str] = [text_of(cell) for cell in cells]
    lower = [""] * len(cells)
    for (first, last), lines in held.items():
        if not _is_titled(lines):
            continue
        upper[first] = " ".join(word.text for s in lines[0].segments for word in s.words)
        edges = lattice.xs[first : last + 2]
        for line in lines[1:]:
            for segment in line.segments:
                column = first + occupied(segment.box, edges)[0]
                text = " ".join(word.text for word in segment.words)
                lower[column] = f"{lower[column]} {text}".strip()
    tops = [lines[1].top for lines in held.values() if _is_titled(lines)]
    top, middle = min(line.top for lines in held.values() for line in lines), min(tops)
    bottom = max(line.bottom for lines in held.values() for line in lines)
    return [Row(tuple(upper), top, middle, 0, spans), Row(tuple(lower), middle, bottom, 0)]


def _is_titled(lines: list[Line]) -> bool:
    return len(lines) > 1 and len(lines[0].segments) == 1 and len(lines[1].segments) > 1


def _spans(row: int, owner: dict[Slot, Slot], columns: int) -> tuple[tuple[int, int], ...]:
    columns_of: dict[Slot, list[int]] = defaultdict(list)
    for column in range(columns):
        columns_of[owner[row, column]].append(column)
    return tuple((min(slots), max(slots)) for slots in columns_of.values() if len(slots) > 1)


def _within(words: list[Word], band: tuple[float, float]) -> list[Word]:
    return [word for word in words if band[0] <= word.box.middle[1] < band[1]]


def row_bands(cells: list[list[Word]]) -> list[tuple[float, float]]:
    """
    Split a drawn row into its lines of text if they are separate rows.

    They are if three or more lines fill most columns and one column has a number, a date or a mark
    in most of these. A cell that merely wraps fills only its own column.
    """
    words = [word for cell in cells for word in cell if word.upright]
    lines = lines_of(words)
    used = sum(map(bool, cells))
    if len(lines) < 3 or used < 2:
        return []
    homes = {id(word): column for column, cell in enumerate(cells) for word in cell}
    fills = [len({homes[id(word)] for word in line}) for line in lines]
    full = sum(fill >= max(2, 0.6 * used) for fill in fills)
    if full < max(3, FULL_LINES * len(lines)) or not any(_typed_lines(c, full) for c in cells):
        return []
    if _wraps(cells, lines):
        return []
    tops = [min(word.box.y0 for word in line) for line in lines]
    bottoms = [max(word.box.y1 for word in line) for line in lines]
    cuts = [(low + high) / 2 for low, high in zip(bottoms, tops[1:], strict=False)]
    return list(zip([tops[0] - 1, *cuts], [*cuts, bottoms[-1] + 1], strict=True))


def _wraps(cells: list[list[Word]], lines: list[list[Word]]) -> bool:
    """Return whether the lines of a drawn row read like cells that wrap."""
    homes = {id(word): column for column, cell in enumerate(cells) for word in cell}
    strips = []
    for line in lines:
        parts: list[list[Word]] = [[] for _ in cells]
        for word in line:
            parts[homes[id(word)]].append(word)
        strips.append(_strip(parts, ()))
    return reads_as_wrapped([strips], fashion_of(strips))


def _typed_lines(cell: list[Word], lines: int) -> bool:
    typed = sum(kind_of(text_of(line)) in TYPED for line in lines_of(cell))
    return typed >= 0.6 * lines
