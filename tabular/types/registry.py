"""The 30 names of column types, each with its reader and its Arrow type."""

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.catalog import ColumnType, Field
from tabular.types.families import codes, dates, numbers, options, phones, texts, times
from tabular.types.parse_options import ParseOptions
from tabular.types.parsed import Fault, Parsed, tidy
from tabular.values.arrays import Rows, where
from tabular.values.doubt import doubted

Reader = Callable[[pa.Array, ParseOptions], Parsed]

READERS: dict[ColumnType, Reader] = {
    "string": texts.read_string,
    "int": numbers.read_int,
    "float": numbers.read_float,
    "percentage": numbers.read_percentage,
    "boolean": options.read_boolean,
    "category": options.read_category,
    "date": dates.read_date,
    "date_dmy": dates.read_date_dmy,
    "date_mdy": dates.read_date_mdy,
    "date_iso": dates.read_date_iso,
    "datetime": times.read_datetime,
    "time_hms": times.read_time_hms,
    "time_hms_24": times.read_time_hms_24,
    "time_hm": times.read_time_hm,
    "time_hm_24": times.read_time_hm_24,
    "url": texts.read_url,
    "url_www": texts.read_url_www,
    "url_https": texts.read_url_https,
    "phone": phones.read_phone,
    "iban": codes.read_iban,
    "bic": codes.read_bic,
    "vat_eu": codes.read_vat_eu,
    "gtin": codes.read_gtin,
    "country_code_alpha_2": codes.read_alpha_2,
    "country_code_alpha_3": codes.read_alpha_3,
    "currency_code": numbers.read_currency_code,
    "email": texts.read_email,
    "zip_code_de": texts.read_zip_code_de,
    "currency_eur": numbers.read_currency_eur,
    "currency_usd": numbers.read_currency_usd,
}
ARROW_TYPES: dict[ColumnType, pa.DataType] = {
    "int": pa.int64(),
    "float": pa.float64(),
    "percentage": pa.float64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "date_dmy": pa.date32(),
    "date_mdy": pa.date32(),
    "date_iso": pa.date32(),
    "time_hms": pa.time32("s"),
    "time_hms_24": pa.time32("s"),
    "time_hm": pa.time32("s"),
    "time_hm_24": pa.time32("s"),
    "currency_eur": numbers.MONEY,
    "currency_usd": numbers.MONEY,
}


def read_column(texts: pa.Array, column_type: ColumnType, parse_options: ParseOptions) -> Parsed:
    """
    Read one column.

    texts: n strings as they are in the file, null for an empty cell. Returns n values of the column
    type, with the faults.
    """
    return read_tidy(tidy(texts), column_type, parse_options)


def read_tidy(texts: pa.Array, column_type: ColumnType, parse_options: ParseOptions) -> Parsed:
    """Read one column whose texts are tidy: trimmed, null if nothing is left."""
    if parse_options.options and column_type != "category":
        return options.read_options(texts, parse_options, lambda t, h: read_tidy(t, column_type, h))
    parsed = READERS[column_type](texts, parse_options)
    return _without_doubted(texts, parsed) if column_type in HEARS_DOUBT else parsed


# Readers that would read past a mark of doubt. Numbers, codes and addresses refuse most texts with
# one, text fields keep them, and ``OptionBook`` decides what is an option.
HEARS_DOUBT: frozenset[ColumnType] = frozenset(
    {
        *("date", "date_dmy", "date_mdy", "date_iso", "datetime"),
        *("time_hms", "time_hms_24", "time_hm", "time_hm_24"),
        *("country_code_alpha_2", "country_code_alpha_3", "currency_code", "phone", "boolean"),
    }
)


def _without_doubted(texts: pa.Array, parsed: Parsed) -> Parsed:
    """Discard what was read from a text with a mark of doubt: a user decides."""
    is_doubted = pc.fill_null(doubted(texts), False)
    rows = where(pc.and_(is_doubted, parsed.values.is_valid()))
    if not len(rows):
        return parsed
    values = pc.if_else(is_doubted, None, parsed.values)
    others = (Fault(f.code, _but(f.rows, rows), f.severity) for f in parsed.faults)
    kept = tuple(fault for fault in others if len(fault.rows))
    return Parsed(values, (*kept, Fault("doubtful_value", rows)))


def _but(rows: Rows, without: Rows) -> Rows:
    return np.setdiff1d(rows, without, assume_unique=True)


def takes_options(field: Field) -> bool:
    """
    Return whether a field's values are options: it has some, whatever its type, or is a category.
    """
    return field.column_type == "category" or bool(field.dropdown_options)


def arrow_type(field: Field, parse_options: ParseOptions) -> pa.DataType:
    """Return the Arrow type of a field's values."""
    if field.column_type != "category" and not parse_options.options:
        type_ = ARROW_TYPES.get(field.column_type, pa.string())
        return numbers.MONEY if parse_options.currency else type_
    single = parse_options.book.type
    return pa.list_(single) if parse_options.multi_select else single
