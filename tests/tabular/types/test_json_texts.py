"""The JSON of values: what every reader keeps exactly."""

import json
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.types.value_texts import json_texts


@pytest.mark.parametrize(
    ("values", "written"),
    [
        (
            pa.array([2**53 - 1, -(2**53) + 1, 2**53, -(2**63), None]),
            [
                "9007199254740991",
                "-9007199254740991",
                '"9007199254740992"',
                '"-9223372036854775808"',
                None,
            ],
        ),
        (pa.array([0.1, 12.0, 1e22, 1e-7]), ["0.1", "12", "1e+22", "1e-7"]),
        (
            pa.array(
                [
                    Decimal("100"),
                    Decimal("0"),
                    Decimal("-0.05"),
                    Decimal("12345678901234.5"),
                    Decimal("123456789012345.5"),
                ],
                pa.decimal128(38, 4),
            ),
            ["100", "0", "-0.05", "12345678901234.5", '"123456789012345.5"'],
        ),
        (pa.array([True, None]), ["true", None]),
        (pa.array([["a", 'b"'], [], None], pa.list_(pa.string())), ['["a","b\\""]', "[]", None]),
        (pa.array([[1, 2**60]], pa.list_(pa.int64())), ['[1,"1152921504606846976"]']),
        (pa.array(["a", "b", "a"]).dictionary_encode(), ['"a"', '"b"', '"a"']),
    ],
)
def test_values_become_json(values, written):
    assert json_texts(values).to_pylist() == written


@given(st.lists(st.one_of(st.none(), st.text(max_size=8)), max_size=6), st.integers(0, 6))
def test_any_text_reads_back_from_its_json(texts, start):
    values = pa.array(texts, pa.string()).slice(start)

    written = json_texts(values).to_pylist()

    assert [None if text is None else json.loads(text) for text in written] == texts[start:]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=6))
def test_any_number_reads_back_from_its_json(numbers):
    written = json_texts(pa.array(numbers, pa.float64())).to_pylist()

    assert [float(json.loads(text)) for text in written] == numbers
