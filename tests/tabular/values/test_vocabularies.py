"""Countries and currencies by their codes and names, and what only looks like one."""

import pyarrow as pa
import pytest
from babel import Locale

from tabular.values.locales import LANGUAGES, currency_names, territory_names
from tabular.values.number_columns import plain
from tabular.values.signs import is_code, signs_of
from tabular.values.vocabularies import country, currency


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Deutschland", "DE"),
        ("Côte d’Ivoire", "CI"),
        ("cz", "CZ"),
        ("CZE", "CZ"),
        ("World", None),  # the CLDR names these as well
        ("Europe", None),
        ("Europäische Union", None),
        ("Narnia", None),
    ],
)
def test_a_country_is_a_territory_with_a_code(text, code):
    assert country(text) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Schweizer Franken", "CHF"),
        ("japanese yen", "JPY"),
        ("mxn", "MXN"),
        ("£", "GBP"),
        ("DEM", None),
        ("Deutsche Mark", None),  # given up
        ("Gold", None),
        ("kr", None),  # of four countries
    ],
)
def test_a_currency_is_tender_today(text, code):
    assert currency(text) == code


@pytest.mark.parametrize(
    ("letters", "is_one"), [("EUR", True), ("KES", True), ("TOP", False), ("DEM", False)]
)
def test_capitals_next_to_a_number_are_a_currency_or_a_word(letters, is_one):
    assert is_code(letters) == is_one


def test_next_to_an_amount_of_one_currency_are_its_own_signs_and_those_it_shares():
    texts = pa.array(["$5", "5 Dollar", "USD 5", "C$5", "5 €", "CAD 5"])

    dollars = plain(texts, signs=signs_of("USD")).to_pylist()
    francs = plain(pa.array(["₣ 5", "5 Fr.", "$5"]), signs=signs_of("CHF")).to_pylist()

    assert dollars == ["5", "5", "5", "C$5", "5 €", "CAD 5"]
    assert francs == ["5", "5", "$5"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_territories_and_currencies_are_those_of_babel(language):
    locale = Locale(language)

    assert list(territory_names(language).items()) == list(locale.territories.items())
    assert list(currency_names(language).items()) == list(locale.currencies.items())
