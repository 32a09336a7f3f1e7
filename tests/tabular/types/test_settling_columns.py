"""What a whole column says about its decimal separator, its dates and its percentages."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabular.types.families.dates import DateCounter
from tabular.types.families.numbers import NumberTally, tally_numbers, tally_shares
from tabular.values import numbers


@pytest.mark.parametrize(
    ("texts", "likelier", "is_decided"),
    [
        (["1.234,56", "1.234"], "eu", True),
        (["1,234.56", "1,234"], "us", True),
        (["1.234", "5.678"], "us", False),  # thousands or thousandths
        (["0.123"], "us", True),
        (["1.234.567"], "eu", True),
        (["12", "7"], "us", True),
        (["1,5"] * 20 + ["1.5"], "eu", True),  # one stray cell does not ask
        (["1,5", "1.5"], "us", False),
        (["5,50 €", None, "k.A."], "eu", True),
    ],
)
def test_a_column_settles_its_decimal_separator(texts, likelier, is_decided):
    tally = tally_numbers(pa.array(texts, pa.string()))

    assert (tally.likelier, tally.is_decided) == (likelier, is_decided)


@settings(max_examples=100)
@given(st.lists(st.text(alphabet="0123.,-€ ", max_size=9), max_size=6))
def test_the_short_cut_counts_like_the_grammar(texts):
    array = pa.array(texts, pa.string())
    bare = numbers.plain(array)
    eu, us = (np.array(numbers.fits(bare, f).to_pylist(), dtype=bool) for f in ("eu", "us"))
    separated = np.array(["." in t or "," in t for t in bare.to_pylist()], dtype=bool)

    tally = tally_numbers(array)

    assert (tally.eu, tally.us) == (int((eu & ~us).sum()), int((us & ~eu).sum()))
    assert tally.either <= int((eu & us).sum())
    assert tally.either >= int((eu & us & separated).sum())


def test_tallies_add_up():
    assert NumberTally(1, 2, 3) + NumberTally(4, 5, 6) == NumberTally(5, 7, 9)


@pytest.mark.parametrize(
    ("texts", "likelier", "is_decided"),
    [
        (["31.12.2024", "01.02.2024"], "dmy", True),
        (["12/31/2024", "01/02/2024"], "mdy", True),
        (["01/02/2024"], "dmy", False),
        (["01.02.2024"], "dmy", True),  # dots are day first everywhere
        (["2024-01-02"], "dmy", True),
        (["05/05/2024"], "dmy", True),  # the same either way
        (["3 March 2024"], "dmy", True),
    ],
)
def test_a_column_settles_the_order_of_its_dates(texts, likelier, is_decided):
    counter = DateCounter()
    counter.add(pa.array(texts[:1]))
    counter.add(pa.array(texts[1:], pa.string()))

    assert (counter.tally().likelier, counter.tally().is_decided) == (likelier, is_decided)


@pytest.mark.parametrize(
    ("texts", "meaning", "is_decided"),
    [
        (["0.19", "0,07"], "fraction", True),
        (["0.19", "0.07", "1.5"], "fraction", False),
        (["19", "0.5"], "percent", False),
        (["19", "7", "1", "1", "1"], "percent", True),  # whole numbers, no fraction among them
        (["19", "0", "0.0"], "percent", True),  # nothing is nothing
        (["19 %", "7 %"], "percent", True),
        (["19 %", "0.07"], "percent", False),
        (["19 %", "1"], "percent", False),
        (["19 %", "7"], "percent", True),
        (["1", "0"], "fraction", True),
        ([], "percent", True),
    ],
)
def test_bare_percentages_are_what_most_of_them_can_only_be(texts, meaning, is_decided):
    tally = tally_shares(pa.array(texts, pa.string()))

    assert (tally.meaning, tally.is_decided) == (meaning, is_decided)
