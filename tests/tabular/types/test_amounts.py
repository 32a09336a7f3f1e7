"""A number declares any currency of ISO 4217 by its output format, and accepts only that one."""

from decimal import Decimal

import pyarrow as pa
import pytest
from babel.core import get_global

from tabular.model.amounts import ISO_CODES, currency_of_field
from tabular.model.catalog import Field
from tabular.model.issue import render
from tabular.model.table import CURRENCIES, MONIES, Kind
from tabular.types.families.numbers import NumberTally, tally_numbers
from tabular.types.kinds import read_cells
from tabular.types.output_formats import has_effect, output_format_of
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import read_column
from tabular.values.signs import currency_codes, decimals_of


def amount(text, currency, number_format="us"):
    how = ParseOptions(currency=currency, number_format=number_format)
    parsed = read_column(pa.array([text]), "float", how)
    value = parsed.values[0].as_py()
    return value.normalize() if value is not None else None, [f.code for f in parsed.faults]


@pytest.mark.parametrize(
    ("text", "currency", "value"),
    [
        ("CHF 1'234.50", "CHF", "1234.5"),
        ("1’234.05 CHF", "CHF", "1234.05"),
        ("sFr. 12.50", "CHF", "12.5"),
        ("12.– Franken", "CHF", "12"),
        ("£1,000,000.99", "GBP", "1000000.99"),
        ("-£5", "GBP", "-5"),
        ("(12.50 gbp)", "GBP", "-12.5"),
        ("￥1,200", "JPY", "1200"),
        ("$12", "CAD", "12"),  # a sign that several currencies share
        ("500 ALL", "ALL", "500"),  # an English word, and the field's currency
        ("KWD 1.234", "KWD", "1.234"),
        ("CLF 1.2345", "CLF", "1.2345"),
        ("12.50", "SEK", "12.5"),
    ],
)
def test_an_amount_is_read_with_the_signs_of_its_currency(text, currency, value):
    assert amount(text, currency) == (Decimal(value), [])


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("€ 5", "CHF"),
        ("£5", "CHF"),
        ("5 EUR", "GBP"),
        ("$12", "GBP"),
        ("US$5", "CAD"),
        ("CNY 5", "JPY"),
        ("CN¥5", "JPY"),
        ("5 kr", "CHF"),
    ],
)
def test_an_amount_in_another_currency_is_refused(text, currency):
    assert amount(text, currency) == (None, ["other_currency"])


def test_more_decimals_than_the_currency_has_are_kept_and_told():
    assert amount("12.345", "CHF") == (Decimal("12.345"), ["more_decimals"])
    assert amount("12.50", "CHF") == (Decimal("12.5"), [])
    assert amount("12.5", "JPY") == (Decimal("12.5"), ["more_decimals"])
    assert amount("12.0", "JPY") == (Decimal("12"), [])
    assert amount("1.23456", "CHF") == (None, ["not_an_amount"])


def test_a_currency_without_decimals_leaves_no_doubt_about_a_mark():
    grouped = pa.array(["1,200", "¥1,500", "JPY 300"])

    assert tally_numbers(grouped, "JPY") == NumberTally(us=2)
    assert tally_numbers(pa.array(["1.200円"]), "JPY") == NumberTally(eu=1)
    assert tally_numbers(grouped.slice(0, 1), "CHF") == NumberTally(either=1)


@pytest.mark.parametrize(
    ("column_type", "pattern", "currency", "written"),
    [
        ("float", "CHF", "CHF", None),
        ("float", "CHF 0.00", "CHF", "CHF 0.00"),
        ("float", "#,##0.00 CLF", "CLF", "#,##0.00 CLF"),
        ("float", "0.00", None, "0.00"),
        ("float", "ABC", None, None),
        ("float", "0.0 % CHF", None, None),
        ("currency_eur", "0.00 EUR", "EUR", "0.00 EUR"),
        ("currency_eur", "0.00 USD", "EUR", None),
        ("currency_usd", None, "USD", None),
        ("int", "JPY", None, None),
        ("boolean", "YES/NOT", None, "YES/NOT"),
    ],
)
def test_a_format_states_a_currency(column_type, pattern, currency, written):
    field = Field(key="it", column_type=column_type, output_format=pattern)

    assert (currency_of_field(field), output_format_of(field)) == (currency, written)


def test_every_code_of_iso_4217_can_be_stated():
    fields = [Field(key="it", column_type="float", output_format=code) for code in ISO_CODES]

    assert all(map(has_effect, fields))
    assert {currency_of_field(field) for field in fields} == ISO_CODES > currency_codes()


def test_decimals_are_those_of_the_cldr_where_coins_are_in_use():
    given = get_global("currency_fractions")
    own = {code: decimals_of(code) for code in currency_codes()}
    cldr = {code: given.get(code, given["DEFAULT"])[0] for code in own}

    differing = {code for code in own if own[code] != cldr[code]}
    assert all(cldr[code] == 0 for code in differing)  # obsolete coins
    assert {own[code] for code in differing} <= {2, 3}


def cells(texts, kinds, currency):
    column = pa.array(kinds, pa.int8())
    parsed = read_cells(pa.array(texts), column, "float", ParseOptions(currency=currency))
    return [v and str(v.normalize()) for v in parsed.values.to_pylist()], [
        (f.code, f.rows.tolist()) for f in parsed.faults
    ]


def test_a_number_cell_counts_by_the_currency_of_its_format():
    kinds = [Kind.NUMBER, MONIES["CHF"], MONIES["GBP"], Kind.EURO, Kind.MONEY, Kind.TEXT]

    values_and_faults = cells(["1.5", "2.5", "3.5", "4.5", "5.5", "Fr. 6.50"], kinds, "CHF")

    assert values_and_faults == (
        ["1.5", "2.5", None, None, None, "6.5"],
        [("other_currency", [2, 3, 4])],
    )
    assert cells(["5"], [MONIES["¥"]], "JPY") == (["5"], [])
    assert cells(["5"], [MONIES["¥"]], "CHF") == ([None], [("other_currency", [0])])


def test_every_currency_has_a_kind_of_its_own_in_a_byte():
    kinds = list(MONIES.values())

    assert len(set(kinds)) == len(kinds)
    assert not {*kinds} & {k.value for k in Kind if k not in (Kind.EURO, Kind.DOLLAR)}
    assert all(-128 <= kind < 128 for kind in kinds)
    assert CURRENCIES.index("CHF") == 28  # stored with files, so it never changes


@pytest.mark.parametrize(
    ("code", "language", "message"),
    [
        ("other_currency", "en", "“€ 5” is not in CHF."),
        ("other_currency", "de", "„€ 5“ ist nicht in CHF."),
        ("not_an_amount", "fr", "«\u202f€ 5\u202f» n’est pas un montant en CHF."),
        ("more_decimals", "es", "«€ 5» tiene más decimales que la moneda CHF."),
    ],
)
def test_an_issue_names_the_currency_of_the_field(code, language, message):
    params = {"value": "€ 5", "currency": "CHF", "decimals": 2}

    assert render(code, params, language=language)[0] == message


def test_an_issue_of_before_names_none():
    assert render("other_currency", {"value": "€ 5"})[0] == "“€ 5” is in another currency."
