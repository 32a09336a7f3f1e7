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
        ("192.0.2.17", "ip"),
        ("2001:db8::8a2e:370:7334", "ip"),
        ("00:1A:2B:3C:4D:5E", "mac"),
        ("aabb.ccdd.eeff", "mac"),
        ("db01.corp.example", "host"),
        ("52.520008", "latitude"),
        ("-122.419416", "longitude"),
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


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("300.1.1.1", "ip"),
        ("12:30:45", "ip"),
        ("12:30:45", "mac"),
        ("AB-12", "host"),
        ("Dr. Weber", "host"),
        ("122.419416", "latitude"),
        ("181.500000", "longitude"),
        ("1.234,56", "longitude"),
        ("12.50", "latitude"),
        ("52.520008", "phone"),
        ("00:1A:2B:3C:4D:5E", "phone"),
    ],
)
def test_what_only_looks_like_a_kind_is_not_of_it(value, kind):
    assert kind not in kinds_of(value)


def test_a_number_to_dial_is_not_an_angle():
    assert "phone" in kinds_of("030.1234567")
    assert "longitude" not in kinds_of("030.1234567")
