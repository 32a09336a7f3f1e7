"""Dates in every common order, and which order a column has. Spec: columnType date, datetime."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.types.distinct import on_distinct
from tabular.types.parse_options import ParseOptions
from tabular.types.parsed import Parsed, faults, refused
from tabular.values.arrays import where
from tabular.values.date_columns import Days, numeric_parts
from tabular.values.dates import DateOrder, named

HELD = 200_000  # distinct texts that wait for their tally


@dataclass(frozen=True, slots=True)
class DateTally:
    """How many dates can only be day first, only month first, or either (03/04/2024)."""

    dmy: int = 0
    mdy: int = 0
    either: int = 0
    dotted: int = 0  # of either: written 3.4.2024, which is never month first

    def __add__(self, other: "DateTally") -> "DateTally":
        return DateTally(
            self.dmy + other.dmy,
            self.mdy + other.mdy,
            self.either + other.either,
            self.dotted + other.dotted,
        )

    @property
    def likelier(self) -> DateOrder:
        """The order with more dates on its side; without any, the most common order worldwide."""
        return "mdy" if self.mdy > self.dmy else "dmy"

    @property
    def is_decided(self) -> bool:
        """Whether the column needs no question: one side prevails, or no date depends on it."""
        less, more = sorted((self.dmy, self.mdy))
        if more == 0:
            return self.either == self.dotted
        return less * 10 <= more


class DateCounter:
    """Counts the distinct dates of a column, batch by batch, and tallies each once."""

    def __init__(self) -> None:
        self._counted: list[pa.Table] = []
        self._tally = DateTally()
        self._size = 0

    def add(self, texts: pa.Array) -> None:
        """Count one batch. texts: n tidy strings."""
        counted = texts.value_counts()
        self._counted.append(pa.table({n: counted.field(n) for n in ("values", "counts")}))
        self._size += len(counted)
        if self._size > HELD:
            self.tally()

    def tally(self) -> DateTally:
        """Return what the dates counted so far mean."""
        if not self._counted:
            return self._tally
        table = pa.concat_tables(self._counted)
        if len(self._counted) > 1:
            grouped = table.group_by("values").aggregate([("counts", "sum")])
            table = grouped.rename_columns(["values", "counts"])
        distinct = table["values"].combine_chunks()
        self._tally += tally_dates(distinct, table["counts"].to_numpy())
        self._counted, self._size = [], 0
        return self._tally


def depend_on_order(texts: pa.Array) -> NDArray[np.bool_]:
    """Return which texts are another date with the month first. texts: n tidy strings."""
    (a, b, _), _ = numeric_parts(texts)
    return _reads_either_way(a, b)


def _reads_either_way(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.bool_]:
    mask: NDArray[np.bool_] = (a >= 1) & (a <= 12) & (b >= 1) & (b <= 12) & (a != b)
    return mask


def tally_dates(distinct: pa.Array, counts: NDArray[np.int64]) -> DateTally:
    """Count what dates say. distinct: n tidy strings. counts: how often each occurs."""
    (a, b, _), _ = numeric_parts(distinct)
    dated = (a >= 1) & (a <= 31) & (b >= 1) & (b <= 31)
    either = _reads_either_way(a, b)
    dots = np.zeros(len(distinct), dtype=bool)
    dots[where(pc.match_substring(distinct, "."))] = True

    def count(mask: np.ndarray) -> int:
        return int(counts[mask].sum())

    return DateTally(
        dmy=count(dated & (a > 12) & (b <= 12)),
        mdy=count(dated & (b > 12) & (a <= 12)),
        either=count(either),
        dotted=count(either & dots),
    )


_SERIAL = r"^[1-9][0-9]{4}(\.[0-9]+)?$"
_MIDNIGHT = (
    r"^0{1,2}[:.h]?(?:00)?(?:[:.]?00(?:[.,]0+)?)?[ ]?(?:Z|[+-]00:?00)?$|^12:00(?::00)?[ ]?[aA][mM]$"
)
EXCEL_EPOCH = date(1899, 12, 30)  # serial 0, for serials after the 29 February 1900 that never was


def read_date(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """
    Read dates. texts: n tidy strings. Returns n date32.

    A time of day other than midnight is dropped with the warning ``time_dropped``.
    """
    return on_distinct(
        texts,
        lambda distinct: _read_dates(distinct, parse_options, parse_options.date_order),
        parse_options.memory,
    )


def read_date_dmy(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read dates whose day comes first. texts: n tidy strings. Returns n date32."""
    return on_distinct(
        texts, lambda distinct: _read_dates(distinct, parse_options, "dmy"), parse_options.memory
    )


def read_date_mdy(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read dates whose month comes first. texts: n tidy strings. Returns n date32."""
    return on_distinct(
        texts, lambda distinct: _read_dates(distinct, parse_options, "mdy"), parse_options.memory
    )


def read_date_iso(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read dates whose year comes first (ISO 8601). texts: n tidy strings. Returns n date32."""

    def read(distinct: pa.Array) -> Parsed:
        year_first = pc.match_substring_regex(distinct, r"^[0-9]{4}([^0-9]|[0-9]{4}(T|$))")
        return _read_dates(distinct, parse_options, "ymd", only=year_first)

    return on_distinct(texts, read, parse_options.memory)


def _read_dates(
    texts: pa.Array, parse_options: ParseOptions, order: DateOrder, only: pa.Array = None
) -> Parsed:
    wanted = texts if only is None else pc.if_else(only, texts, None)
    values, times = dates_and_times(wanted, parse_options=parse_options, order=order)
    midnight = pc.match_substring_regex(times, _MIDNIGHT)
    dropped = where(pc.and_(pc.is_valid(values), pc.invert(midnight)))
    return Parsed(
        values,
        faults("not_a_date", refused(texts, values)) + faults("time_dropped", dropped, "warning"),
    )


def dates_and_times(
    texts: pa.Array, *, parse_options: ParseOptions, order: DateOrder
) -> tuple[pa.Array, pa.Array]:
    """
    Read the day and return the time of day as text.

    texts: n strings. Returns n date32, null for an invalid day, and n strings: the text after the
    day, null without a time.
    """
    parts, times = numeric_parts(texts)
    days, valid = days_of(*_in_order(*parts, order=order), parse_options.today)
    _add_serials(texts, days, valid, times)
    _add_named(texts, days, valid, times, parse_options.today)
    values = pa.array(np.where(valid, days, 0).astype(np.int32), mask=~valid).cast(pa.date32())
    return values, pa.array(times, pa.string())


def _in_order(a: Days, b: Days, c: Days, *, order: DateOrder) -> tuple[Days, Days, Days]:
    year_first = (a > 31) | (order == "ymd")
    day, month = (b, a) if order == "mdy" else (a, b)
    return np.where(year_first, a, c), np.where(year_first, b, month), np.where(year_first, c, day)


def days_of(year: Days, month: Days, day: Days, today: date) -> tuple[Days, NDArray[np.bool_]]:
    """Count days since 1970, and return which dates exist. year, month, day: n each."""
    newest = today.year + 19
    century = newest - newest % 100 + year
    year = np.where(year >= 100, year, np.where(century > newest, century - 100, century))
    fits = (month >= 1) & (month <= 12) & (day >= 1)
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
    lettered = pc.and_(
        pc.match_substring_regex(texts, r"[^0-9 ./:,+-]{3}"), pc.less(pc.binary_length(texts), 80)
    )
    rows = [row for row in where(lettered) if not valid[row]]
    read = [(row, named(texts[int(row)].as_py())) for row in rows]
    known = [(row, parts) for row, parts in read if parts]
    if not known:
        return
    at = np.array([row for row, _ in known])
    year, month, day = (np.array([parts[i] for _, parts in known], np.int64) for i in range(3))
    days[at], valid[at] = days_of(year, month, day, today)
    for row, parts in known:
        times[row] = parts[3]
