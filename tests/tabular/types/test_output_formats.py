"""Values written by an output format, and the formats a type has. Spec: field > outputFormat."""

import pyarrow as pa
import pytest

from tabular.types.output_formats import is_output_format, write_number
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import read_column
from tabular.types.value_texts import json_texts, shown_texts

WRITTEN = [
    ("date", "5.3.2024", "DD.MM.YYYY", "05.03.2024"),
    ("date_iso", "2024-03-05", "D/M/YY", "5/3/24"),
    ("date_iso", "2024-03-05", "100 % YYYY", "100 % 2024"),
    ("time_hms", "1:05:09 pm", "HH:mm:ss", "13:05:09"),
    ("time_hm", "13:05", "h:mm A", "1:05 PM"),
    ("time_hm_24", "09:05", "hh.mm", "09.05"),
    ("datetime", "2024-03-05T13:05:09+02:00", "YYYY-MM-DD H:mm:ss", "2024-03-05 13:05:09"),
    ("int", "1234567", "#,##0", "1,234,567"),
    ("float", "-1234.565", "#.##0,00", "-1.234,56"),  # halves to even
    ("float", "2.5", "0", "2"),
    ("float", "12.5", "0.000", "12.500"),
    ("currency_eur", "1234.5", "#'##0.00", "1'234.50"),
    ("percentage", "12.5 %", "0.0 %", "12.5 %"),
    ("percentage", "12.5 %", "0.000", "0.125"),
    ("boolean", "no", "ja/nein", "nein"),
    ("boolean", "yes", "ja/nein", "ja"),
    ("phone", "030 12345678", "national", "030 12345678"),
    ("phone", "030 12345678", "international", "+49 30 12345678"),
    ("phone", "030 12345678", "e164", "+493012345678"),
    ("iban", "DE89370400440532013000", "grouped", "DE89 3704 0044 0532 0130 00"),
]


@pytest.mark.parametrize(("column_type", "text", "pattern", "written"), WRITTEN)
def test_a_value_is_delivered_and_shown_as_its_format_writes_it(
    column_type, text, pattern, written
):
    values = read_column(pa.array([text, None]), column_type, ParseOptions(region="DE")).values

    assert is_output_format(column_type, pattern)
    assert json_texts(values, column_type, pattern).to_pylist() == [f'"{written}"', None]
    assert shown_texts(values, column_type, pattern).to_pylist() == [written, None]


@pytest.mark.parametrize(
    ("column_type", "pattern"),
    [
        ("date", "HH:mm"),
        ("date", "..."),
        ("date", "DD of MMM"),
        ("time_hm", "YYYY"),
        ("datetime", "Q"),
        ("int", "0.0 %"),  # a share of a hundred is a percentage's
        ("float", "12"),
        ("boolean", "yes"),
        ("boolean", "yes/no/maybe"),
        ("phone", "grouped"),
        ("iban", "e164"),
        ("string", "DD"),
    ],
)
def test_a_format_of_another_type_is_none(column_type, pattern):
    assert not is_output_format(column_type, pattern)


@pytest.mark.parametrize(
    ("column_type", "text", "json", "shown"),
    [
        ("time_hm", "13:05", '"13:05"', "13:05"),
        ("time_hms", "13:05:09", '"13:05:09"', "13:05:09"),
        ("date_iso", "2024-03-05", '"2024-03-05"', "2024-03-05"),
        ("currency_eur", "1234.50", "1234.5", "1234.5"),
        ("string", 'say "x"', '"say \\"x\\""', 'say "x"'),
    ],
)
def test_without_a_format_a_value_is_canonical(column_type, text, json, shown):
    values = read_column(pa.array([text]), column_type, ParseOptions()).values

    assert json_texts(values, column_type).to_pylist() == [json]
    assert shown_texts(values, column_type).to_pylist() == [shown]


def test_the_values_of_a_list_are_shown_side_by_side():
    values = pa.array([["a", "b"], [], None, ["c", None]], pa.list_(pa.string()))

    assert shown_texts(values).to_pylist() == ["a, b", "", None, "c, "]
    assert shown_texts(pa.array(["a", "b", "a"]).dictionary_encode()).to_pylist() == ["a", "b", "a"]


@pytest.mark.parametrize(
    ("text", "pattern", "written"),
    [
        ("1e+300", "0.00", "1" + "0" * 300 + ".00"),
        ("-1e+300", "0", "-1" + "0" * 300),
        ("1e+30", "0.0 %", "1" + "0" * 32 + ".0 %"),
        ("123456789012345678901234567890", "#,##0", "123,456,789,012,345,678,901,234,567,890"),
    ],
)
def test_a_number_of_any_size_is_written_by_its_pattern(text, pattern, written):
    assert write_number(text, pattern) == written
