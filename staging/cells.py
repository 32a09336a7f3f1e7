"""Typed values as JSON and back, exactly: what an edited cell holds while it waits in a row."""

from __future__ import annotations

from datetime import date, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa


def encoded(value: Any) -> Any:
    """
    Write one value as JSON has it.

    >>> encoded(Decimal("1.50"))
    '1.50'
    """
    if isinstance(value, list):
        return [encoded(item) for item in value]
    if isinstance(value, Decimal):
        return str(value)
    return value.isoformat() if isinstance(value, date | time) else value


def decoded(values: list[Any], type_: pa.DataType) -> pa.Array:
    """Read values that ``encoded`` wrote. values: n. Returns n values of the type."""
    import pyarrow as pa

    if pa.types.is_decimal(type_):
        return pa.array([None if v is None else Decimal(v) for v in values], type_)
    if pa.types.is_date(type_):
        return pa.array([None if v is None else date.fromisoformat(v) for v in values], type_)
    if pa.types.is_time(type_):
        return pa.array([None if v is None else time.fromisoformat(v) for v in values], type_)
    if pa.types.is_list(type_):
        parts = [None if v is None else decoded(v, type_.value_type).to_pylist() for v in values]
        return pa.array(parts, type_)
    return pa.array(values, type_)
