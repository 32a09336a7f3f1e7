"""docs/columntypes.md matches the code, byte for byte."""

from dataclasses import replace
from datetime import date

import orjson
import pyarrow as pa
import pytest

from tabular.model.amounts import currency_of_field
from tabular.model.catalog import Catalog, ColumnType, Field
from tabular.model.catalog_findings import check_catalog
from tabular.types.output_formats import output_format_of
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import read_column
from tabular.types.value_texts import json_texts
from tabular.validating.publishing import findings_of
from tests.tabular.docs.tables import examples_of, rows_of

READ = rows_of("columntypes.md", "columnType", "how", "text", "JSON")
FORMATS = rows_of("columntypes.md", "columnType", "outputFormat", "value", "JSON")
TYPES = rows_of("columntypes.md", "columnType", "JSON type", "form")
AMOUNTS = rows_of("columntypes.md", "outputFormat", "how", "text", "JSON", "issue")
TODAY = date(2026, 11, 20)
HOWS = {
    "": ParseOptions(today=TODAY),
    "eu": ParseOptions(today=TODAY, number_format="eu"),
    "us": ParseOptions(today=TODAY, number_format="us"),
    "dmy": ParseOptions(today=TODAY, date_order="dmy"),
    "mdy": ParseOptions(today=TODAY, date_order="mdy"),
    "DE": ParseOptions(today=TODAY, region="DE"),
    "US": ParseOptions(today=TODAY, region="US"),
}
KINDS = {str: "string", int: "number", float: "number", bool: "boolean"}


@pytest.mark.parametrize(("column_type", "how", "text", "written"), READ)
def test_the_page_shows_what_is_delivered(column_type, how, text, written):
    parsed = read_column(pa.array([text]), column_type, HOWS[how])

    if parsed.values.null_count:
        assert [fault.code for fault in parsed.faults] == [written]
    else:
        assert json_texts(parsed.values, column_type).to_pylist() == [written]


@pytest.mark.parametrize(("column_type", "pattern", "text", "written"), FORMATS)
def test_the_page_shows_what_an_output_format_writes(column_type, pattern, text, written):
    values = read_column(pa.array([text, None]), column_type, HOWS[""]).values

    assert json_texts(values, column_type, pattern).to_pylist() == [written, None]


@pytest.mark.parametrize(("pattern", "how", "text", "written", "code"), AMOUNTS)
def test_the_page_shows_what_an_amount_in_a_stated_currency_is(pattern, how, text, written, code):
    field = Field(key="it", column_type="float", output_format=pattern)
    how = replace(HOWS[how], currency=currency_of_field(field))
    parsed = read_column(pa.array([text]), "float", how)
    delivered = json_texts(parsed.values, "float", output_format_of(field)).to_pylist()

    assert delivered == [written or None]
    assert [fault.code for fault in parsed.faults] == ([code] if code else [])


def test_the_page_has_a_swiss_a_british_and_a_japanese_field():
    shown = examples_of("columntypes.md")
    entries = [{"id": example["outputFormat"], "fields": [example]} for example in shown]

    checked = check_catalog(orjson.dumps({"key": "t", "entries": entries}))

    assert isinstance(checked, Catalog)
    assert list(map(currency_of_field, checked.fields_by_path.values())) == ["CHF", "GBP", "JPY"]
    assert not findings_of(orjson.dumps({"key": "t", "entries": entries}))


def test_every_type_has_its_json_type_and_an_example():
    assert [row[0] for row in TYPES] == list(ColumnType.__args__)
    assert {row[0] for row in READ} == set(ColumnType.__args__) - {"category"}


@pytest.mark.parametrize(("column_type", "_how", "_text", "written"), READ)
def test_examples_have_the_json_type_the_page_names(column_type, _how, _text, written):
    named = {row[0]: row[1] for row in TYPES}
    if written.startswith(('"', "-", "t", "f")) or written[0].isdigit():
        assert KINDS[type(orjson.loads(written))] in named[column_type]
