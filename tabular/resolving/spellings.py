"""
Whether two JSON values of a field are the same value, however a host spells it.

A host that stores what it got and repeats it may write ``"12.50"`` for 12.5, a day with a time of
midnight, 1 for true, or the number itself where an output format made a string of it. None of this
is a change by the host.
"""

import json
import re
from collections.abc import Callable, Hashable, Mapping
from datetime import UTC, datetime, time
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.model.catalog import Field
from tabular.types.output_formats import DATES, NUMBERS, TIMES, formatted, output_format_of

EMPTY: tuple[Any, ...] = (None, "", [])  # what says that there is no value
CODES = frozenset({"iban", "bic", "vat_eu", "gtin", "phone"})  # people group their characters
TRUTHS = {"true": True, "1": True, "false": False, "0": False}
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
    read = _READERS.get(kind, _text)

    def of(value: Any) -> Hashable:
        if value in EMPTY:
            return None
        if isinstance(value, list):
            return tuple(of(item) for item in value)
        if isinstance(value, dict):
            return json.dumps(value, sort_keys=True)
        if pattern is None:
            return read(value)
        return _as_written(value, kind, pattern)

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
    moment = _moment(value)
    if isinstance(moment, datetime) and moment.time() == time():
        return moment.date()
    return _text(value) if moment is None else moment


def _instant(value: Any) -> Hashable:
    moment = _moment(value)
    return _text(value) if moment is None else moment


def _moment(value: Any) -> datetime | None:
    """Return a moment of ISO 8601; one without an offset counts as UTC, and a day as its start."""
    try:
        read = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    if read is None or read.tzinfo is None:
        return None if read is None else read.replace(tzinfo=UTC)
    return read.astimezone(UTC)


def _time(value: Any) -> Hashable:
    try:
        return time.fromisoformat(value) if isinstance(value, str) else _text(value)
    except ValueError:
        return _text(value)


def _code(value: Any) -> Hashable:
    return _BETWEEN.sub("", _text(value)).upper()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _as_written(value: Any, kind: str, pattern: str) -> Hashable:
    """
    Return a value as an output format writes it.

    Only what is certainly no result of the format is written by it: a JSON number or truth, and a
    date or time of ISO 8601.
    """
    if kind in CODES:
        return _code(value)
    typed = _typed(value, kind)
    if typed is None:
        return _text(value)
    return str(formatted(typed, kind, pattern)[0].as_py())  # type: ignore[arg-type]  # a type


def _typed(value: Any, kind: str) -> pa.Array | None:
    """Return a value as an array of one, as its column has it; None if it has another type."""
    if kind == "boolean":
        truth = value if isinstance(value, bool) else None
        return None if truth is None else pa.array([truth])
    if kind in NUMBERS:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return pa.array([str(Decimal(str(value)))]) if is_number else None
    if kind in TIMES:
        read = _time(value)
        return pa.array([read], pa.time32("s")) if isinstance(read, time) else None
    moment = _moment(value)
    if moment is None:
        return None
    if kind in DATES:
        return pa.array([moment.date()]) if moment.time() == time() else None
    return pa.array([moment.replace(tzinfo=None).isoformat(timespec="seconds")])


_READERS: Mapping[str, Callable[[Any], Hashable]] = {
    **dict.fromkeys(NUMBERS, _number),
    **dict.fromkeys(DATES, _day),
    **dict.fromkeys(TIMES, _time),
    **dict.fromkeys(CODES, _code),
    "boolean": _truth,
    "datetime": _instant,
}
