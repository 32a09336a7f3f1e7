"""Sample rows have a value of its type for every field, as an import would deliver it."""

import json
from typing import get_args

import pytest
from jsonschema import Draft202012Validator

from catalogs.json_schema import written_schema
from deliveries import payload
from tabular.model.catalog import Catalog, ColumnType
from tabular.types.output_formats import output_format_of
from tabular.writing.samples import sample_rows

OPTIONS = [{"type": "string", "label": "Open", "value": "open"},
           {"type": "string", "label": "Paid", "value": "paid"}]  # fmt: skip


def catalog_of(*fields: dict) -> Catalog:
    entry = {"id": "e", "fields": fields}
    return Catalog.model_validate_json(json.dumps({"key": "all", "entries": [entry]}))


def delivered(catalog: Catalog, count: int) -> list[dict]:
    """Return sample rows as in a delivery, by field key."""
    fields = catalog.live_fields
    types = {path: field.column_type for path, field in fields.items()}
    formats = {path: form for path, field in fields.items() if (form := output_format_of(field))}
    lines = payload.rows_as_lines(sample_rows(catalog, count), types, formats)
    rows = json.loads(b"[" + lines[1:] + b"]")
    return [{path.removeprefix("e."): value for path, value in row.items()} for row in rows]


@pytest.mark.parametrize("column_type", sorted(set(get_args(ColumnType)) - {"category"}))
def test_every_type_has_a_sample_that_its_schema_allows(column_type):
    catalog = catalog_of({"key": "f", "columnType": column_type, "required": True})

    rows = delivered(catalog, 2)

    schema = written_schema(catalog)["$defs"]["e"]
    assert [list(Draft202012Validator(schema).iter_errors(row)) for row in rows] == [[], []]


def test_samples_are_options_where_a_field_has_some():
    options = {"columnType": "category", "dropdownOptions": OPTIONS}
    catalog = catalog_of({"key": "a", **options}, {"key": "b", "isMultiSelect": True, **options})

    assert delivered(catalog, 3) == [
        {"a": "open", "b": ["open"]},
        {"a": "paid", "b": ["paid"]},
        {"a": "open", "b": ["open"]},
    ]


def test_an_example_is_taken_where_it_can_be_read_and_need_not_be_unique():
    unique = [{"validate": "unique", "regex": None, "columnValues": None}]
    catalog = catalog_of(
        {"key": "a", "columnType": "int", "example": "42"},
        {"key": "b", "columnType": "int", "example": "about 42"},
        {"key": "c", "columnType": "int", "example": "42", "validations": unique},
    )

    assert delivered(catalog, 2) == [{"a": 42, "b": 1, "c": 1}, {"a": 42, "b": 2, "c": 2}]


def test_values_are_written_in_the_output_format():
    catalog = catalog_of({"key": "a", "columnType": "date", "outputFormat": "DD.MM.YYYY"})

    assert delivered(catalog, 1) == [{"a": "15.01.2026"}]


def test_nothing_is_made_up_for_a_category_without_options():
    assert delivered(catalog_of({"key": "a", "columnType": "category"}), 1) == [{"a": None}]
