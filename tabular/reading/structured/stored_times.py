"""Days, times and durations that Stata, SAS and SPSS store as numbers, by a column's format."""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_right
from collections.abc import Callable

from tabular.reading.workbook.texts import text_of

Convert = Callable[[float], str]

_SPSS = dt.datetime(1582, 10, 14)  # noqa: DTZ001 -- no zone is stored
_SAS = dt.datetime(1960, 1, 1)  # noqa: DTZ001 -- also Stata's
_DAY = 86_400

# Formats without their width. Each applies to a day, a moment or a time only, whatever it shows.
_SPSS_DAY = re.compile(r"(?:[AEJS]?DATE|QYR|MOYR|WKYR)[\d.]*")
_SPSS_MOMENT = re.compile(r"(?:DATETIME|YMDHMS)[\d.]*")
_SPSS_TIME = re.compile(r"[DM]?TIME[\d.]*")
_SAS_DAY = re.compile(
    r"(?:DATE|(?:DDMMYY|MMDDYY|YYMMDD|MMYY|YYMM|YYQ|YYQR)[BCDNPS]?|YYMON|YYWEEK[UVW]|MONYY|WEEK[UVW]"
    r"|WORDDAT[EX]|WEEKDAT[EX]|JULIAN|JULDAY|NENGO|MINGUO|YEAR|QTRR?|MONTH|MONNAME|DAY|DOWNAME"
    r"|WEEKDAY|[EB]8601DA|IS8601DA|NLDATE[A-Z]*|EURDF(?:DD|DE|DN|DWN|DMN|MN|MY|WDX|WKX))[\d.]*"
)
_SAS_MOMENT = re.compile(
    r"(?:DATETIME|DATEAMPM|MDYAMPM|DTDATE|DTMONYY|DTWKDATX|DTYEAR|DTYYQC"
    r"|[EB]8601D[TNZX]|IS8601DT|NLDATM[A-Z]*|EURDFDT)[\d.]*"
)
_SAS_TIME = re.compile(
    r"(?:TIME|HHMM|HOUR|MMSS|TOD|TIMEAMPM|[EB]8601TM|IS8601TM|NLTIM[A-Z]*)[\d.]*"
)
_STATA_CLOCK = re.compile(r"%-?t[cC](?:[Hh]{2}|[Mm]{2}|[Ss]{2}|\.s+|[:_ ]|[aA]\.?[mM]\.?)+")
_STATA = re.compile(r"%-?(?:t([cCdwmqhy])|(d)).*")
_PADDED = re.compile(r"(?:N|Z|%0)(\d+)(?:\.0?f?)?")

# Years before whose January or July a leap second was inserted (IERS): %tC counts them.
_JANUARIES = (
    1973,
    1974,
    1975,
    1976,
    1977,
    1978,
    1979,
    1980,
    1988,
    1990,
    1991,
    1996,
    1999,
    2006,
    2009,
    2017,
)
_JULIES = (1972, 1981, 1982, 1983, 1985, 1992, 1993, 1994, 1997, 2012, 2015)
_LEAP_DAYS = sorted(
    [dt.datetime(year, 1, 1) for year in _JANUARIES]  # noqa: DTZ001 -- no zone is stored
    + [dt.datetime(year, 7, 1) for year in _JULIES]  # noqa: DTZ001 -- no zone is stored
)
_LEAPS = [(day - _SAS).total_seconds() + count for count, day in enumerate(_LEAP_DAYS)]


def converter_of(file_format: str, stored: str) -> Convert | None:
    """
    Return what turns a number into the text of its day or time; None for a plain number.

    stored: the column's format as the file has it.

    >>> converter_of("sav", "DATE11")(13933900800.0), converter_of("xpt", "DATE9")(23497.0)
    ('2024-05-01', '2024-05-01')
    >>> converter_of("dta", "%tm")(772.0), converter_of("sav", "F8.2")
    ('2024-05-01', None)
    """
    if padded := _PADDED.fullmatch(stored):
        return _padded(int(padded[1]))
    if file_format == "sav":
        return _by_format(stored, (_SPSS_DAY, _SPSS_MOMENT, _SPSS_TIME), (_spss, _spss, _time))
    if file_format == "dta":
        return _stata(stored)
    return _by_format(stored, (_SAS_DAY, _SAS_MOMENT, _SAS_TIME), (_days, _seconds, _time))


def _by_format(
    stored: str, formats: tuple[re.Pattern[str], ...], converters: tuple[Convert, ...]
) -> Convert | None:
    pairs = zip(formats, converters, strict=True)
    return next((convert for shape, convert in pairs if shape.fullmatch(stored.upper())), None)


def _padded(width: int) -> Convert:
    """Return what keeps the leading zeros of whole numbers, as in a postal code."""

    def convert(value: float) -> str:
        return f"{int(value):0{width}}" if value.is_integer() and value >= 0 else text_of(value)

    return convert


def _stata(stored: str) -> Convert | None:
    if _STATA_CLOCK.fullmatch(stored):
        return lambda value: _time(value / 1000)
    if (shape := _STATA.fullmatch(stored)) is None:
        return None
    return {
        "c": lambda value: _seconds(value / 1000),
        "C": lambda value: _seconds(_without_leaps(value / 1000)),
        "d": _days,
        "w": lambda value: _day_of_year(value, 52, days=7),
        "m": lambda value: _day_of_year(value, 12, months=1),
        "q": lambda value: _day_of_year(value, 4, months=3),
        "h": lambda value: _day_of_year(value, 2, months=6),
        "y": None,  # the number is the year
    }[shape[1] or shape[2]]


def _spss(value: float) -> str:
    return _moment(_SPSS, value)


def _seconds(value: float) -> str:
    return _moment(_SAS, value)


def _days(value: float) -> str:
    return _moment(_SAS, value * _DAY)


def _moment(origin: dt.datetime, seconds: float) -> str:
    """Return a moment; the number itself where no calendar has its year."""
    try:
        return text_of(origin + dt.timedelta(milliseconds=round(seconds * 1000)))
    except OverflowError:
        return text_of(seconds)


def _time(seconds: float) -> str:
    length = dt.timedelta(milliseconds=round(seconds * 1000))
    if 0 <= seconds < _DAY:
        return text_of((_SAS + length).time())
    return text_of(length)


def _day_of_year(count: float, of_a_year: int, *, days: int = 0, months: int = 0) -> str:
    """Return the first day of a period that is counted from 1960."""
    year, place = divmod(int(count), of_a_year)
    try:
        first = dt.date(1960 + year, 1 + place * months, 1)
    except ValueError:
        return text_of(count)
    return text_of(first + dt.timedelta(days=place * days))


def _without_leaps(seconds: float) -> float:
    return seconds - bisect_right(_LEAPS, seconds)
