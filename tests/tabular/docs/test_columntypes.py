"""docs/columntypes.md says what the code does, byte for byte."""

from datetime import date

import orjson
import pyarrow as pa
import pytest

from tabular.model.catalog import ColumnType
from tabular.types import How, read_column
from tabular.types.value_texts import json_texts
from tests.tabular.docs.tables import rows_of

READ = rows_of("columntypes.md", "columnType", "how", "text", "JSON")
FORMATS = rows_of("columntypes.md", "columnType", "outputFormat", "value", "JSON")
TYPES = rows_of("columntypes.md", "columnType", "JSON type", "form")
TODAY = date(2026, 11, 20)
HOWS = {
    "": How(today=TODAY),
    "eu": How(today=TODAY, number_format="eu"),
    "us": How(today=TODAY, number_format="us"),
    "dmy": How(today=TODAY, date_order="dmy"),
    "mdy": How(today=TODAY, date_order="mdy"),
    "DE": How(today=TODAY, region="DE"),
    "US": How(today=TODAY, region="US"),
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


def test_every_type_has_its_json_type_and_an_example():
    assert [row[0] for row in TYPES] == list(ColumnType.__args__)
    assert {row[0] for row in READ} == set(ColumnType.__args__) - {"category"}


@pytest.mark.parametrize(("column_type", "_how", "_text", "written"), READ)
def test_examples_have_the_json_type_the_page_names(column_type, _how, _text, written):
    named = {row[0]: row[1] for row in TYPES}
    if written.startswith(('"', "-", "t", "f")) or written[0].isdigit():
        assert KINDS[type(orjson.loads(written))] in named[column_type]
