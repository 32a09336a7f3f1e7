"""Whether two spellings in JSON are one value of a field."""

import json

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.model.catalog import Field
from tabular.resolving.spellings import are_same, empty, say_the_same


def same(first, second, **field):
    texts = [None if value is None else json.dumps(value) for value in (first, second)]
    left, right = (pa.array([text], pa.string()) for text in texts)
    return bool(are_same(left, right, Field(key="f", **field))[0])


ALIKE = [
    ("string", None, "", None),
    ("string", None, [], None),
    ("string", "5", 5, None),
    ("float", 12.5, "12.50", None),
    ("float", 12.5, "12.5 ", None),
    ("float", 1000, 1e3, None),
    ("int", "9007199254740993", 9007199254740993, None),
    ("percentage", 0.125, "0.1250", None),
    ("boolean", True, 1, None),
    ("boolean", False, "false", None),
    ("date", "2026-01-05", "2026-01-05T00:00:00Z", None),
    ("date", "2026-01-05", "2026-01-05 00:00:00", None),
    ("date", "2026-01-05", "2026-01-05T00:00:00+02:00", None),
    ("date", "0001-01-01", "0001-01-01T00:00:00+01:00", None),
    ("date_dmy", "2026-01-05", "2026-01-05T00:00:00.000+00:00", None),
    ("datetime", "2026-01-05T10:00:00", "2026-01-05T10:00:00.000Z", None),
    ("datetime", "2026-01-05T10:00:00+01:00", "2026-01-05T09:00:00Z", None),
    ("time_hm", "10:00", "10:00:00", None),
    ("iban", "DE89370400440532013000", "de89 3704 0044 0532 0130 00", None),
    ("phone", "+493012345", "+49 30 12345", None),
    ("float", "1.234,50", 1234.5, "#.##0,00"),
    ("date", "05.01.2026", "2026-01-05", "DD.MM.YYYY"),
    ("date", "05.01.2026", "2026-01-05T00:00:00Z", "DD.MM.YYYY"),
    ("datetime", "05.01.2026 10:00", "2026-01-05T10:00:00Z", "DD.MM.YYYY HH:mm"),
    ("datetime", "05.01.2026 10:00", "2026-01-05T10:00:00+01:00", "DD.MM.YYYY HH:mm"),
    ("time_hm", "1000", "10:00", "HHmm"),
    ("percentage", "12.5 %", 0.125, "0.0 %"),
    ("boolean", "yes", True, "yes/no"),
    ("iban", "DE89 3704 0044 0532 0130 00", "DE89370400440532013000", "grouped"),
]
APART = [
    ("string", "Rom", "rom", None),
    ("string", "007", 7, None),
    ("string", None, 0, None),
    ("boolean", None, False, None),
    ("float", 12.5, "12.51", None),
    ("float", 12.5, "on request", None),
    ("float", 12.5, "NaN", None),
    ("int", "9007199254740993", "9007199254740992", None),
    ("int", 10**25, 10**25 + 1, None),
    ("date", "2026-01-05", "2026-01-05T23:00:00Z", None),
    ("date", "2026-01-05", "soon", None),
    ("datetime", "2026-01-05T10:00:00", "2026-01-05T10:00:01", None),
    ("float", "1.234,50", 1234.6, "#.##0,00"),
    ("float", "1.234", "1", "#.##0"),
    ("date", "05.01.2026", "2026-05-01", "DD.MM.YYYY"),
    ("boolean", "no", True, "yes/no"),
    ("float", "12", 12.4, "0"),
    ("datetime", "05.01.2026", "2026-01-05T15:30:00", "DD.MM.YYYY"),
    ("datetime", "05.01.2026 10:00", "2026-01-05T11:00:00+01:00", "DD.MM.YYYY HH:mm"),
    ("date", "01.2026", "2026-01-20", "MM.YYYY"),
    ("time_hms", "10:00", "10:00:30", "HH:mm"),
    ("date", "9999-12-31", "9999-12-31T23:59:59-05:00", None),
]


@pytest.mark.parametrize(("column_type", "first", "second", "pattern"), ALIKE)
def test_a_value_is_the_same_however_it_is_spelled(column_type, first, second, pattern):
    assert same(first, second, column_type=column_type, output_format=pattern)
    assert same(second, first, column_type=column_type, output_format=pattern)


@pytest.mark.parametrize(("column_type", "first", "second", "pattern"), APART)
def test_another_value_is_another_one(column_type, first, second, pattern):
    assert not same(first, second, column_type=column_type, output_format=pattern)
    assert not same(second, first, column_type=column_type, output_format=pattern)


def test_lists_are_compared_item_by_item():
    assert same([1, "2.0"], ["1", 2], column_type="float")
    assert not same([1, 2], [2, 1], column_type="float")


def test_which_values_are_empty():
    texts = pa.array([None, '""', "[]", "null", "0", "false", '" "'])

    assert empty(texts).tolist() == [True, True, True, True, False, False, False]


def test_entities_are_compared_by_the_types_of_their_fields():
    fields = {"fee": Field(key="fee", column_type="float")}

    assert say_the_same({"fee": "12.50", "x": None}, {"fee": 12.5}, fields)
    assert not say_the_same({"fee": "12.50", "x": "1.0"}, {"fee": 12.5, "x": 1}, fields)


MOMENTS = st.datetimes(timezones=st.none() | st.timezones()).map(lambda at: at.isoformat())
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | MOMENTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
TYPES = ["string", "int", "float", "boolean", "date", "datetime", "time_hms", "iban", "phone"]


@given(
    first=JSON,
    second=JSON,
    column_type=st.sampled_from(TYPES),
    pattern=st.sampled_from([None, "0", "#.##0,00", "DD.MM.YYYY", "MM.YYYY HH", "hh:mm", "yes/no"]),
)
def test_any_two_values_are_compared_and_each_is_itself(first, second, column_type, pattern):
    about = {"column_type": column_type, "output_format": pattern}

    assert same(first, first, **about)
    assert same(first, second, **about) == same(second, first, **about)
