"""
Whether two JSON values of a field are the same value, however a host spells it.

A host that stores what it got and repeats it may write ``"12.50"`` for 12.5, a day with a time of
midnight, 1 for true, or the number itself where an output format made a string of it. None of this
is a change by the host.
"""

import json
import re
from collections.abc import Callable, Hashable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.model.catalog import Field
from tabular.types.output_formats import (
    DATES,
    NUMBERS,
    TIMES,
    calendar_directives,
    output_format_of,
    rounds,
    write_number,
)

EMPTY: tuple[Any, ...] = (None, "", [])  # what says that there is no value
CODES = frozenset({"iban", "bic", "vat_eu", "gtin", "phone"})  # people group their characters
TRUTHS = {"true": True, "1": True, "false": False, "0": False}
_NO_DAY = date(1900, 1, 1)  # that of a time which is read without a day
_BETWEEN = re.compile(r"[\s()./-]")


def are_same(left: pa.Array, right: pa.Array, field: Field) -> NDArray[np.bool_]:
    """
    Return for n pairs of JSON texts, null for none, whether they are the same value of a field.

    An empty string and an empty list mean the same as null.
    """
    both_null = pc.and_(pc.is_null(left), pc.is_null(right))
    alike = pc.or_(pc.fill_null(pc.equal(left, right), False), both_null)
    same: NDArray[np.bool_] = alike.to_numpy(zero_copy_only=False).copy()
    at = np.flatnonzero(~same)
    if len(at):
        reading, place = _reading(field), pa.array(at)
        pairs = zip(left.take(place).to_pylist(), right.take(place).to_pylist(), strict=True)
        same[at] = [reading(first) == reading(second) for first, second in pairs]
    return same


def empty(texts: pa.Array) -> NDArray[np.bool_]:
    """Return which of n JSON texts hold nothing: null, or an empty string or list."""
    is_empty = pc.or_(pc.is_null(texts), pc.is_in(texts, value_set=pa.array(['""', "[]", "null"])))
    mask: NDArray[np.bool_] = pc.fill_null(is_empty, True).to_numpy(zero_copy_only=False)
    return mask


def say_the_same(
    first: Mapping[str, Any], second: Mapping[str, Any], fields: Mapping[str, Field]
) -> bool:
    """
    Return whether two entities have the same values.

    fields: by key; a value of any other key is compared as it is.
    """
    return all(
        _has_same(first.get(key), second.get(key), fields.get(key)) for key in first.keys() | second
    )


def _has_same(first: Any, second: Any, field: Field | None) -> bool:
    if first == second or (first in EMPTY and second in EMPTY):
        return True
    if field is None:
        return False
    read = _reader(field)
    return bool(read(first) == read(second))


def _reading(field: Field) -> Callable[[str | None], Hashable]:
    read = _reader(field)

    @cache
    def reading(text: str | None) -> Hashable:
        return read(None if text is None else json.loads(text))

    return reading


def _reader(field: Field) -> Callable[[Any], Hashable]:
    kind, pattern = field.column_type, output_format_of(field)
    read = _READERS.get(kind, _text) if pattern is None else _writer(kind, pattern)

    def of(value: Any) -> Hashable:
        if value in EMPTY:
            return None
        if isinstance(value, list):
            return tuple(of(item) for item in value)
        if isinstance(value, dict):
            return json.dumps(value, sort_keys=True)
        return read(value)

    return of


def _number(value: Any) -> Hashable:
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return _text(value)
    return number if number.is_finite() else _text(value)


def _truth(value: Any) -> Hashable:
    text = _text(value)
    return TRUTHS.get(text.strip().lower(), text)


def _day(value: Any) -> Hashable:
    wall = _wall(value)
    return _instant(value) if wall is None or wall.time() != time() else wall.date()


def _instant(value: Any) -> Hashable:
    """Return a moment of ISO 8601; one without an offset counts as UTC, and a day as its start."""
    wall = _wall(value)
    if wall is None:
        return _text(value)
    offset = datetime.fromisoformat(value).utcoffset() or timedelta()
    try:
        return wall - offset
    except OverflowError:  # the first or the last day of the calendar
        return _text(value)


def _wall(value: Any) -> datetime | None:
    """Return the date and time that a text of ISO 8601 shows, whatever its offset is."""
    try:
        read = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return None if read is None else read.replace(tzinfo=None)


def _time(value: Any) -> Hashable:
    try:
        return time.fromisoformat(value) if isinstance(value, str) else _text(value)
    except ValueError:
        return _text(value)


def _code(value: Any) -> Hashable:
    return _BETWEEN.sub("", _text(value)).upper()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _writer(kind: str, pattern: str) -> Callable[[Any], Hashable]:
    """
    Return what writes a value as an output format does.

    Only what is certainly no result of the format is written by it: a JSON number or truth, and a
    date or time of ISO 8601. A value of which the format drops something equals no written one.
    """
    if kind in CODES:
        return _code
    if kind == "boolean":
        true, _, false = pattern.partition("/")
        return lambda value: (true if value else false) if isinstance(value, bool) else _text(value)
    if kind in NUMBERS:
        return lambda value: _written_number(value, pattern)
    directives = calendar_directives(pattern)
    return lambda value: _written_moment(value, kind, directives)


def _written_number(value: Any, pattern: str) -> Hashable:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _text(value)
    text = str(Decimal(str(value)))
    return (text, pattern) if rounds(text, pattern) else write_number(text, pattern)


def _written_moment(value: Any, kind: str, directives: str) -> Hashable:
    read = _time(value) if kind in TIMES else _wall(value)
    if not isinstance(read, time | datetime):
        return _text(value)
    moment = read if isinstance(read, datetime) else datetime.combine(_NO_DAY, read)
    text = moment.strftime(directives)
    try:
        again = datetime.strptime(text, directives.replace("%-", "%"))  # noqa: DTZ007 - it has no zone
    except ValueError:
        return (text, directives)
    return text if again == moment else (text, directives)


_READERS: Mapping[str, Callable[[Any], Hashable]] = {
    **dict.fromkeys(NUMBERS, _number),
    **dict.fromkeys(DATES, _day),
    **dict.fromkeys(TIMES, _time),
    **dict.fromkeys(CODES, _code),
    "boolean": _truth,
    "datetime": _instant,
}
