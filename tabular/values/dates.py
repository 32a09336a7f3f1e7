"""Dates and times of day as people write them: the grammars, and what a single text means.

Year first (ISO 8601, RFC 3339, basic form), day or month first with ``. / - `` or blanks, month
names in sixteen languages. A year has two digits, or four without a leading zero: what programs
write for "no date" (0001-01-01) is not a date. ``tabular.types`` converts them to values.
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from tabular.values.months import month_number

DateOrder = Literal["dmy", "mdy", "ymd"]
LONGEST = 80  # characters of a date with its time and zone

# Three numbers, or two around a month's name; the rest is a time of day.
PARTS = (
    r"^(?P<a>[0-9]{1,2}|[1-9][0-9]{3})[ ]?[./\- ][ ]?(?P<b>[0-9]{1,2})[ ]?[./\- ][ ]?"
    r"(?P<c>[0-9]{1,2}|[1-9][0-9]{3})\.?(?:[T ,]+(?P<time>[0-9]{1,2}[:.h].*))?$"
)
COMPACT = r"^(?P<a>(?:19|20)[0-9]{2})(?P<b>[0-9]{2})(?P<c>[0-9]{2})(?:T(?P<time>[0-9]{4,}.*))?$"
_NAMED = re.compile(
    r"^(?:[^\W\d_]{2,12}\.?,?\s+)??(?P<first>[1-9]\d{3}|\d{1,2}|[^\W\d_]{3,12})"
    r"(?:\.|st|nd|rd|th|º|er|-|/|,)*\s*(?:de |of |d')?\s*"
    r"(?P<second>[^\W\d_]{3,12}|\d{1,2}(?!\d))(?:\.|st|nd|rd|th|-|/|,)*\s*(?:de |del |of )?\s*"
    r"(?P<third>[1-9]\d{3}|\d{2})\.?(?:[T ,]+(?P<time>\d{1,2}[:.h].*))?$",
    re.IGNORECASE,
)
CLOCK = (
    r"^(?P<h>[0-9]{1,2})(?:(?:[:.h]| Uhr )(?P<m>[0-9]{2}))?(?:[:.m](?P<s>[0-9]{2}))?"
    r"(?:[.,](?P<f>[0-9]{1,9}))?s?(?: ?(?:Uhr|h))?"
    "[ \u00a0\u202f]?(?P<half>[AaPp]\\.?[Mm]\\.?)?$"
)
ZONE = r"^(?P<clock>.*?) ?(?P<zone>Z|z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2})?$"
_PERIOD = re.compile(
    r"^(?:(?P<month>[^\W\d_]{3,12})\.?[-./ ']\s?'?(?:\d{4}|\d{2})"
    r"|\d{1,2}[-. ]+(?P<late>[^\W\d_]{3,12})"
    r"|\d{4}[-/ ](?:(?P<behind>[^\W\d_]{3,12})|Q[1-4]|W\d{2})|Q[1-4][-/ ]?\d{4}"
    r"|(?:19|20)\d{2}-(?:0[1-9]|1[0-2]))\.?$",
    re.IGNORECASE,
)
_scalar_parts, _scalar_compact = re.compile(PARTS), re.compile(COMPACT)
_scalar_clock, _scalar_zone = re.compile(CLOCK), re.compile(ZONE)


@dataclass(frozen=True, slots=True)
class Day:
    """A text that is a date: the orders in which it can be read, and the time after it."""

    orders: tuple[DateOrder, ...]
    time: str | None = None


@lru_cache(maxsize=65536)
def day(text: str) -> Day | None:
    """
    Read a text as a date, without deciding whether the day or the month is first.

    >>> day("31.12.2024"), day("3/4/24 10:15"), day("31.02.2024"), day("1.2.3")
    (Day(orders=('dmy',), time=None), Day(orders=('dmy', 'mdy'), time='10:15'), None, None)
    """
    text = text.strip()
    if len(text) > LONGEST:
        return None
    bare = re.sub(r"^[^\W\d_]+\.?,?[ ]+", "", text)
    match = _scalar_parts.match(bare) or _scalar_compact.match(bare)
    if match is None:
        return _named_day(text)
    orders = _orders(match["a"], match["b"], match["c"])
    return Day(orders, match["time"] or None) if orders else None


def _named_day(text: str) -> Day | None:
    parts = named(text)
    if not parts or not _exists(*parts[:3]):
        return None
    return Day(("dmy", "mdy", "ymd"), parts[3])


def _orders(a: str, b: str, c: str) -> tuple[DateOrder, ...]:
    first, two, three = int(a), int(b), int(c)
    if len(a) < 4 and len(c) == 1:
        return ()
    if first > 31:
        return ("ymd",) if _exists(first, two, three) else ()
    readings: list[tuple[DateOrder, bool]] = [
        ("dmy", _exists(three, two, first)),
        ("mdy", _exists(three, first, two)),
    ]
    return tuple(order for order, exists in readings if exists)


def _exists(year: int, month: int, day_: int) -> bool:
    year = year if year >= 100 else 2000 + year
    return 1 <= month <= 12 and 1 <= day_ <= monthrange(year, month)[1]


def named(text: str) -> tuple[int, int, int, str | None] | None:
    """
    Read a date with the month's name: year, month, day and the time after it.

    >>> named("3. März 2024"), named("Mar 3rd, 2024"), named("3 Foo 2024")
    ((2024, 3, 3, None), (2024, 3, 3, None), None)
    """
    match = _NAMED.match(text)
    if not match:
        return None
    first, second, third, time = match.group("first", "second", "third", "time")
    if month := month_number(second):
        number = first
    elif month := month_number(first):
        number = second
    if not month or not number.isdigit():
        return None
    if len(number) == 4 and len(third) == 2:
        number, third = third, number
    return (int(third), month, int(number), time)


def is_period(text: str) -> bool:
    """
    Return whether a text is a part of a date: a month of a year, a quarter, a day of a month.

    >>> [is_period(t) for t in ("März 2024", "2024-03", "Q1 2024", "12. Mai", "Zone 2024")]
    [True, True, True, True, False]
    """
    match = _PERIOD.match(text.strip())
    if not match:
        return False
    word = match["month"] or match["late"] or match["behind"]
    return word is None or month_number(word) is not None


@lru_cache(maxsize=65536)
def is_time(text: str) -> bool:
    """
    Return whether a text is a time of day.

    >>> [is_time(text) for text in ("23:59", "2:05 pm", "9 Uhr", "24:00", "14h30", "12")]
    [True, True, True, False, True, False]
    """
    clock = _scalar_zone.match(text.strip())
    match = _scalar_clock.match(clock["clock"]) if clock else None
    if not match or any(int(match[part] or 0) > 59 for part in "ms"):
        return False
    if match["half"]:
        return 1 <= int(match["h"]) <= 12
    worded = re.search(r"(?:uhr|h)$", text.strip(), re.IGNORECASE)
    return int(match["h"]) < 24 and bool(match["m"] or worded)
