"""Compare what the cells of a column are: filled, readable, distinct, known, of a length."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from feeds.drift.finding import Finding
from feeds.drift.picture import ColumnPicture
from feeds.drift.sketch import SIZE, share_known
from feeds.drift.usual import usual

EMPTIER = 0.15  # more empty cells than usual, as a share
FULLER = 0.5
LEAST_CELLS = 10  # that are filled, before their absence or repetition is more than chance
LOST = 0.5  # of the texts, if fewer are of the earlier kind
UNREAD = 0.15
REPEATING = 0.2  # fewer distinct values than usual, over filled cells
UNIQUE = 0.5  # distinct values over filled cells, above which a column is a kind of name
DISTINCT = math.log(2)  # ratio of distinct values
LEAST_CHANGE = 4  # distinct values more or less
NEW = 0.35  # known values fewer than usual, as a share of rows
LONGER = math.log(1.5)  # ratio of mean lengths
ERRORS = 4.0  # standard errors of a share
MANY = 0.8  # of the rows


def readability(now: ColumnPicture, earlier: Sequence[ColumnPicture]) -> Iterator[Finding]:
    """Yield whether the texts of a column are still of the same type."""
    filled = [column for column in earlier if column.filled]
    if filled and now.filled:
        yield from _type(now, filled)
        yield from _unread(now, filled)


def variety(now: ColumnPicture, earlier: Sequence[ColumnPicture]) -> Iterator[Finding]:
    """Yield what is not usual about which values a column has, and how many."""
    filled = [column for column in earlier if column.filled]
    if filled and now.filled:
        yield from _repeats(now, filled)
        yield from _distinct(now, filled)
        yield from _new_values(now, filled)
        yield from _length(now, filled)


def _share_floor(floor: float, share: float, rows: int) -> float:
    """Return a floor that the chance of few rows does not exceed."""
    return max(floor, ERRORS * math.sqrt(max(share * (1 - share), 1 / (rows + 1)) / max(rows, 1)))


def emptiness(now: ColumnPicture, earlier: Sequence[ColumnPicture]) -> Iterator[Finding]:
    """Yield whether the share of empty cells is not usual. earlier: the oldest first."""
    shares = [column.empty_share for column in earlier if column.rows]
    if not shares or not now.rows:
        return
    center = usual(shares, floor=0).center
    more = usual(shares, floor=_share_floor(EMPTIER, center, now.rows))
    fewer = usual(shares, floor=_share_floor(FULLER, center, now.rows))
    expected = (1 - max(shares)) * now.rows
    became_empty = now.filled == 0 and expected >= LEAST_CELLS
    if now.empty_share > more.high or now.empty_share < fewer.low or became_empty:
        yield Finding(
            "column_empty",
            column=now.header,
            before={"emptyShare": center},
            after={"emptyShare": now.empty_share},
        )


def _type(now: ColumnPicture, earlier: Sequence[ColumnPicture]) -> Iterator[Finding]:
    kinds = {column.kind for column in earlier}
    kind = kinds.pop()
    if not kinds and kind and now.share_of(kind) < LOST:
        yield Finding(
            "column_type_changed",
            column=now.header,
            before={"kind": kind},
            after={"kind": now.kinds[0][0] if now.kinds else ""},
        )


def _unread(now: ColumnPicture, earlier: Sequence[ColumnPicture]) -> Iterator[Finding]:
    shares = [column.unread_share for column in earlier]
    center = usual(shares, floor=0).center
    if now.unread_share > usual(shares, floor=_share_floor(UNREAD, center, now.filled)).high:
        yield Finding(
            "column_unread",
            column=now.header,
            before={"unreadShare": center},
            after={"unreadShare": now.unread_share},
        )


def _repeats(now: ColumnPicture, earlier: Sequence[ColumnPicture]) -> Iterator[Finding]:
    if min(column.filled for column in (now, *earlier)) < LEAST_CELLS:
        return
    shares = [column.uniqueness for column in earlier]
    range_ = usual(shares, floor=_share_floor(REPEATING, shares[-1], now.filled))
    if range_.center >= UNIQUE and now.uniqueness < range_.low:
        yield Finding(
            "column_repeats",
            column=now.header,
            before={"distinctShare": range_.center},
            after={"distinctShare": now.uniqueness},
        )


def _distinct(now: ColumnPicture, earlier: Sequence[ColumnPicture]) -> Iterator[Finding]:
    if max(now.uniqueness, *(column.uniqueness for column in earlier)) >= UNIQUE:
        return
    counts = [math.log(max(1, column.distinct)) for column in earlier]
    range_ = usual(counts, floor=DISTINCT)
    center = round(math.exp(range_.center))
    is_far = abs(now.distinct - center) >= LEAST_CHANGE
    is_single = now.distinct == 1 and min(column.distinct for column in earlier) >= LEAST_CHANGE - 1
    if is_single or (is_far and math.log(max(1, now.distinct)) not in range_):
        yield Finding(
            "column_distinct",
            column=now.header,
            before={"distinct": center},
            after={"distinct": now.distinct},
        )


def _new_values(now: ColumnPicture, earlier: Sequence[ColumnPicture]) -> Iterator[Finding]:
    if now.numbers is not None:
        return  # prices may all rise at once; their size is compared
    known = [_known(earlier[at], earlier[:at]) for at in range(1, len(earlier))]
    shares = [share.known for share in known if share is not None]
    share = _known(now, earlier)
    if not shares or share is None:
        return
    range_ = usual(shares, floor=_share_floor(NEW, shares[-1], share.among))
    if share.known < min(range_.low, *shares):
        yield Finding(
            "column_values_new",
            column=now.header,
            before={"knownShare": range_.center, "values": _texts(earlier[-1])},
            after={"knownShare": share.known, "values": _texts(now)},
        )


SHOWN = 3  # values of each side


def _texts(column: ColumnPicture) -> list[str]:
    return [text for text, _ in column.top[:SHOWN]]


@dataclass(frozen=True, slots=True)
class Known:
    """The share of known values, and among how many rows or values it was counted."""

    known: float
    among: int


def _known(now: ColumnPicture, earlier: Sequence[ColumnPicture]) -> Known | None:
    """Return the share of known values: of rows if they are few values, else of distinct ones."""
    counted = sum(count for _, count in now.top)
    if now.top and counted >= MANY * now.filled and all(c.distinct < SIZE for c in earlier):
        known = {text for column in earlier for text, _ in column.top}
        hits = sum(count for text, count in now.top if text in known)
        return Known(hits / counted, counted)
    share = share_known(now.sample, [column.sample for column in earlier])
    return None if share is None else Known(share, min(now.distinct, SIZE))


def _length(now: ColumnPicture, earlier: Sequence[ColumnPicture]) -> Iterator[Finding]:
    if now.numbers or now.dates or not now.length:
        return
    lengths = [math.log(column.length) for column in earlier if column.length]
    if not lengths:
        return
    range_ = usual(lengths, floor=LONGER * (1 + ERRORS / math.sqrt(now.filled)))
    if math.log(now.length) not in range_:
        yield Finding(
            "column_length",
            column=now.header,
            before={"length": math.exp(range_.center)},
            after={"length": now.length},
        )
