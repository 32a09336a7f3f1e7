"""Which values a column type accepts without change: the test behind each builtin detector."""

from datetime import date
from functools import lru_cache

import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.catalog import ColumnType
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import read_column
from tabular.values import Kind, judge

# A date with a two-digit year is a date in any century.
_HOWS = (
    ParseOptions(number_format="eu", date_order="dmy", today=date(2000, 1, 1)),
    ParseOptions(number_format="us", date_order="mdy", today=date(2000, 1, 1)),
)
_WRITTEN_TWO_WAYS: frozenset[ColumnType] = frozenset(
    {"int", "float", "percentage", "currency_eur", "currency_usd", "date", "datetime"}
)
_CODES: frozenset[ColumnType] = frozenset(
    {"country_code_alpha_2", "country_code_alpha_3", "currency_code"}
)


@lru_cache(maxsize=1024)
def accepted(values: tuple[str, ...], column_type: ColumnType) -> float:
    """
    Return the share of values that are of a type without conversion.

    A column is in one format and order, so the better of both counts. A value that the type has to
    complete, shorten or translate (``example.org`` for ``url_https``, ``DEU`` for the two-letter
    code) belongs to another type.

    >>> accepted(("DE", "at"), "country_code_alpha_2"), accepted(("DEU",), "country_code_alpha_2")
    (1.0, 0.0)
    >>> accepted(("31/12/2024",), "date_dmy"), accepted(("31/12/2024",), "date_mdy")
    (1.0, 0.0)
    """
    if not values:
        return 0.0
    if column_type == "category":
        return 1.0  # without its options, a category accepts any text
    parse_options = _HOWS if column_type in _WRITTEN_TWO_WAYS else _HOWS[:1]
    return max(_share(values, column_type, options) for options in parse_options)


def _share(values: tuple[str, ...], column_type: ColumnType, parse_options: ParseOptions) -> float:
    texts = pa.array(values, pa.string())
    parsed = read_column(texts, column_type, parse_options)
    good = parsed.values.is_valid().to_pylist()
    for fault in parsed.faults:
        for row in fault.rows.tolist():
            good[row] = False
    if column_type in _CODES:
        same = pc.equal(pc.utf8_upper(pc.utf8_trim_whitespace(texts)), parsed.values)
        good = [
            is_good and bool(alike) for is_good, alike in zip(good, same.to_pylist(), strict=True)
        ]
    if column_type == "phone":  # the country of a national number is determined later
        good = [
            is_good or judge(v).kind is Kind.PHONE for is_good, v in zip(good, values, strict=True)
        ]
    return float(sum(good) / len(values))
