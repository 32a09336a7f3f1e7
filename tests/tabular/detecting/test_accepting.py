"""Each builtin detector is the column type of its name."""

import pytest

from tabular.detecting.accepting import accepted
from tabular.model.catalog import ColumnType

EXAMPLES = {
    "int": ("12", "12.5"),
    "float": ("1.234,50", "12a"),
    "percentage": ("19 %", "19 €"),
    "boolean": ("ja", "n/a"),
    "date": ("31.12.2024", "31.02.2024"),
    "date_dmy": ("31/12/2024", "12/31/2024"),
    "date_mdy": ("12/31/2024", "31/12/2024"),
    "date_iso": ("2024-12-31", "31.12.2024"),
    "datetime": ("2024-12-31T10:00:00Z", "10:00"),
    "time_hms": ("2:05:09 pm", "25:00:00"),
    "time_hms_24": ("14:05:09", "2:05:09 pm"),
    "time_hm": ("2:05 pm", "14:05:09"),
    "time_hm_24": ("14:05", "2:05 pm"),
    "email": ("a@b.example", "a at b"),
    "url": ("http://b.example/x", "b.example"),  # a host that has to be completed
    "url_www": ("www.b.example", "b.example"),
    "url_https": ("https://b.example", "http://b.example"),
    "phone": ("+49 30 12345678", "12"),
    "iban": ("DE89370400440532013000", "DE89370400440532013001"),
    "bic": ("DEUTDEFF", "DEUTXXFF"),
    "vat_eu": ("DE136695976", "DE136695978"),
    "gtin": ("4006381333931", "4006381333932"),
    "zip_code_de": ("10115", "00123"),
    "country_code_alpha_2": ("DE", "DEU"),
    "country_code_alpha_3": ("DEU", "DE"),
    "currency_code": ("EUR", "€"),
    "currency_eur": ("5 €", "5 $"),
    "currency_usd": ("$5.00", "5 €"),
}


@pytest.mark.parametrize(("name", "taken", "refused"), [(n, *two) for n, two in EXAMPLES.items()])
def test_a_builtin_detector_takes_what_its_type_reads_as_it_is(name, taken, refused):
    assert accepted((taken,), name) == 1.0
    assert accepted((refused,), name) == 0.0


def test_every_type_that_refuses_anything_has_an_example():
    assert set(EXAMPLES) | {"string", "category"} == set(ColumnType.__args__)


def test_a_column_has_one_order_and_one_format():
    assert accepted(("31/12/2024", "12/31/2024"), "date") == 0.5
    assert accepted(("1.234,5", "1,234.5"), "float") == 0.5
