"""Split a grid into its tables and lay out each of them, or lay one out again as a user chose."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from tabular.model.places import ReadingChoices
from tabular.model.problem import UnusableRequest
from tabular.model.sentences import Sentence, counted
from tabular.model.table import Evidence, SkipReason
from tabular.reading.cells import Look, is_nothing
from tabular.reading.layout.footer import body_end, is_labeled_sum, is_sum, is_total
from tabular.reading.layout.grid import NAMES, TEXT, Grid
from tabular.reading.layout.header import Header, find_header
from tabular.reading.layout.naming import name_columns, titles_next_to
from tabular.reading.layout.pairs import document_pairs
from tabular.reading.layout.profile import Profile
from tabular.reading.layout.region import Hints, Region

_LEAST_ROWS = 4  # fewer rows above a header are a preamble, not a table
_RULER = re.compile(r":?[-=_+*]{3,}:?")
_COMMENTS = ("#", "//", "%%")


def lay_out(rows: Sequence[Sequence[str]], hints: Hints | None = None) -> tuple[Region, ...]:
    """
    Return the tables in a grid, the most likely one first.

    rows: text of the cells, "" for an empty cell; rows may be ragged. The result is a pure function
    of the arguments. A grid without text gives no region.
    """
    hints = hints or Hints()
    grid, comments = _without_comments(Grid.whole(rows))
    if all(grid.is_blank(row) for row in range(grid.top, grid.bottom)):
        return ()
    regions: list[Region] = []
    for band in _side_by_side(grid, hints):
        regions.extend(_stacked(band, hints, comments))
    return tuple(_ranked(regions))


def lay_out_window(
    rows: Sequence[Sequence[str]], hints: Hints, *, top: int, bottom: int, columns: range
) -> Region:
    """Lay out what is known to be one table: rows ``top`` to before ``bottom``."""
    grid, comments = _without_comments(Grid.whole(rows))
    window = grid.window(top=top, bottom=bottom, left=columns.start, right=columns.stop)
    header = find_header(window, hints)
    return _region(window, header, hints, comments)


def _ranked(regions: Sequence[Region]) -> list[Region]:
    """Sort by size, but keep the first table first unless another one is twice as large."""
    largest = max(map(_weight, regions))
    leader = next(region for region in regions if _weight(region) * 2 >= largest)
    others = [region for region in regions if region is not leader]
    return [leader, *sorted(others, key=_weight, reverse=True)]


def _weight(region: Region) -> float:
    is_table = len(region.places) > 1 and len(region.rows) > 0
    return region.cells * region.confidence * (1.0 if is_table else 0.001)


def _is_ruler(grid: Grid, row: int) -> bool:
    """Return whether a row only draws a line, as below the header of a Markdown table."""
    filled = grid.filled(row)
    return bool(filled) and all(_RULER.fullmatch(grid.cell(row, c).strip()) for c in filled)


def _without_comments(grid: Grid) -> tuple[Grid, frozenset[int]]:
    if max(map(len, grid.filled_columns.values()), default=0) < 2:
        return grid, frozenset()
    comments = frozenset(
        row
        for row in range(grid.top, grid.bottom)
        if _is_ruler(grid, row)
        or (
            grid.filled(row) == (0,)
            and grid.cell(row, 0).lstrip().startswith(_COMMENTS)
            and len(grid.cell(row, 0).strip()) > 3
            and not is_nothing(grid.cell(row, 0))
        )
    )
    if not comments:
        return grid, comments
    rows = [() if row in comments else cells for row, cells in enumerate(grid.rows)]
    return Grid.whole(rows), comments


def _side_by_side(grid: Grid, hints: Hints) -> list[Grid]:
    """Split at blank columns where the header names repeat or one side ends before the other."""
    widest = max(map(len, grid.filled_columns.values()), default=0)
    if hints.one_table or not hints.is_complete or widest < 4:
        return [grid]
    used = grid.used_columns(grid.dense_rows)
    gaps = [(left, right) for left, right in itertools.pairwise(used) if right - left > 1]
    for left, right in gaps:
        first, second = grid.window(right=left + 1), grid.window(left=right)
        if _have_a_gap(first, second):
            return [first, *_side_by_side(second, hints)]
    return [grid]


def _have_a_gap(first: Grid, second: Grid) -> bool:
    if min(first.usual_width, second.usual_width) < 2:
        return False
    if not first.dense_rows or not second.dense_rows:
        return False
    left, two = first.dense_rows[0], second.dense_rows[0]
    names = [_texts(first, left), _texts(second, two)]
    if left == two and len(names[0]) > 1 and set(names[0]) == set(names[1]):
        return True
    ends = (first.dense_rows[-1], second.dense_rows[-1])
    rows = (len(first.dense_rows), len(second.dense_rows))
    return abs(ends[0] - ends[1]) > 2 and min(rows) > 1 and min(rows) * 10 <= max(rows) * 9


def _texts(grid: Grid, row: int) -> tuple[str, ...]:
    return tuple([grid.rows[row][column].strip() for column in grid.filled(row)])


def _stacked(grid: Grid, hints: Hints, comments: frozenset[int]) -> Iterator[Region]:
    """Yield the layouts of vertically stacked tables."""
    rest: Grid | None = grid
    while rest is not None and not all(rest.is_blank(row) for row in rest.filled_columns):
        header = find_header(rest, hints)
        if hints.is_complete and hints.header_rows is None and not hints.one_table:
            yield from _tables_above(rest, header, hints, comments)
        end = rest.bottom
        if not hints.one_table and hints.header_rows is None:
            end = _next_table(rest, header)
        yield _region(rest.window(bottom=end), header, hints, comments)
        rest = rest.window(top=end) if end < rest.bottom else None


def _tables_above(
    grid: Grid, header: Header, hints: Hints, comments: frozenset[int]
) -> Iterator[Region]:
    """Lay out the rows above the header if they are a separate table."""
    above = grid.window(bottom=min((*header.rows, header.body)))
    dense = above.dense_rows if above.top < above.bottom else ()
    if len(dense) < _LEAST_ROWS or above.usual_width < 2:
        return
    profile = Profile.of(above, dense[1:])
    if not profile.looks:
        return
    yield from _stacked(above, hints, comments)


def _next_table(grid: Grid, header: Header) -> int:
    """Return the row where another table begins, or the end of the grid."""
    if not header.rows:
        return grid.bottom
    names = _texts(grid, header.rows[-1])
    known = frozenset(names)
    body = [row for row in range(header.body, grid.bottom) if not grid.is_blank(row)]
    dense = set(grid.dense_rows)
    profile = Profile.of(grid, [row for row in body if row in dense])
    block = header.body
    for row in body:
        is_after_gap = row > grid.top and grid.is_blank(row - 1)
        block = row if is_after_gap else block
        texts = _texts(grid, row)
        if len(texts) < 2 or texts == names:
            continue
        if _is_cut_of(texts, known):
            return row
        notes_only = all(len(grid.filled(above)) < 2 for above in range(block, row))
        if block > header.body and notes_only and _opens_table(grid, row, profile):
            return block
    return grid.bottom


def _is_cut_of(texts: tuple[str, ...], names: frozenset[str]) -> bool:
    """Return whether a row repeats most of the names, with some more or fewer: a related table."""
    common = sum(text in names for text in texts)
    fewest = min(len(texts), len(names))
    return len(texts) * 2 > len(names) and common >= 2 and common * 10 >= fewest * 7


def _opens_table(grid: Grid, row: int, profile: Profile) -> bool:
    """Return whether a row after a gap is the header of rows unlike the table above."""
    filled = grid.filled(row)
    below = row + 1
    if below >= grid.bottom or len(grid.filled(below)) < 2:
        return False
    if any(grid.look(row, column) not in NAMES for column in filled):
        return False
    fit = profile.fit(grid, row)
    if fit is not None and fit >= 0.4:
        return False
    block = list(takewhile(lambda later: not grid.is_blank(later), range(below, grid.bottom)))
    used = grid.used_columns(block[:20])
    if set(used[1:]) - set(filled):
        return False
    has_values = any(grid.look(below, column) not in TEXT for column in grid.filled(below))
    return has_values and len(set(_texts(grid, row))) == len(filled)


def _region(grid: Grid, header: Header, hints: Hints, comments: frozenset[int]) -> Region:
    body = [row for row in range(header.body, grid.bottom) if not grid.is_blank(row)]
    dense = set(grid.dense_rows)
    profile = Profile.of(grid, [row for row in body if row in dense] or body)
    columns = _columns(grid, header, body, hints)
    end = len(body)
    if hints.is_complete:
        end = body_end(grid, body, profile, columns)
    rows, footers = body[:end], body[end:]
    titles: dict[int, int] = {}
    if hints.is_complete:
        columns = _columns(grid, header, rows, hints)
        titles = titles_next_to(grid, header.rows, columns, rows, hints)
        columns = tuple(column for column in columns if column not in titles.values())
    kept, repeated, totals = _inner_rows(grid, header, rows, columns)
    top = min((*header.rows, header.body))
    preamble = [row for row in range(grid.top, top) if not grid.is_blank(row)]
    reasons: dict[int, SkipReason] = {
        **{row: "blank" for row in range(top, grid.bottom) if grid.is_blank(row)},
        **{row: "comment" for row in comments if grid.top <= row < grid.bottom},
        **dict.fromkeys(preamble, "preamble"),
        **{row: "units" for row in (header.units,) if row is not None},
        **dict.fromkeys(repeated, "repeated_header"),
        **dict.fromkeys(totals, "subtotal"),
        **{row: "total" if is_total(grid, row, columns) else "footer" for row in footers},
    }
    return Region(
        header_rows=header.rows,
        columns=name_columns(grid, header.rows, columns, hints, titles),
        places=columns,
        rows=tuple(kept),
        profile=profile,
        confidence=_confidence(grid, header, kept, profile),
        evidence=(*header.evidence, *_evidence(grid, footers, totals, repeated)),
        document=document_pairs(grid, preamble),
        units_row=header.units,
        left_out=tuple(sorted(reasons.items())),
    )


def _columns(grid: Grid, header: Header, rows: Sequence[int], hints: Hints) -> tuple[int, ...]:
    if not hints.is_complete:
        return tuple(range(grid.left, grid.right))
    return grid.used_columns((*header.rows[-1:], *rows))


def _inner_rows(
    grid: Grid, header: Header, rows: Sequence[int], columns: Sequence[int]
) -> tuple[list[int], list[int], list[int]]:
    """Split the body's rows into data, repeated headers and rows that add up others."""
    names = {_texts(grid, row) for row in header.rows}
    captions = _repeated_captions(grid, header, rows)
    kept: list[int] = []
    repeated: list[int] = []
    totals: list[int] = []
    group: list[int] = []
    for place, row in enumerate(rows):
        if row in captions or _texts(grid, row) in names:
            repeated.append(row)
        elif (place and is_labeled_sum(grid, row, group, columns)) or (
            not place and _is_leading_total(grid, rows, columns)
        ):
            totals.append(row)
            group = []
        else:
            kept.append(row)
            group.append(row)
    return kept, repeated, totals


def _repeated_captions(grid: Grid, header: Header, rows: Sequence[int]) -> set[int]:
    """
    Return the titles above repetitions of the header: they are where its own titles are.

    Each has the text of the header's title, or another one (``Region North``, ``Region South``) in
    cells that no row of data fills alone.
    """
    first = min(header.rows, default=grid.top)
    titles = list(takewhile(lambda row: not grid.is_blank(row), range(first - 1, grid.top - 1, -1)))
    body = set(rows)
    again = [row for row in rows if titles and _texts(grid, row) == _texts(grid, first)]
    places = {top - offset: title for top in again for offset, title in enumerate(titles, 1)}
    usual = {grid.filled(row) for row in rows if row not in places}
    captions: set[int] = set()
    for top in again:
        above = takewhile(body.__contains__, (top - offset for offset in range(1, len(titles) + 1)))
        captions.update(takewhile(lambda row: _is_caption(grid, row, places[row], usual), above))
    return captions


def _is_caption(grid: Grid, row: int, title: int, usual: Collection[tuple[int, ...]]) -> bool:
    filled = grid.filled(row)
    is_text = all(grid.look(row, column) in TEXT for column in filled)
    is_alike = _texts(grid, row) == _texts(grid, title) or (is_text and filled not in usual)
    return is_alike and filled == grid.filled(title)


def _is_leading_total(grid: Grid, rows: Sequence[int], columns: Sequence[int]) -> bool:
    """Return whether the first row is set apart from the others and is their sum."""
    if len(rows) < 4 or rows[1] - rows[0] == 1:
        return False
    key = grid.look(rows[0], columns[0])
    return (key is Look.EMPTY or is_total(grid, rows[0], columns)) and is_sum(
        grid, rows[0], rows[1:], columns
    )


def _confidence(grid: Grid, header: Header, rows: Sequence[int], profile: Profile) -> float:
    if not rows:
        return round(header.confidence * 0.8, 2)
    fits = [fit for row in rows[:200] if (fit := profile.fit(grid, row)) is not None]
    coherence = sum(fits) / len(fits) if fits else 0.9
    return round(header.confidence * (0.5 + 0.5 * coherence), 2)


def _evidence(
    grid: Grid, footers: Sequence[int], totals: Sequence[int], repeated: Sequence[int]
) -> Iterator[Evidence]:
    if footers:
        text = " ".join(_texts(grid, footers[0]))[:60]
        below, template = counted(len(footers), "row"), "{ROWS} below the data, the first: {text}"
        yield Evidence("footer", Sentence(template, ROWS=below, text=text), 0.8)
    if totals:
        adding = counted(len(totals), "row adds", "rows add")
        yield Evidence("subtotals", Sentence("{ROWS} up the rows around", ROWS=adding), 0.9)
    if repeated:
        names = counted(len(repeated), "row repeats the names", "rows repeat the names")
        yield Evidence("repeated_headers", names, 1.0)


def with_header_rows(
    rows: Sequence[Sequence[str]], region: Region, header_rows: tuple[int, ...], hints: Hints
) -> Region:
    """
    Return the region with these header rows; () makes its first row data.

    rows, hints: what the region was found with. Raises UnusableRequest (unknown_row).
    """
    if any(not 0 <= row < len(rows) for row in header_rows):
        row, template = str(max(header_rows)), "The file has no row {n1} that could be the header."
        raise UnusableRequest("unknown_row", Sentence(template, n1=row), rows=list(header_rows))
    bottom = max((region.bottom, *region.footers)) + 1 if hints.is_complete else len(rows)
    return lay_out_window(
        rows,
        replace(hints, header_rows=header_rows, one_table=True),
        top=0 if header_rows else region.top,
        bottom=max(bottom, max(header_rows, default=-1) + 1),
        columns=range(min(region.places), max(region.places) + 1),
    )


def chosen_regions(
    rows: Sequence[Sequence[str]],
    regions: tuple[Region, ...],
    choices: ReadingChoices,
    hints: Hints,
) -> tuple[Region, ...]:
    """Return the regions, the chosen ones with the header rows and rows that a user chose."""
    return tuple(
        region if (own := choices.of_table(place)) is None else _chosen(rows, region, own, hints)
        for place, region in enumerate(regions)
    )


def _chosen(
    rows: Sequence[Sequence[str]], region: Region, choices: ReadingChoices, hints: Hints
) -> Region:
    if choices.header_rows is not None:
        region = with_header_rows(rows, region, choices.header_rows, hints)
    return with_rows(region, choices.restored)


def with_rows(region: Region, restored: Collection[int]) -> Region:
    """Return the region with skipped rows added to its body."""
    taken = {row for row, _ in region.left_out if row in restored}
    return replace(
        region,
        rows=tuple(sorted({*region.rows, *taken})),
        left_out=tuple((row, reason) for row, reason in region.left_out if row not in taken),
    )


def without_totals(region: Region, rows: Collection[int]) -> Region:
    """Return the region without body rows that are known to be totals."""
    totals = [row for row in region.rows if row in rows]
    if not totals:
        return region
    left_out: dict[int, SkipReason] = {**dict(region.left_out), **dict.fromkeys(totals, "total")}
    template = "{ROWS} up the rows above, by a formula that was saved without its value"
    reason = Sentence(template, ROWS=counted(len(totals), "row adds", "rows add"))
    return replace(
        region,
        rows=tuple(row for row in region.rows if row not in rows),
        left_out=tuple(sorted(left_out.items())),
        evidence=(*region.evidence, Evidence("totals", reason, 0.9)),
    )
