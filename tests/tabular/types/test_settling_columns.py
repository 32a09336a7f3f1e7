"""What a whole column shows about its decimal separator, its dates and its percentages."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabular.types.families.dates import DateCounter, DateTally
from tabular.types.families.numbers import NumberTally, ShareTally, tally_numbers, tally_shares
from tabular.values import number_columns
from tests.tries import tries


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


@settings(max_examples=tries(100))
@given(st.lists(st.text(alphabet="0123.,-€ ", max_size=9), max_size=6))
def test_the_short_cut_counts_like_the_grammar(texts):
    array = pa.array(texts, pa.string())
    bare = number_columns.plain(array)
    eu, us = (np.array(number_columns.fits(bare, f).to_pylist(), dtype=bool) for f in ("eu", "us"))
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
    ("text", "tally"),
    [
        ("31/12/2024", DateTally(dmy=1)),
        ("13/1/2024", DateTally(dmy=1)),
        ("12/31/2024", DateTally(mdy=1)),
        ("1/13/2024", DateTally(mdy=1)),
        ("12/11/2024", DateTally(either=1)),
        ("1/12/24", DateTally(either=1)),
        ("12.11.2024", DateTally(either=1, dotted=1)),
        ("12/12/2024", DateTally()),  # the same either way
        ("13/13/2024", DateTally()),
        ("32/12/2024", DateTally()),
        ("12/32/2024", DateTally()),
        ("0/1/2024", DateTally()),
        ("1/0/2024", DateTally()),
        ("2024-01-02", DateTally()),
        ("yesterday", DateTally()),
    ],
)
def test_a_date_counts_for_the_orders_it_can_have(text, tally):
    counter = DateCounter()
    counter.add(pa.array([text, None]))

    assert counter.tally() == tally


@pytest.mark.parametrize("held", [0, 2, 1000])
def test_dates_are_counted_alike_in_any_parts(monkeypatch, held):
    monkeypatch.setattr("tabular.types.families.dates.HELD", held)
    counter = DateCounter()

    for texts in (["31/1/2024", "1/2/2024"], ["1/2/2024", "1/31/2024", None], ["31/1/2024"]):
        counter.add(pa.array(texts))

    assert counter.tally() == counter.tally() == DateTally(dmy=2, mdy=1, either=2)
    assert DateCounter().tally() == DateTally()


@pytest.mark.parametrize(("many", "is_decided"), [(10, True), (9, False)])
def test_a_stray_cell_in_eleven_asks_nothing(many, is_decided):
    assert DateTally(dmy=many, mdy=1, either=3).is_decided == is_decided
    assert DateTally(dmy=1, mdy=many, either=3).is_decided == is_decided
    assert NumberTally(eu=many, us=1, either=3).is_decided == is_decided
    assert NumberTally(eu=1, us=many, either=3).is_decided == is_decided


def test_what_is_evenly_spread_is_read_as_most_of_the_world_does():
    assert DateTally(dmy=2, mdy=2).likelier == "dmy"
    assert NumberTally(eu=2, us=2).likelier == "us"
    assert ShareTally(above_one=1, up_to_one=1, parts=1).meaning == "percent"


@pytest.mark.parametrize(
    ("text", "tally"),
    [
        ("19 %", ShareTally(signed=1)),
        ("0,19", ShareTally(up_to_one=1, parts=1)),
        ("-.5", ShareTally(up_to_one=1, parts=1)),
        ("1", ShareTally(up_to_one=1)),
        ("1.00", ShareTally(up_to_one=1)),
        ("1.5", ShareTally(above_one=1)),
        ("+19", ShareTally(above_one=1)),
        ("0,0", ShareTally()),
        ("many", ShareTally()),
    ],
)
def test_a_percentage_counts_for_what_it_can_mean(text, tally):
    assert tally_shares(pa.array([text, None])) == tally


@pytest.mark.parametrize(
    ("text", "tally"),
    [
        ("1.234,5", NumberTally(eu=1)),
        ("1,5", NumberTally(eu=1)),
        ("1.234.567", NumberTally(eu=1)),
        ("1,5 €", NumberTally(eu=1)),
        ("1,234.5", NumberTally(us=1)),
        ("1.5", NumberTally(us=1)),
        ("1.234", NumberTally(either=1)),
        ("$ 1,234", NumberTally(either=1)),
        ("1234", NumberTally()),
        ("1.2.3", NumberTally()),
        ("a, b.", NumberTally()),
    ],
)
def test_a_number_counts_for_the_formats_it_can_have(text, tally):
    assert tally_numbers(pa.array([text, None])) == tally


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
