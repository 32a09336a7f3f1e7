"""Dates in every common order. Spec: columnType date, date_dmy, date_mdy, date_iso, datetime.

Accepted: year first (ISO 8601, RFC 3339, basic form), day or month first with ``. / - `` or blanks,
month names in sixteen languages, spreadsheet serials of the 1900 system. A two-digit year lies
within 80 years before and 19 years after "today" (``How.today``).
"""

import re
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.types.distinct import on_distinct
from tabular.types.how import DateOrder, How
from tabular.types.month_names import month_number
from tabular.types.parsed import Parsed, faults, refused, where

Days = NDArray[np.int64]

# Three numbers, or two around a month's name; what follows is a time of day.
_PARTS = (
    r"^(?P<a>[0-9]{1,4})[ ]?[./\- ][ ]?(?P<b>[0-9]{1,2})[ ]?[./\- ][ ]?"
    r"(?P<c>[0-9]{1,4})\.?(?:[T ,]+(?P<time>[0-9]{1,2}[:.h].*))?$"
)
_COMPACT = r"^(?P<a>(?:19|20)[0-9]{2})(?P<b>[0-9]{2})(?P<c>[0-9]{2})(?:T(?P<time>[0-9]{4,}.*))?$"
_SERIAL = r"^[1-9][0-9]{4}(\.[0-9]+)?$"
_NAMED = re.compile(
    r"^(?:[^\W\d_]{2,12}\.?,?\s+)??(?P<first>\d{1,4}|[^\W\d_]{3,12})"
    r"(?:\.|st|nd|rd|th|º|er|-|/|,)*\s*(?:de |of |d')?\s*"
    r"(?P<second>[^\W\d_]{3,12}|\d{1,2})(?:\.|st|nd|rd|th|-|/|,)*\s*(?:de |del |of )?\s*"
    r"(?P<third>\d{2,4})\.?(?:[T ,]+(?P<time>\d{1,2}[:.h].*))?$",
    re.IGNORECASE,
)
_MIDNIGHT = (
    r"^0{1,2}[:.h]?(?:00)?(?:[:.]?00(?:[.,]0+)?)?[ ]?(?:Z|[+-]00:?00)?$|^12:00(?::00)?[ ]?[aA][mM]$"
)
EXCEL_EPOCH = date(1899, 12, 30)  # serial 0, for serials after the 29 February 1900 that never was


def read_date(texts: pa.Array, how: How) -> Parsed:
    """
    Read dates. texts: n tidy strings. Returns n date32.

    A time of day other than midnight is dropped with the warning ``time_dropped``.
    """
    return on_distinct(
        texts, lambda distinct: _read_dates(distinct, how, how.date_order), how.memory
    )


def read_date_dmy(texts: pa.Array, how: How) -> Parsed:
    """Read dates whose day comes first. texts: n tidy strings. Returns n date32."""
    return on_distinct(texts, lambda distinct: _read_dates(distinct, how, "dmy"), how.memory)


def read_date_mdy(texts: pa.Array, how: How) -> Parsed:
    """Read dates whose month comes first. texts: n tidy strings. Returns n date32."""
    return on_distinct(texts, lambda distinct: _read_dates(distinct, how, "mdy"), how.memory)


def read_date_iso(texts: pa.Array, how: How) -> Parsed:
    """Read dates whose year comes first (ISO 8601). texts: n tidy strings. Returns n date32."""

    def read(distinct: pa.Array) -> Parsed:
        year_first = pc.match_substring_regex(distinct, r"^[0-9]{4}([^0-9]|[0-9]{4}(T|$))")
        return _read_dates(distinct, how, "ymd", only=year_first)

    return on_distinct(texts, read, how.memory)


def _read_dates(texts: pa.Array, how: How, order: DateOrder, only: pa.Array = None) -> Parsed:
    wanted = texts if only is None else pc.if_else(only, texts, None)
    values, times = dates_and_times(wanted, how=how, order=order)
    midnight = pc.match_substring_regex(times, _MIDNIGHT)
    dropped = where(pc.and_(pc.is_valid(values), pc.invert(midnight)))
    return Parsed(
        values,
        faults("not_a_date", refused(texts, values)) + faults("time_dropped", dropped, "warning"),
    )


def dates_and_times(texts: pa.Array, *, how: How, order: DateOrder) -> tuple[pa.Array, pa.Array]:
    """
    Read the day and leave the time of day.

    texts: n strings. Returns n date32, null where there is no such day, and n strings: what
    stood behind the day, null without a time.
    """
    parts, times = numeric_parts(texts)
    days, valid = days_of(*_in_order(*parts, order=order), how.today)
    _add_serials(texts, days, valid, times)
    _add_named(texts, days, valid, times, how.today)
    values = pa.array(np.where(valid, days, 0).astype(np.int32), mask=~valid).cast(pa.date32())
    return values, pa.array(times, pa.string())


def numeric_parts(texts: pa.Array) -> tuple[tuple[Days, Days, Days], NDArray[np.object_]]:
    """
    Cut dates of three numbers.

    texts: n strings. Returns three arrays of n numbers (0 where there is none) and n times of day.
    """
    texts = _without_weekday(texts)
    numbers = pc.extract_regex(texts, _PARTS)
    compact = pc.extract_regex(texts, _COMPACT)
    joined = {
        name: pc.coalesce(pc.struct_field(numbers, name), pc.struct_field(compact, name))
        for name in ("a", "b", "c", "time")
    }
    a, b, c = (_number(joined[name]) for name in "abc")
    width = pc.fill_null(pc.binary_length(joined["a"]), 0).to_numpy(zero_copy_only=False)
    a = np.where(width == 3, 0, a)  # no year has three digits, and no day has
    times = joined["time"]
    times = pc.if_else(pc.equal(pc.binary_length(times), 0), None, times)
    return (a, b, c), times.to_numpy(zero_copy_only=False)


def _without_weekday(texts: pa.Array) -> pa.Array:
    # The class of all letters takes RE2 milliseconds to compile; most columns hold no letter.
    if not pc.any(pc.match_substring_regex(texts, "^[^0-9]")).as_py():
        return texts
    return pc.replace_substring_regex(texts, r"^\pL+\.?,?[ ]+", "")


def _number(texts: pa.Array) -> Days:
    filled = pc.if_else(pc.greater(pc.binary_length(texts), 0), texts, "0")
    numbers: Days = pc.cast(pc.fill_null(filled, "0"), pa.int64()).to_numpy(zero_copy_only=False)
    return numbers


def _in_order(a: Days, b: Days, c: Days, *, order: DateOrder) -> tuple[Days, Days, Days]:
    year_first = (a > 31) | (order == "ymd")
    day, month = (b, a) if order == "mdy" else (a, b)
    return np.where(year_first, a, c), np.where(year_first, b, month), np.where(year_first, c, day)


def days_of(year: Days, month: Days, day: Days, today: date) -> tuple[Days, NDArray[np.bool_]]:
    """Count days since 1970 and say which dates exist. year, month, day: n each."""
    newest = today.year + 19
    century = newest - newest % 100 + year
    year = np.where(year >= 100, year, np.where(century > newest, century - 100, century))
    fits = (year >= 1) & (year <= 9999) & (month >= 1) & (month <= 12) & (day >= 1)
    months = np.where(fits, (year - 1970) * 12 + month - 1, 0)
    first = months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    following = (months + 1).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    return first + day - 1, fits & (first + day <= following)


def _add_serials(
    texts: pa.Array, days: Days, valid: NDArray[np.bool_], times: NDArray[np.object_]
) -> None:
    rows = where(pc.match_substring_regex(texts, _SERIAL))
    if not len(rows):
        return
    serials = pc.cast(texts.take(pa.array(rows)), pa.float64()).to_numpy(zero_copy_only=False)
    whole = np.floor(serials).astype(np.int64)
    days[rows] = whole + (EXCEL_EPOCH - date(1970, 1, 1)).days
    valid[rows] = True
    for row, share in zip(rows, serials - whole, strict=True):
        seconds = round(float(share) * 86_400)
        times[row] = _clock(seconds) if seconds else None


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def _add_named(
    texts: pa.Array, days: Days, valid: NDArray[np.bool_], times: NDArray[np.object_], today: date
) -> None:
    named = pc.and_(
        pc.match_substring_regex(texts, r"[^0-9 ./:,+-]{3}"), pc.less(pc.binary_length(texts), 80)
    )
    rows = [row for row in where(named) if not valid[row]]
    read = [(row, _named(texts[int(row)].as_py())) for row in rows]
    known = [(row, parts) for row, parts in read if parts]
    if not known:
        return
    at = np.array([row for row, _ in known])
    year, month, day = (np.array([parts[i] for _, parts in known], np.int64) for i in range(3))
    days[at], valid[at] = days_of(year, month, day, today)
    for row, parts in known:
        times[row] = parts[3]


def _named(text: str) -> tuple[int, int, int, str | None] | None:
    """
    Read a date with the month's name.

    >>> _named("3. März 2024"), _named("Mar 3rd, 2024"), _named("3 Foo 2024")
    ((2024, 3, 3, None), (2024, 3, 3, None), None)
    """
    found = _NAMED.match(text)
    if not found:
        return None
    first, second, third, time = found.group("first", "second", "third", "time")
    if month := month_number(second):
        day = first
    elif month := month_number(first):
        day = second
    if not month or not day.isdigit():
        return None
    if len(day) == 4 and len(third) <= 2:
        day, third = third, day
    return (int(third), month, int(day), time)
