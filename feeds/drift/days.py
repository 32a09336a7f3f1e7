"""Compare the days of a column: whether they move on as usual, and how far they reach."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from statistics import median

from feeds.drift.finding import Code, Finding, Json
from feeds.drift.picture import ColumnPicture, Dates
from feeds.drift.usual import NORMAL, usual

MOVING = 0.05  # of the usual range, that a column whose days move on moves from file to file
BY_CHANCE = 0.3  # of what chance may move the ends of few days
BEHIND = 0.35  # of a usual step
AHEAD = 5  # usual steps; a feed may rest for some weeks
NOISE = 6.0  # deviations of a step
LEAST_AHEAD = 45  # days
WIDER_SPAN = 14  # days that the range may reach further
TIMES = 1.5  # the usual range
STILL = 0.5  # of the usual range, for a column whose days do not move on
LEAST_STILL = 60  # days
FEW, LEAST_OF_FEW = 3, 366  # files, which do not show yet whether the days move on, and days
MANY = 20  # days of a file, among which the earliest and the latest are hardly chance
LEAST_DAYS = 6  # earlier ones, before they show anything
GAPS = 6.0  # mean gaps between few days, by which their ends differ at most


def days(now: ColumnPicture, earlier: Sequence[ColumnPicture]) -> Iterator[Finding]:
    """Yield what is not usual about the days of a column. earlier: the oldest first."""
    dates = now.dates
    before = [column.dates for column in earlier if column.dates is not None]
    if dates is None or not before:
        return
    steps = [(after.late - first.late).days for first, after in pairwise(before)]
    starts = [(after.early - first.early).days for first, after in pairwise(before)]
    chance = _chance(dates, before)
    least = max(1.0, MOVING * median(dates.span for dates in before), BY_CHANCE * chance)
    moves = bool(steps) and min(*steps, *starts) >= least
    if _reaches_further(dates, before, chance) or (
        not moves and _is_elsewhere(dates, before, chance)
    ):
        yield Finding(
            "dates_range", column=now.header, before=_shown(before[-1]), after=_shown(dates)
        )
    elif moves and (code := _place(dates, before, steps, chance)):
        yield Finding(code, column=now.header, before=_shown(before[-1]), after=_shown(dates))


def _chance(now: Dates, before: Sequence[Dates]) -> float:
    """
    Return by how much the ends of few days differ without a cause: some gaps between days.

    Of many days the earliest and the latest are near the ends of what they are drawn from. What
    that is shows in all earlier days, unless these are very few.
    """
    counts = [dates.count for dates in before]
    fewest = min(now.count, median(counts))
    if fewest >= MANY:
        return 0.0
    if sum(counts) < LEAST_DAYS:
        return math.inf
    reach = (max(dates.last for dates in before) - min(dates.first for dates in before)).days
    return GAPS * reach / (fewest + 1)


def _place(now: Dates, before: Sequence[Dates], steps: Sequence[int], chance: float) -> Code | None:
    """Return whether the days are not later than before, or much later."""
    step = median(steps)
    noise = NOISE * NORMAL * median(abs(other - step) for other in steps) + chance
    moved = (now.late - max(dates.late for dates in before)).days
    if moved < step * (1 - BEHIND) - noise and moved < min(steps):
        return "dates_short" if moved > 0 else "dates_behind"
    return "dates_ahead" if moved > max(AHEAD * step, step + noise, LEAST_AHEAD) else None


def _reaches_further(now: Dates, before: Sequence[Dates], chance: float) -> bool:
    spans = [dates.span for dates in before]
    return now.span > usual(spans, floor=max(WIDER_SPAN, TIMES * median(spans)) + chance).high


def _is_elsewhere(now: Dates, before: Sequence[Dates], chance: float) -> bool:
    """Return whether days that do not move on are earlier or later than usual."""
    floor = max(LEAST_STILL, STILL * median(dates.span for dates in before)) + chance
    floor = max(floor, LEAST_OF_FEW) if len(before) < FEW else floor
    early = usual([_number(dates.early) for dates in before], floor=floor)
    late = usual([_number(dates.late) for dates in before], floor=floor)
    return _number(now.early) not in early or _number(now.late) not in late


def _number(day: date) -> int:
    return day.toordinal()


def _shown(dates: Dates) -> Json:
    return {"first": dates.first.isoformat(), "last": dates.last.isoformat()}
