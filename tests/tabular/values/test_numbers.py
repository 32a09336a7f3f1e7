"""What may accompany the digits of a number, in one text and in a column."""

from decimal import Decimal

import pyarrow as pa
import pytest

from tabular.types.parsed import tidy
from tabular.values import amount, number, quantity
from tabular.values.number_columns import decimal_texts, plain
from tabular.values.numbers import every_sign
from tabular.values.signs import currency_of

# Text, its value where the comma parts the decimals and where the point does.
NUMBERS = [
    ("1.234,50", "1234.50", None),
    ("1,234.50", None, "1234.50"),
    ("1.234", "1234", "1.234"),
    ("+5 €", "5", "5"),
    ("-5 €", "-5", "-5"),
    ("5- €", "-5", "-5"),
    ("5 €-", "-5", "-5"),
    ("€ -5", "-5", "-5"),
    ("(5)", "-5", "-5"),
    ("($5)", "-5", "-5"),
    ("$(5)", "-5", "-5"),
    ("(5) €", "-5", "-5"),
    ("(5 €)", "-5", "-5"),
    ("$5 USD", "5", "5"),  # a sign on either side
    ("$ ($5)", None, None),  # twice on one
    ("(5 $) $", None, None),
    ("-(5)", None, None),
    ("-5-", None, None),
    ("(5", None, None),
    ("5)", None, None),
    ("KES 5,25", "5.25", None),
    ("ABC 5", None, None),
    ("5 ABC", None, None),
    ("EURO 5", "5", "5"),
    ("5 Euro", "5", "5"),
    ("5 Äpfel", None, None),
    ("TOP 5", None, None),
    ("1.5e3", None, "1500"),
    ("1 234 567", "1234567", "1234567"),
    ("12 34", None, None),
]


@pytest.mark.parametrize(("text", "eu", "us"), NUMBERS)
def test_a_number_has_the_value_its_format_gives_it(text, eu, us):
    amount = number(text)
    column = plain(tidy(pa.array([text])), signs=every_sign())

    for fmt, value in (("eu", eu), ("us", us)):
        expected = None if value is None else Decimal(value)
        digits = decimal_texts(column, fmt)[0].as_py()
        assert (amount.value(fmt) if amount else None) == expected
        assert (None if digits is None else Decimal(digits)) == expected


def test_a_minus_behind_a_whole_number_is_rather_a_range_without_an_end():
    column = pa.array(["12-", "12- €", "-12 €", "12 €"])

    assert plain(column, whole=True).to_pylist() == ["12-", "12- €", "-12", "12"]
    assert plain(column).to_pylist() == ["-12", "-12", "-12", "12"]


@pytest.mark.parametrize(
    ("text", "is_percent", "currency"),
    [
        ("12,5 %", True, None),
        ("12 v. H.", True, None),
        ("5 €", False, "EUR"),
        ("chf 5", False, "CHF"),
        ("KES 5", False, "KES"),
        ("5 $", False, None),  # of a dozen countries
        ("5", False, None),
        ("5 ‰", False, None),
    ],
)
def test_a_number_says_what_is_next_to_it(text, is_percent, currency):
    amount = number(text)

    assert (amount.is_percent, amount.currency) == (is_percent, currency)


@pytest.mark.parametrize(
    ("sign", "code"), [("US$", "USD"), ("Dollar", "USD"), ("eur", "EUR"), ("kes", None)]
)
def test_a_sign_means_the_currency_that_is_meant_by_no_other(sign, code):
    assert currency_of(sign) == code


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12 kg", "12"),
        ("≥ 1.234,5 m²", "1234.5"),
        ("7*", "7"),
        ("ca. 5 %", "5"),
        ("1,234", "1234"),
        ("12 apples", None),
        ("kg", None),
    ],
)
def test_an_amount_may_have_a_unit_a_bound_or_the_mark_of_a_footnote(text, value):
    expected = None if value is None else Decimal(value)

    assert amount(text) == expected
    assert expected is None or number(text) or quantity(text)
