"""Typed Arrow columns to texts in one spelling, with the kind of their cells."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tabular.model.kinds import Kind
from tabular.reading.workbook.texts import number_text, plain_text, text_of

if TYPE_CHECKING:
    import pyarrow as pa

_DEPTH = 20  # of nested records


def flat_columns(batch: pa.RecordBatch) -> list[tuple[str, Any]]:
    """Give the columns of a batch, records by dotted path."""
    return [
        leaf
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
        for leaf in _leaves(name, column, 0)
    ]


def _leaves(name: str, column: Any, depth: int) -> Iterator[tuple[str, Any]]:
    import pyarrow as pa

    if isinstance(column.type, pa.BaseExtensionType):
        column = column.storage
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not pa.types.is_struct(column.type) or not column.type.num_fields or depth == _DEPTH:
        yield name, column
        return
    for field, inner in zip(column.type, column.flatten(), strict=True):
        yield from _leaves(f"{name}.{field.name}", inner, depth + 1)


def kind_of(type_: pa.DataType) -> Kind:
    """Say what the cells of a column are."""
    import pyarrow as pa

    is_ = pa.types
    if is_.is_integer(type_) or is_.is_floating(type_) or is_.is_decimal(type_):
        return Kind.NUMBER
    if is_.is_boolean(type_):
        return Kind.BOOLEAN
    if is_.is_date(type_) or is_.is_timestamp(type_):
        return Kind.DATE
    if is_.is_time(type_):
        return Kind.TIME
    return Kind.DURATION if is_.is_duration(type_) else Kind.TEXT


def texts_of(column: Any) -> Any:
    """Write a column's values as texts. column: n values. Returns n strings, "" as null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    is_, type_ = pa.types, column.type
    if is_.is_null(type_):
        return pa.nulls(len(column), pa.string())
    if is_.is_string(type_) or is_.is_large_string(type_) or is_.is_string_view(type_):
        texts = column.cast(pa.string())
        return pc.if_else(pc.equal(pc.binary_length(texts), 0), None, texts)
    if is_.is_binary(type_) or is_.is_large_binary(type_) or is_.is_fixed_size_binary(type_):
        return texts_of(column.cast(pa.binary()).cast(pa.string()))
    if is_.is_integer(type_) or is_.is_boolean(type_) or is_.is_date32(type_):
        return column.cast(pa.string())
    if getattr(type_, "unit", "") == "ns":  # Python has no nanoseconds
        column = column.cast(_in_microseconds(type_), safe=False)
    return pa.array([_text(value, type_) for value in column.to_pylist()], pa.string())


def _in_microseconds(type_: Any) -> pa.DataType:
    import pyarrow as pa

    if pa.types.is_timestamp(type_):
        return pa.timestamp("us", type_.tz)
    return pa.duration("us") if pa.types.is_duration(type_) else pa.time64("us")


def _text(value: Any, type_: pa.DataType) -> str | None:
    import pyarrow as pa

    if value is None:
        return None
    if isinstance(value, float):
        return _float(value, type_)
    if pa.types.is_decimal(type_):
        return str(plain_text(str(value)))
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(text_of(value)) or None


def _float(value: float, type_: pa.DataType) -> str | None:
    if value != value:  # not a number: nothing was there
        return None
    is_single = type_.bit_width < 64
    return str(plain_text(f"{value:.7g}") if is_single else number_text(value))
