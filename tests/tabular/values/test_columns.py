"""The array kernels and the judge of single texts give the same answers."""

from datetime import date

import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as st

from tabular.types.families.dates import dates_and_times
from tabular.types.parse_options import ParseOptions
from tabular.types.parsed import tidy
from tabular.values import FORMATS, number, number_columns
from tabular.values.dates import day
from tabular.values.number_columns import decimal_texts, plain
from tabular.values.numbers import every_sign

PARTS = ["EUR", "€", "CHF ", "kr.", "%", "TOP", "ABC", "(", ")", "-", "−", "+", " ", "\u202f", "'"]
NUMBERS = st.lists(
    st.one_of(st.sampled_from(PARTS), st.text("0123456789.,", max_size=5)), max_size=6
).map("".join)
NAMED = st.sampled_from(["January", "20", " ", ", ", "2016", "3.", "März", "Mi, ", "de", "x"])
DATES = st.one_of(
    st.text("0123456789.-/ :TZ", max_size=16), st.lists(NAMED, max_size=6).map("".join)
)


@given(NUMBERS)
@example("US$ 1,234.50")
@example("-(12)")
@example("0EUREUR")
@example("100,00- EUR")
def test_a_number_is_the_same_in_a_column(text):
    column = tidy(pa.array([text], pa.string()))
    bare = plain(column, signs=every_sign())

    alone = number(text)
    for fmt in FORMATS:
        digits = decimal_texts(bare, fmt)[0].as_py()
        single = alone.value(fmt) if alone else None
        assert (digits is None) == (single is None), (text, digits, single)
        if single is not None:
            assert type(single)(digits) == single


@given(st.lists(NUMBERS, min_size=1, max_size=4), st.booleans())
@example(["Fr.12", "1.-", "€1,5", "x2", "12 345", "-", "0EUREUR", "(5)"], False)
@example(["12-", "-12", "+ 5"], True)
def test_numbers_with_signs_are_the_same_among_many_like_them(texts, whole):
    alone = [plain(pa.array([text]), whole=whole)[0].as_py() for text in texts]

    many = plain(pa.array(texts * 40), whole=whole)

    assert many.to_pylist() == alone * 40


def test_the_pattern_of_all_signs_sees_each_sign_of_a_column_once(monkeypatch):
    number_columns._known_shells.cache_clear()
    seen = []
    undecorated = number_columns._undecorated
    monkeypatch.setattr(
        number_columns,
        "_undecorated",
        lambda texts, *signs, **how: (
            seen.extend(texts.to_pylist()) or undecorated(texts, *signs, **how)
        ),
    )
    column = pa.array([f"{n},50 €" for n in range(100)] + [f"K{n}" for n in range(50)])

    bare, again = plain(column), plain(column)

    assert bare.to_pylist() == [f"{n},50" for n in range(100)] + [f"K{n}" for n in range(50)]
    assert again == bare
    assert seen == ["1 €", "K1"]


@given(DATES, st.sampled_from(["dmy", "mdy"]))
@example("31.12.2024", "mdy")
@example("1.2.3", "dmy")
@example("1.2.202", "dmy")
@example("20240131", "dmy")
@example("January 20 2016", "dmy")
@example("Wednesday, January 20 2016", "dmy")
def test_a_date_is_the_same_in_a_column(text, order):
    column = tidy(pa.array([text], pa.string()))
    read, _ = dates_and_times(
        column, parse_options=ParseOptions(today=date(2026, 1, 2)), order=order
    )

    alone = day(text)
    is_serial = text.strip().replace(".", "").isdigit() and len(text.strip().split(".")[0]) == 5
    if not is_serial:  # a spreadsheet's day number is a date in a column of dates only
        assert read[0].is_valid == (
            alone is not None and (order in alone.orders or "ymd" in alone.orders)
        )
