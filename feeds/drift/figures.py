"""Compare the numbers of a column: how large, of which sign, and their sum."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import median

from feeds.drift.finding import Finding, Json
from feeds.drift.picture import ColumnPicture, Numbers
from feeds.drift.sizes import deviation, distance, factor, sizes_of, typical
from feeds.drift.usual import DEVIATIONS, NORMAL, WIDER, usual

APART = 0.45  # powers of ten
POOLED = 3  # predecessors whose numbers are compared as one column
LEAST_COUNT = 5  # numbers
ERRORS = 4.0  # standard errors
SIGNS = 0.3  # share of negative numbers more or less than usual
EXCEPTIONS = 0.1  # of the numbers, in a column of one sign
MIRRORED = 0.2  # powers of ten, of numbers that only changed their sign
TOTAL = math.log(3)


def sizes(now: ColumnPicture, earlier: Sequence[ColumnPicture]) -> Iterator[Finding]:
    """Yield whether the numbers have other sizes or signs. earlier: the oldest first."""
    if (numbers := _comparable(now, earlier)) is not None:
        yield from _sizes(now.header, *numbers)
        yield from _signs(now.header, *numbers)


def totals(now: ColumnPicture, earlier: Sequence[ColumnPicture]) -> Iterator[Finding]:
    """Yield whether the sum of a column is not usual."""
    if (numbers := _comparable(now, earlier)) is not None:
        yield from _total(now.header, *numbers)


def _comparable(
    now: ColumnPicture, earlier: Sequence[ColumnPicture]
) -> tuple[Numbers, list[Numbers]] | None:
    before = [column.numbers for column in earlier if column.numbers is not None]
    if now.numbers is None or not before:
        return None
    is_enough = min(now.numbers.count, before[-1].count) >= LEAST_COUNT
    return (now.numbers, before) if is_enough else None


def _sizes(header: str, now: Numbers, before: Sequence[Numbers]) -> Iterator[Finding]:
    pool, current = sizes_of(before[-POOLED:]), sizes_of([now])
    if not pool or not current:
        return
    apart = distance(pool, current)
    usually = [
        distance(sizes_of(before[max(0, at - POOLED) : at]), sizes_of([before[at]]))
        for at in range(1, len(before))
    ]
    chance = ERRORS * deviation(pool) / math.sqrt(now.count)
    if apart > _most(usually, APART + chance, len(before)):
        yield Finding(
            "column_sizes",
            column=header,
            before=_shown(before[-1]) | {"typical": typical(pool)},
            after=_shown(now) | {"typical": typical(current)},
            params={"factor": factor(pool, current)},
        )


def _most(usually: Sequence[float], floor: float, count: int) -> float:
    """Return the largest usual distance."""
    if not usually:
        return floor * WIDER[1]
    center = median(usually)
    noise = median(abs(distance_ - center) for distance_ in usually)
    return center + max(floor, DEVIATIONS * NORMAL * noise) * WIDER.get(count, 1.0)


def _signs(header: str, now: Numbers, before: Sequence[Numbers]) -> Iterator[Finding]:
    shares = [numbers.negative / numbers.count for numbers in before]
    share = now.negative / now.count
    range_ = usual(shares, floor=SIGNS + ERRORS * 0.5 / math.sqrt(now.count))
    low, high = min(n.least for n in before), max(n.greatest for n in before)
    is_mirrored = distance(sizes_of(before[-POOLED:]), sizes_of([now])) <= MIRRORED
    had_one_sign = min(range_.center, 1 - range_.center) <= EXCEPTIONS
    is_elsewhere = share not in range_ and not low <= now.mean <= high
    if had_one_sign and is_mirrored and is_elsewhere:
        yield Finding(
            "column_signs",
            column=header,
            before=_shown(before[-1]) | {"negativeShare": range_.center},
            after=_shown(now) | {"negativeShare": share},
        )


def _total(header: str, now: Numbers, before: Sequence[Numbers]) -> Iterator[Finding]:
    """Yield a sum that grew or shrank beyond measure; only of numbers that are all positive."""
    if any(numbers.least < 0 or numbers.total <= 0 for numbers in (*before, now)):
        return
    range_ = usual([math.log(numbers.total) for numbers in before], floor=TOTAL)
    if math.log(now.total) not in range_:
        yield Finding(
            "column_total",
            column=header,
            before=_shown(before[-1]) | {"total": math.exp(range_.center)},
            after=_shown(now),
        )


def _shown(numbers: Numbers) -> Json:
    return {
        "least": numbers.least,
        "greatest": numbers.greatest,
        "mean": numbers.mean,
        "total": numbers.total,
    }
