"""``compare``: a field against a column, a constant, a sum or a product. Spec: validation.

Two numbers are compared as decimals of twelve significant digits, so that 0.1 + 0.2 equals 0.3;
dates, instants and times by their order in time; texts by code point. A missing part never breaks
the rule: ``required`` decides whether a cell must be filled."""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.catalog import Catalog, ColumnType, Field, Validation
from tabular.types.parse_options import OptionBook, ParseOptions
from tabular.types.registry import read_column, takes_options
from tabular.types.rows import TypedRows
from tabular.validating.rule import RowRule, params_json, path_of, severity_of
from tabular.values.arrays import COMPARISONS

Kind = Literal["number", "date", "time", "truth", "text"]
Part = Callable[[TypedRows], pa.Array]

KINDS: dict[ColumnType, Kind] = {
    "int": "number",
    "float": "number",
    "percentage": "number",
    "currency_eur": "number",
    "currency_usd": "number",
    "date": "date",
    "date_dmy": "date",
    "date_mdy": "date",
    "date_iso": "date",
    "datetime": "date",
    "time_hms": "time",
    "time_hms_24": "time",
    "time_hm": "time",
    "time_hm_24": "time",
    "boolean": "truth",
}
NEARLY = 1e-12  # relative difference below which two numbers are equal


def kind_of(field: Field) -> Kind:
    """Return how a field's values are compared."""
    if takes_options(field):
        types = {option.type for option in field.dropdown_options or ()}
        return "number" if types and "string" not in types else "text"
    return KINDS.get(field.column_type, "text")


def compare(path: str, validation: Validation, catalog: Catalog) -> RowRule:
    """Compile ``compare``."""
    kind = kind_of(catalog.fields_by_path[path])
    others = other_paths(path, validation, catalog)
    right = _right(path, validation, catalog, kind)
    op = validation.op or "eq"

    def breaks(rows: TypedRows) -> pa.Array:
        left = comparable(rows.values[path], kind)
        return pc.invert(ordered(left, right(rows), op))

    params = params_json(validation, op=op, other=_named(validation, others, catalog))
    reads = frozenset({path, *others})
    return RowRule(path, "compare", severity_of(validation), breaks, params, reads)


def other_paths(path: str, validation: Validation, catalog: Catalog) -> list[str]:
    """Return the fields that a comparison reads besides its own."""
    names = validation.columns or ((validation.column,) if validation.column else ())
    paths = [path_of(name, beside=path, catalog=catalog) for name in names]
    return [other for other in paths if other in catalog.live_fields and other]


def _named(validation: Validation, others: list[str], catalog: Catalog) -> Any:
    if not others:
        return validation.value
    labels = [catalog.fields_by_path[o].label or catalog.fields_by_path[o].key for o in others]
    return (" × " if validation.fn == "product" else " + ").join(labels)


def _right(path: str, validation: Validation, catalog: Catalog, kind: Kind) -> Part:
    others = other_paths(path, validation, catalog)
    if validation.columns:
        combine = _product if validation.fn == "product" else _sum
        return lambda rows: combine([comparable(rows.values[other], "number") for other in others])
    if others:
        return lambda rows: comparable(rows.values[others[0]], kind)
    constant = comparable(constant_of(catalog.fields_by_path[path], validation.value), kind)[0]
    return lambda rows: constant


def constant_of(field: Field, value: Any) -> pa.Array:
    """Read a rule's constant as a value of the field. Returns one value, null if it is invalid."""
    text = None if value is None else str(value)
    if isinstance(value, bool):
        text = "true" if value else "false"
    if takes_options(field):
        book = OptionBook(field.dropdown_options or (), exact=True, custom=False)
        return pa.array([book.typed(value)], book.type)
    parse_options = ParseOptions(date_order="ymd", bare_percent="fraction")
    return read_column(pa.array([text], pa.string()), field.column_type, parse_options).values


def comparable(values: pa.Array, kind: Kind) -> pa.Array:
    """Convert values of one kind to one Arrow type. Returns n values."""
    if kind == "number":
        return pc.cast(values, pa.float64(), safe=False)
    if kind == "date":
        return _instants(values)
    if kind == "text" and not pa.types.is_string(values.type):
        return pc.cast(values, pa.string())
    return values


def _instants(values: pa.Array) -> pa.Array:
    if not pa.types.is_string(values.type):
        return pc.cast(values, pa.timestamp("s", "UTC"))
    zoned = pc.match_substring_regex(values, r"(Z|[+-][0-9]{2}:[0-9]{2})$")
    marked = pc.if_else(zoned, values, pc.binary_join_element_wise(values, "Z", ""))
    return pc.cast(marked, pa.timestamp("s", "UTC"))


def _sum(parts: list[pa.Array]) -> pa.Array:
    """Add the parts; an empty part counts as nothing unless all are empty."""
    some = np.any([part.is_valid().to_numpy(zero_copy_only=False) for part in parts], axis=0)
    filled = [pc.fill_null(part, 0.0).to_numpy(zero_copy_only=False) for part in parts]
    return pa.array(np.sum(filled, axis=0), mask=~some)


def _product(parts: list[pa.Array]) -> pa.Array:
    total = parts[0]
    for part in parts[1:]:
        total = pc.multiply(total, part)
    return total


def ordered(left: pa.Array, right: Any, op: str) -> pa.Array:
    """Return where ``left op right`` holds; null if a part is missing."""
    if not pa.types.is_floating(left.type):
        return COMPARISONS[op](left, right)
    difference = pc.subtract(left, right)
    size = pc.max_element_wise(pc.abs(left), pc.abs(right), skip_nulls=False)
    near = pc.less_equal(pc.abs(difference), pc.multiply(size, NEARLY))
    rounded = pc.if_else(near, 0.0, difference)
    return COMPARISONS[op](rounded, 0.0)
