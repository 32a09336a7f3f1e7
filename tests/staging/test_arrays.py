"""Rows as arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from staging import arrays

NUMBERS = st.lists(st.integers(0, 50), max_size=40)


@given(st.lists(NUMBERS, max_size=3))
def test_each_number_comes_once_and_in_order(lists):
    found = arrays.ascending(*(np.array(one, np.int64) for one in lists))

    assert found.tolist() == sorted({number for one in lists for number in one})
    assert found.dtype == np.int64


@pytest.mark.parametrize("rows", [[], [7], [7, 7]])
def test_few_numbers(rows):
    assert arrays.ascending(np.array(rows, np.int64)).tolist() == sorted(set(rows))
