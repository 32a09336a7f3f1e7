"""Answers are what DRF's own renderer writes."""

import json
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.renderers import JSONRenderer

from common.http.json_answers import JsonAnswer
from tabular.model.sentences import Sentence

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text() | st.decimals(allow_nan=False, allow_infinity=False) | st.datetimes() | st.dates(),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text() | st.integers(), inner, max_size=3)
    | st.tuples(inner),
    max_leaves=10,
)  # fmt: skip


@given(value=VALUES)
def test_any_answer_has_the_same_values(value):
    ours, usual = (renderer().render({"value": value}) for renderer in (JsonAnswer, JSONRenderer))

    assert json.loads(ours) == json.loads(usual)


@pytest.mark.parametrize(
    "value",
    [
        {"at": datetime(2026, 1, 2, 3, 4, 5, 678_901, UTC), "day": date(2026, 1, 2)},
        {"time": time(1, 2, 3), "span": timedelta(hours=1), "id": UUID(int=7)},
        {"price": Decimal("1.10"), "big": 2**70, 3: "a number as a name"},
        {"text": "a\u2028b\u2029c </script> \x7f \x00 ä €", "words": Sentence("{n} rows", n=2)},
        {"generated": (number for number in range(3)), "pair": (1, 2)},
        [],
        "",
        None,
    ],
)
def test_it_is_written_byte_for_byte_the_same(value):
    again = {**value, "generated": iter(range(3))} if _is_generated(value) else value

    assert JsonAnswer().render(value) == JSONRenderer().render(again)


def _is_generated(value):
    return isinstance(value, dict) and "generated" in value


def test_an_indentation_that_is_asked_for_is_written():
    indented = "application/json; indent=2"

    assert JsonAnswer().render({"a": [1]}, indented) == JSONRenderer().render({"a": [1]}, indented)
    assert b"\n  " in JsonAnswer().render({"a": [1]}, indented)
