"""Rows as arrays."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from staging import arrays

NUMBERS = st.lists(st.integers(0, 50), max_size=40)


@given(st.lists(NUMBERS, max_size=3))
def test_each_number_comes_once_and_in_order(lists):
    rows = arrays.ascending(*(np.array(item, np.int64) for item in lists))

    assert rows.tolist() == sorted({number for item in lists for number in item})
    assert rows.dtype == np.int64


@pytest.mark.parametrize("rows", [[], [7], [7, 7]])
def test_few_numbers(rows):
    assert arrays.ascending(np.array(rows, np.int64)).tolist() == sorted(set(rows))


@pytest.mark.parametrize(
    ("chunks", "type_", "bytes_"),
    [
        ([["a", None], ["éé", "", "xyz"]], pa.string(), [1, 0, 4, 0, 3]),
        ([[["a", "bc"], []], [None, ["é"], ["d", None]]], pa.list_(pa.string()), [3, 0, 0, 2, 1]),
        ([[1, 2], [3, 4, 5]], pa.int64(), [0, 0, 0, 0, 0]),
        ([[], ["a"], [None, "b", "c", ""]], pa.string(), [1, 0, 1, 1, 0]),
    ],
)
def test_the_bytes_of_texts_are_told_without_reading_them(chunks, type_, bytes_):
    column = pa.chunked_array([pa.array(chunk, type_) for chunk in chunks], type_)
    rows = np.array([4, 0, 2, 3, 1])

    assert arrays.text_bytes(column, rows).tolist() == [bytes_[row] for row in rows]
    assert arrays.text_bytes(column.slice(1), rows[rows > 0] - 1).tolist() == [
        bytes_[row] for row in rows if row > 0
    ]
