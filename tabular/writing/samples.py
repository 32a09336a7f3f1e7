"""Sample rows of a catalog, typed as an import delivers them, made without a file."""

from __future__ import annotations

from itertools import cycle, islice
from typing import TYPE_CHECKING

from tabular.model.amounts import currency_of_field
from tabular.model.catalog import Catalog, ColumnType, Field

if TYPE_CHECKING:
    import pyarrow as pa

TEXTS: dict[ColumnType, str] = {  # {n} counts the rows
    "string": "Sample {n}",
    "int": "{n}",
    "float": "{n}.5",
    "percentage": "12.5 %",
    "boolean": "yes",
    **dict.fromkeys(("date", "date_dmy", "date_mdy", "date_iso"), "2026-01-15"),
    "datetime": "2026-01-15T09:30:00Z",
    **dict.fromkeys(("time_hms", "time_hms_24"), "09:30:00"),
    **dict.fromkeys(("time_hm", "time_hm_24"), "09:30"),
    "email": "sample{n}@example.com",
    "url": "https://example.com/{n}",
    "url_www": "www.example.com/{n}",
    "url_https": "https://example.com/{n}",
    "phone": "+41446681800",
    "iban": "DE89370400440532013000",
    "bic": "DEUTDEFF",
    "vat_eu": "DE136695976",
    "gtin": "4006381333931",
    "zip_code_de": "10115",
    "country_code_alpha_2": "DE",
    "country_code_alpha_3": "DEU",
    "currency_code": "EUR",
    **dict.fromkeys(("currency_eur", "currency_usd"), "{n}.50"),
}


def sample_rows(catalog: Catalog, count: int) -> pa.RecordBatch:
    """
    Return ``count`` rows with a column of typed values per live field, by field path.

    A value is the field's example, one of its options, or a text of its type. It fits the type, but
    not each rule of the catalog. A field of which nothing is known, as a category without options,
    is null.
    """
    import pyarrow as pa

    columns = {path: _column(field, count) for path, field in catalog.live_fields.items()}
    return pa.record_batch(columns)


def _column(field: Field, count: int) -> pa.Array:
    import pyarrow as pa

    from tabular.types.parse_options import ParseOptions
    from tabular.types.registry import arrow_type, read_column

    parse_options = ParseOptions(
        number_format=field.number_format or "us",
        currency=currency_of_field(field),
        options=field.dropdown_options or (),
        multi_select=bool(field.is_multi_select),
    )
    for texts in (_examples(field, count), _texts(field, count)):
        values = read_column(pa.array(texts, pa.string()), field.column_type, parse_options).values
        if values.null_count < count:
            return values
    return pa.nulls(count, arrow_type(field, parse_options))


def _examples(field: Field, count: int) -> list[str | None]:
    is_unique = any(rule.validate_ == "unique" for rule in field.validations or ())
    return [None if is_unique else field.example] * count


def _texts(field: Field, count: int) -> list[str | None]:
    if field.dropdown_options:
        labels = cycle([option.label for option in field.dropdown_options])
        return list(islice(labels, count))
    template = TEXTS.get(field.column_type)
    return [template and template.format(n=number) for number in range(1, count + 1)]
