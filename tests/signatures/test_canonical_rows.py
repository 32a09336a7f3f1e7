"""A row has one spelling, the one of RFC 8785."""

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from signatures.canonical_rows import canonical_row

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SAFE = 2**53 - 1
cells = st.one_of(
    st.none(),
    st.booleans(),
    texts,
    st.integers(-SAFE, SAFE),
    st.floats(allow_nan=False, allow_infinity=False),
    st.decimals(-(10**9), 10**9, places=4).map(float),
    st.lists(texts | st.integers(-9, 9), max_size=3),
)


@given(st.dictionaries(texts, cells, max_size=6))
@example({"a": 1e-3, "b": 1e15, "c": 9.999e-4, "d": 1.5e15 + 0.5})
@example({"\U00010000": 1, "\uffff": 2})  # in another order by code points
@example({"a": -0.0, "b": 1e16, "c": 1e21, "d": 2.0**53})
def test_a_row_is_spelled_as_the_reference_spells_it(row):
    assert canonical_row(row) == rfc8785.dumps(row)


@pytest.mark.parametrize("cell", [2**53, float("nan"), float("inf")])
def test_a_number_without_a_canonical_form_is_refused(cell):
    with pytest.raises(ValueError, match=r".+"):
        canonical_row({"a": cell})
