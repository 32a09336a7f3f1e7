"""Cells that a workbook holds as numbers, read by their kind and written again as texts."""

from datetime import date, time
from decimal import Decimal

import pyarrow as pa
import pytest

from tabular.model.catalog import IntOption
from tabular.model.table import Kind
from tabular.types.kinds import bare, read_cells, typed_again, written_as_text
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import read_column

EU = ParseOptions(number_format="eu", today=date(2026, 1, 2), region="DE")

CELLS = [
    ("float", "1234.5", Kind.NUMBER, 1234.5, None),
    ("float", "0.19", Kind.PERCENT, 0.19, None),
    ("int", "1234", Kind.NUMBER, 1234, None),
    ("percentage", "0.19", Kind.PERCENT, 0.19, None),
    ("percentage", "19", Kind.NUMBER, 0.19, None),
    ("percentage", "19", Kind.EURO, None, "not_a_percentage"),
    ("currency_eur", "1.5", Kind.EURO, Decimal("1.5"), None),
    ("currency_eur", "1.5", Kind.NUMBER, Decimal("1.5"), None),
    ("currency_eur", "1.5", Kind.DOLLAR, None, "other_currency"),
    ("currency_usd", "1.5", Kind.DOLLAR, Decimal("1.5"), None),
    ("currency_eur", "0.5", Kind.PERCENT, None, "not_an_amount"),
    ("date", "45322", Kind.NUMBER, date(2024, 1, 31), None),
    ("datetime", "45322.5", Kind.NUMBER, "2024-01-31T12:00:00", None),
    ("boolean", "1", Kind.NUMBER, True, None),
    ("time_hms", "0.5", Kind.NUMBER, time(12), None),
    ("time_hms", "8.5", Kind.NUMBER, None, "not_a_time"),
    ("string", "0.19", Kind.PERCENT, "19 %", None),
    ("string", "1234.5", Kind.NUMBER, "1234.5", None),
    ("gtin", "96385074", Kind.NUMBER, "96385074", None),
]


@pytest.mark.parametrize(("column_type", "text", "kind", "value", "code"), CELLS)
def test_a_number_of_a_workbook_is_read_by_its_kind(column_type, text, kind, value, code):
    texts, kinds = pa.array([text, None]), pa.array([kind, Kind.TEXT], pa.int8())

    parsed = read_cells(texts, kinds, column_type, EU)

    assert parsed.values.to_pylist() == [value, None]
    assert [(f.code, f.rows.tolist()) for f in parsed.faults] == ([(code, [0])] if code else [])


@pytest.mark.parametrize(
    ("column_type", "text", "kind", "value"),
    [(*case[:3], case[3]) for case in CELLS if case[4] is None],
)
def test_a_number_is_written_as_a_person_would_type_it(column_type, text, kind, value):
    texts, kinds = pa.array([text]), pa.array([kind], pa.int8())

    typed = typed_again(texts, kinds, column_type, EU)

    assert read_column(typed, column_type, EU).values.to_pylist() == [value]


def test_texts_among_numbers_are_read_as_the_column_writes():
    texts = pa.array(["1.234,5", "1234.5", "x", None, "y"])
    kinds = pa.array([Kind.TEXT, Kind.NUMBER, Kind.TEXT, Kind.TEXT, Kind.EURO], pa.int8())

    parsed = read_cells(texts, kinds, "float", EU)

    assert parsed.values.to_pylist() == [1234.5, 1234.5, None, None, None]
    assert [(f.code, f.rows.tolist()) for f in parsed.faults] == [("not_a_number", [2, 4])]


def test_only_texts_say_how_a_column_writes():
    texts = pa.array(["1.234", "1.234", "19"])
    kinds = pa.array([Kind.TEXT, Kind.NUMBER, Kind.PERCENT], pa.int8())

    assert written_as_text(texts, kinds).to_pylist() == ["1.234", None, None]
    assert bare(texts, kinds).to_pylist() == ["1.234", "1.234", None]
    assert (
        written_as_text(texts, None)
        is bare(texts, None)
        is typed_again(texts, None, "int", EU)
        is texts
    )


def test_a_number_may_be_an_option():
    how = ParseOptions(options=(IntOption(label="One", type="int", value=1),))
    kinds = pa.array([Kind.NUMBER], pa.int8())

    for column_type in ("category", "float"):
        assert read_cells(pa.array(["1"]), kinds, column_type, how).values.to_pylist() == [1]
