"""``required`` and its eight conditional forms. Spec: validation > required_*."""

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.catalog import Catalog, Validation
from tabular.model.i_json import MAX_SAFE_INTEGER, Scalar
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import read_column
from tabular.types.rows import TypedRows
from tabular.validating.rule import RowRule, params_json, path_of, severity_of


def plainly_required(path: str, validation: Validation | None, catalog: Catalog) -> RowRule:
    """Compile ``required``: the field needs a text, readable or not."""
    severity = severity_of(validation) if validation else "error"
    return RowRule(
        path,
        "required",
        severity,
        lambda rows: _blank(rows, path),
        params_json(validation),
        frozenset({path}),
    )


def _blank(rows: TypedRows, path: str) -> pa.Array:
    return pc.invert(rows.filled(path))


def conditional(path: str, validation: Validation, catalog: Catalog) -> RowRule:
    """
    Compile a conditional form.

    ``with``: any of the columns is filled (or has one of the values); ``with_all``: all are;
    ``without``: at least one is not; ``without_all``: none is.
    """
    kind = validation.validate_
    wanted = _conditions(path, validation, catalog)

    def breaks(rows: TypedRows) -> pa.Array:
        met = [_holds(rows, other, values) for other, values in wanted.items()]
        return pc.and_(_blank(rows, path), _due(kind, met, len(rows)))

    params = params_json(validation, columns=[_key(catalog, other) for other in wanted])
    return RowRule(path, kind, severity_of(validation), breaks, params, frozenset({path, *wanted}))


def _key(catalog: Catalog, path: str) -> str:
    field = catalog.fields_by_path[path]
    return field.label or field.key


def _conditions(
    path: str, validation: Validation, catalog: Catalog
) -> dict[str, tuple[Scalar, ...] | None]:
    named: dict[str, Any] = dict.fromkeys(validation.columns or ())
    if validation.validate_.endswith("_values"):
        named = dict(validation.column_values or {})
    return {
        other: values if isinstance(values, tuple | None) else (values,)
        for name, values in named.items()
        if (other := path_of(name, beside=path, catalog=catalog)) in catalog.live_fields and other
    }


def _holds(rows: TypedRows, path: str, values: tuple[Scalar, ...] | None) -> pa.Array:
    if values is None:
        return rows.filled(path)
    return pc.or_(is_one_of(rows.values[path], values), is_one_of(rows.texts[path], values))


def is_one_of(column: pa.Array, values: Sequence[Scalar]) -> pa.Array:
    """
    Return which values equal one of some scalars, compared as the column's type. Returns n bool.
    """
    if pa.types.is_list(column.type):
        wanted = {str(value) for value in values}
        masks = [
            bool(items) and not wanted.isdisjoint(map(str, items)) for items in column.to_pylist()
        ]
        return pa.array(masks, pa.bool_())
    as_column = [typed for value in values if (typed := _as(value, column.type)) is not None]
    if not as_column:
        return pa.array(np.zeros(len(column), dtype=bool))
    return pc.is_in(column, value_set=pa.array(as_column, column.type))


def _as(value: Scalar, type_: pa.DataType) -> Any:
    """Return a scalar as the column's type, or None if that is not possible."""
    if pa.types.is_boolean(type_) != isinstance(value, bool) and not pa.types.is_string(type_):
        return None
    if isinstance(value, bool) and pa.types.is_string(type_):
        return "true" if value else "false"
    if pa.types.is_time(type_):
        return _time(str(value))
    try:
        return pa.scalar(str(value), pa.string()).cast(type_).as_py()
    except pa.ArrowInvalid:
        return _whole(value) if pa.types.is_integer(type_) else None


def _time(text: str) -> Any:
    return read_column(pa.array([text]), "time_hms", ParseOptions()).values[0].as_py()


def _whole(value: Scalar) -> int | None:
    """Return the whole number that a float is; JSON cannot distinguish 1.0 from 1."""
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) <= MAX_SAFE_INTEGER
    return int(value) if is_whole else None


def _due(kind: str, met: list[pa.Array], length: int) -> pa.Array:
    if not met:
        return pa.array(np.zeros(length, dtype=bool))
    any_, all_ = reduce(pc.or_, met), reduce(pc.and_, met)
    match kind.removeprefix("required_").removesuffix("_values"):
        case "with":
            return any_
        case "with_all":
            return all_
        case "without":
            return pc.invert(all_)
    return pc.invert(any_)
