"""Turn lines of text into rows: text that wrapped within a cell is folded back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf
from statistics import median

from tabular.reading.pdf.grids.content import kind_of
from tabular.reading.pdf.grids.grid import lines_of, text_of
from tabular.reading.pdf.grids.strips import Strip, gap_between
from tabular.reading.pdf.grids.wrapping import (
    SCALED,
    TYPED,
    Fashion,
    fashion_of,
    had_no_space,
    is_title_of,
    reads_as_wrapped,
    width_of,
)

SAME_ROW = 0.62  # of a line's height: lines whose middles are nearer are one row
TIGHTER = 0.2  # of a line's height: a gap smaller than the usual one by this is inside a row
MOSTLY = 0.75  # share of the near lines that nothing drawn parts, if gaps show the rows
DRAWN = 1.0  # points that a line or an edge may reach into the text above or below it
OTHER_WEIGHT = 30  # of fonts: text does not wrap from bold to plain
STEP = 0.12  # of a line's height: gaps that differ by more are of two kinds
INNER = 0.6  # of a line's height: no gap within a cell is wider
LEAST_BANDS = 2  # drawn bands that may be the rows of a table
LEAST_ANCHORS = 2  # columns of values that agree on where rows begin
NEARLY_FULL = 0.75  # of a column's width: a line this wide may be the first of two


def folded(
    strips: list[Strip], bands: Sequence[float] = (), parting: Sequence[float] = ()
) -> list[Strip]:
    """
    Fold lines into rows.

    bands: heights at which drawn rows end, from the top, if there are any. parting: heights of
    lines and edges that no row is on both sides of.

    1. Lines with almost the same middle are one row: labels next to centred numbers.
    2. Drawn bands separate rows if their content reads like rows.
    3. Gaps of two clearly different sizes also do: the smaller ones are inside rows.
    4. If all gaps are alike, a line continues the row above only if its text says so.
    """
    lines = _overlapping(strips)
    fashion = fashion_of(lines)
    for groups, is_drawn in _partings(lines, bands, parting):
        if reads_as_wrapped(groups, fashion, drawn=is_drawn):
            return [_one(group) for group in groups]
    return _by_text(lines, fashion, parting)


def _are_parted(above: Strip, below: Strip, parting: Sequence[float]) -> bool:
    """Return whether something drawn is between the middles of two lines, and crosses neither."""
    between = parting[bisect_right(parting, above.middle) : bisect_right(parting, below.middle)]
    return any(above.bottom - DRAWN <= height <= below.top + DRAWN for height in between)


def _one(group: Sequence[Strip]) -> Strip:
    row = group[0].copy()
    for strip in group[1:]:
        row.take(strip)
    return row


def _overlapping(strips: list[Strip]) -> list[Strip]:
    rows: list[Strip] = []
    for strip in strips:
        if rows:
            apart = strip.middle - rows[-1].middle
            if apart < SAME_ROW * strip.height and not strip.filled & rows[-1].filled - {0}:
                rows[-1].take(strip)
                continue
        rows.append(strip)
    return rows


def _partings(
    lines: list[Strip], bands: Sequence[float], parting: Sequence[float]
) -> Iterator[tuple[list[list[Strip]], bool]]:
    """Yield the ways to split lines into rows that the page shows, and whether bands do."""
    homes = [bisect_right(bands, line.middle) for line in lines]
    inner = {home for home in homes if 0 < home < len(bands)}
    gaps = [gap_between(above, below) for above, below in pairwise(lines)]
    if len(inner) >= LEAST_BANDS and len(inner) < sum(home in inner for home in homes):
        in_one = [home == below and home in inner for home, below in pairwise(homes)]
        # Lines above the first band and below the last one are as near as those in a band.
        near = max(gap for gap, is_one in zip(gaps, in_one, strict=True) if is_one) + STEP / 2
        is_out = [home == below and home not in inner for home, below in pairwise(homes)]
        with_outer = [
            is_one or (out and gap < near)
            for is_one, out, gap in zip(in_one, is_out, gaps, strict=True)
        ]
        yield _grouped(lines, with_outer), True
        yield _grouped(lines, in_one), True
    parted = [_are_parted(above, below, parting) for above, below in pairwise(lines)]
    for limit in _limits(gaps):
        are_near = [gap < limit for gap in gaps]
        joined = [is_near and not cut for is_near, cut in zip(are_near, parted, strict=True)]
        if sum(joined) > MOSTLY * sum(are_near):  # else the drawing shows that gaps part no rows
            yield _grouped(lines, joined), False


def _limits(gaps: list[float]) -> list[float]:
    """Return the heights between two kinds of gaps, the largest first."""
    steps = [
        (low + high) / 2
        for low, high in pairwise(sorted(gaps))
        if low <= INNER and high - low > STEP
    ]
    return steps[::-1]


def _grouped(lines: list[Strip], joined: list[bool]) -> list[list[Strip]]:
    groups = [[lines[0]]]
    for line, is_joined in zip(lines[1:], joined, strict=True):
        if is_joined:
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _by_text(rows: list[Strip], fashion: Fashion, parting: Sequence[float]) -> list[Strip]:
    usual = _usual_gap(rows)
    gaps = [
        inf if _are_parted(before, after, parting) else after.top - before.bottom
        for before, after in pairwise(rows)
    ]
    strips: list[Strip] = []
    leading = False  # the last row found is only the first lines of a centred row
    nexts = [*rows[1:], None]
    for row, after, gap, gap_below in zip(rows, nexts, [inf, *gaps], [*gaps, inf], strict=True):
        slack = TIGHTER * row.height
        if strips and leading and strips[-1].filled <= row.filled and gap < gap_below + slack:
            strips[-1].take(row)
            leading = not _is_full(row, rows)
            continue
        nearer = bool(strips) and gap <= min(gap_below + slack, INNER * row.height)
        if nearer and (proof := _goes_on(strips[-1], row, gap, usual, fashion)):
            if proof == "doubtful":
                strips[-1].take_doubtfully(row)
            else:
                strips[-1].take(row)
        else:
            strips.append(row.copy())
            apart = gap_below + slack < gap < inf and not _is_full(row, rows)
            leading = apart and after is not None and _leads(row, after, fashion)
    return _labels_joined(strips, fashion)


def _leads(row: Strip, below: Strip, fashion: Fashion) -> bool:
    """Return whether each text continues below, so this is not a title over a group of rows."""
    return row.filled <= below.filled and all(
        len(row.cells[column]) > 1
        and _breaks_off(row, below, column, fashion)
        and not (fashion.typed[column] and is_title_of(row, below, column))
        for column in row.filled
    )


def _is_full(row: Strip, rows: list[Strip]) -> bool:
    return 2 * len(row.filled) >= max(len(other.filled) for other in rows) or _has_values(row)


def _has_values(row: Strip) -> bool:
    return any(kind_of(text_of(row.cells[column])) in TYPED for column in row.filled)


def _usual_gap(rows: list[Strip]) -> float:
    most = max(len(row.filled) for row in rows)
    gaps = [
        row.top - before.bottom for before, row in pairwise(rows) if 2 * len(row.filled) >= most
    ]
    return median(gaps) if gaps else 0.0


def _goes_on(row: Strip, line: Strip, gap: float, usual: float, fashion: Fashion) -> str:
    """Return how surely a line continues a row: "sure", "doubtful", or not at all ("")."""
    if not line.filled < row.filled or line.spans or _has_values(line):
        return ""
    breaks = all(_breaks_off(row, line, column, fashion) for column in line.filled)
    if _lacks_every_value(row, line, fashion):
        ended = all(
            _breaks_off(row, line, column, fashion, SCALED)
            and _reads_on_in(row, line, column, fashion)
            for column in line.filled
        )
        return "sure" if ended else "doubtful"
    if gap < usual - TIGHTER * line.height:
        return "sure" if breaks else "doubtful"
    if not breaks:
        return ""
    if all(_reads_on_in(row, line, column, fashion) for column in line.filled):
        return "sure"
    (first, *more) = line.filled
    is_lone = not more and first > 0
    return "doubtful" if is_lone and _is_running(row, first, fashion) else ""


def _reads_on_in(row: Strip, line: Strip, column: int, fashion: Fashion) -> bool:
    above, below = text_of(row.cells[column]), text_of(line.cells[column])
    is_low = below[0].islower() and not fashion.begins_low[column]
    return (is_low and " " in above) or _reads_on(above, below)


def _is_running(row: Strip, column: int, fashion: Fashion) -> bool:
    """Return whether a cell's last line has several words and almost fills its column."""
    last = lines_of(row.cells[column])[-1]
    return len(last) > 1 and width_of(last) > NEARLY_FULL * fashion.widths[column]


def _lacks_every_value(row: Strip, line: Strip, fashion: Fashion) -> bool:
    """Return whether the columns of values that every row fills are empty in a line of text."""
    has_anchors = len(fashion.anchors) >= LEAST_ANCHORS and fashion.anchors <= row.filled
    return has_anchors and 0 not in line.filled and not fashion.anchors & line.filled


def _breaks_off(row: Strip, line: Strip, column: int, fashion: Fashion, slack: float = 0.0) -> bool:
    """Return whether a cell's last line had no room for the first word below, in the same font."""
    last, first = lines_of(row.cells[column])[-1], lines_of(line.cells[column])[0]
    if abs(last[-1].weight - first[0].weight) > OTHER_WEIGHT:
        return False
    return had_no_space(last, first, fashion.widths[column], slack)


def _reads_on(label: str, below: str) -> bool:
    return below[0] in "(&" or label[-1] in ",-–/&("


def _labels_joined(rows: list[Strip], fashion: Fashion) -> list[Strip]:
    strips: list[Strip] = []
    for row in rows:
        label = strips[-1] if strips and strips[-1].filled == {0} else None
        goes_on = (
            label is not None
            and len(strips) > 1
            and {0} < row.filled
            and not label.spans
            and len(label.cells[0]) > 1
            and not text_of(label.cells[0]).endswith(":")
            and row.top - label.bottom < 0.5 * row.height
            and _label_reads_on(text_of(label.cells[0]), text_of(row.cells[0]))
            and _breaks_off(label, row, 0, fashion)
        )
        if label is not None and goes_on:
            label.take(row)
        else:
            strips.append(row)
    return strips


def _label_reads_on(label: str, below: str) -> bool:
    return below[0].islower() or _reads_on(label, below)
