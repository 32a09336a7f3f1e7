"""What a search finds besides delivered values: values by the labels people see."""

from collections.abc import Iterator

from imports.models import ImportRecord
from staging.views import Meant
from tabular.model.catalog import Field

ALPHA_2, ALPHA_3 = "country_code_alpha_2", "country_code_alpha_3"


def meant_by(record: ImportRecord, text: str, *, language: str) -> Meant:
    """Return the values of each field whose option label or country name contains a text."""
    from tabular.values.vocabularies import countries_named  # loads pyarrow

    if not text or record.catalog_version is None:
        return ()
    named = countries_named(text, language)
    fields = record.offered.live_fields.items()
    meanings = ((path, tuple(_values(field, text.casefold(), named))) for path, field in fields)
    return tuple((path, values) for path, values in meanings if values)


def _values(field: Field, text: str, named: tuple[str, ...]) -> Iterator[str | int | float]:
    for option in field.dropdown_options or ():
        if text in option.label.casefold():
            yield option.value
    if field.dropdown_options:
        return
    if field.column_type == ALPHA_2:
        yield from named
    if field.column_type == ALPHA_3:
        from tabular.values.vocabularies import alpha_3_codes

        yield from (alpha_3_codes()[code] for code in named)
