import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.detecting.patterns import kinds_of


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("a.b@c.test", "email"),
        ("a@b.test; c@d.test", "email"),
        ("https://x.test/a.jpg", "image"),
        ("DE89 3704 0044 0532 0130 00", "iban"),
        ("COBADEFFXXX", "bic"),
        ("DE123456789", "vat"),
        ("4006381333931", "gtin"),
        ("1.234,56 €", "number"),
        ("12,50", "decimal"),
        ("2024-01-31", "date"),
        ("31.01.2024 12:30", "date"),
        ("20240131", "date"),
        ("23 Nov 2024", "date"),
        ("Jan 31, 2024", "date"),
        ("06/17/23, 02:45 AM", "date"),
        ("04/07", "shortdate"),
        ("+49 160 7314680", "mobile"),
        ("(784) 366-7490", "phone"),
        ("Deutschland", "country"),
        ("USA", "country"),
        ("EUR", "currency"),
        ("Herr", "honorific"),
        ("Anna Weber", "person"),
        ("J. de Vries", "person"),
        ("Beta Systems GmbH & Co. KG", "company"),
        ("3, rue de la Paix", "address"),
        ("ja", "boolean"),
        ("AT-0100", "code"),
        ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", "uuid"),
    ],
)
def test_a_value_is_recognised(value, kind):
    assert kind in kinds_of(value)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("DE89 3704 0044 0532 0130 01", "iban"),  # the check digits are wrong
        ("4006381333932", "gtin"),  # so is the check digit
        ("20241331", "date"),  # there is no thirteenth month
        ("12-34", "phone"),  # too few digits
        ("OEUR", "currency"),
    ],
)
def test_a_lookalike_is_not(value, kind):
    assert kind not in kinds_of(value)


@given(st.text(max_size=500))
def test_any_text_has_kinds(text):
    assert isinstance(kinds_of(text), frozenset)
