"""Values as a user would type them again: what an editor shows and what reads back."""

from decimal import Decimal

import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.catalog import ColumnType
from tabular.types.parse_options import ParseOptions
from tabular.types.parsed import per_distinct

NUMBERS = frozenset({"int", "float", "currency_eur", "currency_usd"})
TIMES_TO_THE_MINUTE = frozenset({"time_hm", "time_hm_24"})


def canonical_texts(
    values: pa.Array, column_type: ColumnType, parse_options: ParseOptions
) -> pa.Array:
    """
    Return texts that give the values again when they are read in the same way.

    values: n values of the type. Returns n strings: numbers with the column's own decimal separator
    and no grouping, percentages with their sign, dates and times as ISO 8601, options by value.
    """
    if pa.types.is_list(values.type):
        return pc.binary_join(
            pc.cast(values, pa.list_(pa.string())), parse_options.separator or ";"
        )
    if parse_options.options:
        return pc.cast(values, pa.string())
    if column_type in NUMBERS:
        return localised(_digits(values), parse_options)
    if column_type == "percentage":
        return percent_texts(_digits(values), parse_options)
    if column_type in TIMES_TO_THE_MINUTE:
        return pc.utf8_slice_codeunits(pc.cast(values, pa.string()), 0, 5)
    if pa.types.is_boolean(values.type):
        return pc.if_else(values, "true", "false")
    return pc.cast(values, pa.string())


def percent_texts(fractions: pa.Array, parse_options: ParseOptions) -> pa.Array:
    """Format fractions as percentages. fractions: n decimal numbers. Returns n strings."""
    return localised(per_distinct(fractions, _percent, pa.string()), parse_options)


def _digits(values: pa.Array) -> pa.Array:
    """Format numbers exactly and without an exponent."""
    texts = pc.cast(values, pa.string())
    if pc.any(pc.match_substring(texts, "e", ignore_case=True)).as_py():
        return per_distinct(texts, lambda text: f"{Decimal(text):f}", pa.string())
    return texts


def _percent(text: str) -> str:
    """
    Format a fraction as a percentage, exactly.

    >>> _percent("0.125"), _percent("0.0057"), _percent("0.29")
    ('12.5 %', '0.57 %', '29 %')
    """
    written = f"{Decimal(text).scaleb(2):f}"
    return f"{written.rstrip('0').rstrip('.') if '.' in written else written} %"


def localised(texts: pa.Array, parse_options: ParseOptions) -> pa.Array:
    """Format plain numbers with the column's own decimal separator. Returns n strings."""
    return pc.replace_substring(texts, ".", ",") if parse_options.number_format == "eu" else texts
