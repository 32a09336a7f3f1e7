"""Times of day, and instants. Spec: columnType time_*, datetime."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.distinct import on_distinct
from tabular.types.families.dates import dates_and_times
from tabular.types.parse_options import ParseOptions
from tabular.types.parsed import Parsed, faults, refused
from tabular.values.arrays import where
from tabular.values.dates import CLOCK, ZONE

_SHARE = r"^(?:0|0?\.[0-9]+)$"  # a spreadsheet's share of a day
DAY_S = 86_400


def read_time_hms(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read times, 12 or 24 hours, seconds kept. texts: n tidy strings. Returns n time32[s]."""
    return on_distinct(
        texts, lambda distinct: _read(distinct, twelve=True, seconds=True), parse_options.memory
    )


def read_time_hms_24(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read times of 24 hours, seconds kept. texts: n tidy strings. Returns n time32[s]."""
    return on_distinct(
        texts, lambda distinct: _read(distinct, twelve=False, seconds=True), parse_options.memory
    )


def read_time_hm(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read times, 12 or 24 hours, to the minute. texts: n tidy strings. Returns n time32[s]."""
    return on_distinct(
        texts, lambda distinct: _read(distinct, twelve=True, seconds=False), parse_options.memory
    )


def read_time_hm_24(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read times of 24 hours, to the minute. texts: n tidy strings. Returns n time32[s]."""
    return on_distinct(
        texts, lambda distinct: _read(distinct, twelve=False, seconds=False), parse_options.memory
    )


def _read(texts: pa.Array, *, twelve: bool, seconds: bool) -> Parsed:
    clock, rest = clock_seconds(texts, twelve=twelve)
    kept = clock if seconds else clock - clock % 60
    values = _times(kept)
    shortened = np.flatnonzero((clock >= 0) & ((kept != clock) | rest)).astype(np.int64)
    return Parsed(
        values,
        faults("not_a_time", refused(texts, values))
        + faults("time_shortened", shortened, "warning"),
    )


def _times(seconds: np.ndarray) -> pa.Array:
    missing = seconds < 0
    return pa.array(np.where(missing, 0, seconds).astype(np.int32), mask=missing).cast(
        pa.time32("s")
    )


def clock_seconds(texts: pa.Array, *, twelve: bool) -> tuple[np.ndarray, np.ndarray]:
    """
    Read times of day.

    texts: n strings. twelve: AM and PM are accepted. Returns n seconds since midnight, -1 for an
    invalid time, and n booleans: a fraction of a second was dropped.
    """
    parts = pc.extract_regex(texts, CLOCK)
    hour, minute, second, fraction = (_number(pc.struct_field(parts, name)) for name in "hmsf")
    half = pc.ascii_lower(pc.struct_field(parts, "half"))
    marked = _mask(pc.greater(pc.binary_length(half), 0))
    has_minute = _mask(pc.greater(pc.binary_length(pc.struct_field(parts, "m")), 0))
    after_noon = _mask(pc.starts_with(half, "p"))
    good = _mask(pc.is_valid(pc.struct_field(parts, "h"))) & (minute < 60) & (second < 60)
    in_twelve = marked & (hour >= 1) & (hour <= 12) & twelve
    named = _mask(pc.match_substring_regex(texts, "(?i)uhr|h$"))
    good &= np.where(marked, in_twelve, (hour < 24) & (has_minute | named))
    hour = np.where(marked, hour % 12 + 12 * after_noon, hour)
    total = np.where(good, hour * 3600 + minute * 60 + second, -1)
    return _with_shares(texts, total), good & (fraction > 0)


def _with_shares(texts: pa.Array, total: np.ndarray) -> np.ndarray:
    rows = where(pc.match_substring_regex(texts, _SHARE))
    if len(rows):
        shares = pc.cast(texts.take(pa.array(rows)), pa.float64()).to_numpy(zero_copy_only=False)
        total[rows] = np.round(shares * DAY_S).astype(np.int64) % DAY_S
    return total


def _number(texts: pa.Array) -> np.ndarray:
    filled = pc.if_else(pc.greater(pc.binary_length(texts), 0), texts, "0")
    numbers = pc.cast(pc.fill_null(filled, "0"), pa.int64()).to_numpy(zero_copy_only=False)
    return np.array(numbers)


def _mask(mask: pa.Array) -> np.ndarray:
    return np.array(pc.fill_null(mask, False).to_numpy(zero_copy_only=False))


def read_datetime(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """
    Read instants: a date of any common form, a time of day, and a zone if one is written.

    texts: n tidy strings. Returns n strings of RFC 3339, ``2024-01-31T13:05:00`` and the zone as it
    was written, if any: a time without a zone stays without one. A bare date is midnight.
    """
    return on_distinct(
        texts, lambda distinct: _read_datetime(distinct, parse_options), parse_options.memory
    )


def _read_datetime(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    days, times = dates_and_times(
        texts, parse_options=parse_options, order=parse_options.date_order
    )
    cut = pc.extract_regex(times, ZONE)
    clock, zone = pc.struct_field(cut, "clock"), pc.struct_field(cut, "zone")
    seconds, shortened = clock_seconds(_punctuated(clock), twelve=True)
    seconds = np.where(_mask(pc.is_null(times)), 0, seconds)
    parts = (pc.cast(days, pa.string()), pc.cast(_times(seconds), pa.string()))
    written = pc.binary_join_element_wise(*parts, "T")
    values = pc.binary_join_element_wise(written, pc.fill_null(_offset(zone), ""), "")
    lost = np.flatnonzero(shortened & _mask(pc.is_valid(values))).astype(np.int64)
    return Parsed(
        values,
        faults("not_a_datetime", refused(texts, values))
        + faults("time_shortened", lost, "warning"),
    )


def _punctuated(clock: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(clock, r"^([0-9]{2})([0-9]{2})([0-9]{2})?", r"\1:\2:\3")


def _offset(zone: pa.Array) -> pa.Array:
    zone = pc.replace_substring_regex(zone, "^(?:z|UTC|GMT|[+-]00:?00)$", "Z")
    return pc.replace_substring_regex(zone, r"^([+-][0-9]{2})([0-9]{2})$", r"\1:\2")
