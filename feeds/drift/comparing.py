"""Compare the picture of a file with those of its predecessors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from statistics import median

from feeds.drift.cells import emptiness, readability, variety
from feeds.drift.days import days
from feeds.drift.figures import sizes, totals
from feeds.drift.finding import Finding
from feeds.drift.headers import columns_of, folded
from feeds.drift.picture import ColumnPicture, Picture
from feeds.drift.sketch import share_known
from feeds.drift.usual import usual

PREDECESSORS = 10
FEWER = 0.57  # the logarithm of a ratio: fewer than 0.57 times the usual rows
MORE = 0.65  # more than 1.9 times
CHANGES = 10  # values that usually are new, so that none is not chance
ALL_FEWER = 0.25  # the same, of files with all rows each time: no week is a slow one
ALL_MORE = 0.4
KEPT = 0.8  # of the values of a column that tells rows apart, if a file has all rows each time
TELLS = 0.9  # distinct values over cells of such a column
ERRORS = 3.0  # standard errors of a count
FOLLOW = frozenset(
    {"column_total", "column_distinct", "dates_short"}
)  # from a different number of rows


def compare(current: Picture, previous: Sequence[Picture]) -> tuple[Finding, ...]:
    """
    Return what is not usual about a file; nothing if it is like its predecessors.

    previous: the pictures of the files that were applied before, the oldest first; the last ten
    count. One cause is one finding: what follows from another finding is not repeated.
    """
    previous = previous[-PREDECESSORS:]
    if not previous:
        return ()
    if _repeats(current, previous):
        params = {"rows": current.rows, "day": _day(_repeated(current, previous))}
        return (Finding("same_rows", params=params),)
    columns = columns_of(current, previous)
    rows = tuple(_rows(current, previous))
    findings = [*columns.findings, *rows]
    for column in current.columns:
        earlier = columns.earlier[column.header]
        if earlier:
            findings += emptiness(column, earlier)
            findings += islice(_about_values(column, earlier), 1)
    return tuple(f for f in findings if not (rows and f.code in FOLLOW))


def _about_values(column: ColumnPicture, earlier: Sequence[ColumnPicture]) -> Iterator[Finding]:
    """Yield what differs about the values of a column, the likeliest cause of the others first."""
    for about in (readability, days, sizes, variety, totals):
        yield from about(column, earlier)


def _rows(current: Picture, previous: Sequence[Picture]) -> Iterator[Finding]:
    counts = [math.log(max(1, picture.rows)) for picture in previous]
    count = math.log(max(1, current.rows))
    center = usual(counts, floor=0).center
    chance = ERRORS / math.sqrt(max(1, math.exp(center)))
    fewer, more = (ALL_FEWER, ALL_MORE) if _has_all_rows(previous) else (FEWER, MORE)
    before, after = {"rows": round(math.exp(center))}, {"rows": current.rows}
    if count < usual(counts, floor=max(fewer, chance)).low:
        yield Finding("rows_fewer", before=before, after=after)
    elif count > usual(counts, floor=max(more, chance)).high:
        yield Finding("rows_more", before=before, after=after)


def _has_all_rows(previous: Sequence[Picture]) -> bool:
    """Return whether each file has nearly all rows of the one before."""
    return len(previous) > 1 and all(
        any(
            now.uniqueness >= TELLS and (share_known(before.sample, [now.sample]) or 0.0) >= KEPT
            for now, before in _pairs(after, first)
        )
        for first, after in pairwise(previous)
    )


def _pairs(now: Picture, before: Picture) -> Iterator[tuple[ColumnPicture, ColumnPicture]]:
    earlier = {folded(column.header): column for column in before.columns}
    for column in now.columns:
        if (name := folded(column.header)) in earlier:
            yield column, earlier[name]


def _repeats(current: Picture, previous: Sequence[Picture]) -> bool:
    """Return whether a file has the rows of a predecessor, though files always differ by many."""
    contents = [_content(picture) for picture in previous]
    if not current.rows or _content(current) not in contents or len(contents) < 2:
        return False
    changes = [_changes(after, before) for before, after in pairwise(previous)]
    return len(set(contents)) == len(contents) and median(changes) >= CHANGES and min(changes) > 0


def _changes(now: Picture, before: Picture) -> float:
    """Return how many values of the column with the most new ones the picture before had not."""
    return max((_new(column, earlier) for column, earlier in _pairs(now, before)), default=0.0)


def _new(column: ColumnPicture, before: ColumnPicture) -> float:
    share = share_known(column.sample, [before.sample])
    return 0.0 if share is None else (1 - share) * column.distinct


def _repeated(current: Picture, previous: Sequence[Picture]) -> Picture:
    content = _content(current)
    return next(picture for picture in reversed(previous) if _content(picture) == content)


def _day(picture: Picture) -> str | None:
    return None if picture.day is None else picture.day.isoformat()


def _content(picture: Picture) -> tuple[int, frozenset[tuple[str, str]]]:
    columns = frozenset((folded(column.header), column.content) for column in picture.columns)
    return picture.rows, columns
