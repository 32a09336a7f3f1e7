"""How well the meaning of a column fits that of a field."""

import pytest

from tabular.matching.comparing import Context, compare
from tabular.vocabulary.meaning import Meaning, meanings

SAME, LIKELY, HARDLY, NEVER = (0.95, 1.0), (0.65, 0.95), (0.2, 0.64), (0.0, 0.0)
NOBODY = Context()
INVOICES = Context(implied=frozenset({"invoice"}))
CUSTOMERS = Context(implied=frozenset({"customer"}))
OF_CUSTOMERS = Context(implied=frozenset({"invoice"}), behind=frozenset({"customer"}))


def fit(column, field, context=NOBODY):
    """Compare the likeliest parses of two headers."""
    return compare(meanings(column, "en")[0], meanings(field, "en")[0], context)


@pytest.mark.parametrize(
    ("column", "field", "context", "band"),
    [
        ("Invoice date", "Invoice date", NOBODY, SAME),
        ("City", "Town", NOBODY, SAME),
        ("Customer", "Customer name", NOBODY, SAME),
        ("Customer code", "Customer number", NOBODY, SAME),
        ("Phone - Mobile", "Mobile phone", NOBODY, SAME),
        ("Date", "Invoice date", NOBODY, LIKELY),
        ("Date", "Invoice date", INVOICES, SAME),  # implied words
        ("Invoice date", "Date", NOBODY, HARDLY),
        ("Invoice date", "Date", INVOICES, SAME),
        ("Date", "Order date", INVOICES, LIKELY),
        ("Invoice date", "Due date", NOBODY, HARDLY),
        ("Invoice date", "Order date", NOBODY, NEVER),
        ("Start date", "End date", NOBODY, NEVER),
        ("Planned date", "Actual date", NOBODY, HARDLY),
        ("Name", "Customer name", NOBODY, LIKELY),
        ("Name", "Customer name", CUSTOMERS, SAME),
        ("Name", "Customer name", OF_CUSTOMERS, SAME),  # a person on an invoice
        ("Name", "Supplier name", CUSTOMERS, HARDLY),
        ("Number", "Order number", INVOICES, HARDLY),
        ("Number", "Invoice number", INVOICES, SAME),
        ("Customer name", "Name", NOBODY, LIKELY),
        ("Person name", "Customer name", NOBODY, LIKELY),  # a person may be any party
        ("First name", "Name", NOBODY, HARDLY),
        ("Name", "First name", NOBODY, LIKELY),
        ("First name", "Last name", NOBODY, NEVER),
        ("Work phone", "Phone", NOBODY, LIKELY),
        ("Phone", "Work phone", NOBODY, LIKELY),
        ("Work phone", "Home phone", NOBODY, HARDLY),
        ("Phone", "Mobile", NOBODY, LIKELY),
        ("Phone", "Email", NOBODY, NEVER),
        ("Billing city", "Shipping city", NOBODY, NEVER),
        ("Cost", "Cost price", NOBODY, LIKELY),
        ("Price", "Cost price", NOBODY, HARDLY),
        ("Tax amount", "Amount", NOBODY, HARDLY),
        ("Amount", "Tax amount", NOBODY, HARDLY),
        ("Shipping amount", "Amount", NOBODY, HARDLY),
        ("Source type", "Source", NOBODY, LIKELY),  # "type" adds little
        ("ID type", "Type", NOBODY, HARDLY),  # the kind of an id
        ("Discount code", "Order number", NOBODY, NEVER),
        ("Frob rate", "Frob rate", NOBODY, SAME),
        ("Frobnicator rate", "Frobnikator rate", NOBODY, SAME),
        ("Frob rate", "Rate", NOBODY, LIKELY),
        ("Rate", "Frob rate", NOBODY, HARDLY),
        ("Frob rate", "Zork rate", NOBODY, HARDLY),
        ("Email 1", "Email", NOBODY, SAME),
        ("Email 2", "Email 2", NOBODY, SAME),
        ("Email 2", "Email", NOBODY, LIKELY),
        ("Price 2", "Price", NOBODY, SAME),  # only of addresses is the first the main one
    ],
)
def test_a_column_fits_a_field_by_what_both_say(column, field, context, band):
    least, most = band

    assert least <= fit(column, field, context) <= most


@pytest.mark.parametrize(
    ("column", "better", "worse", "context"),
    [
        ("Date", "Invoice date", "Order date", INVOICES),
        ("Name", "Customer name", "Supplier name", OF_CUSTOMERS),
        ("Name", "Name", "Customer name", OF_CUSTOMERS),
        ("Customer", "Customer", "Customer name", NOBODY),
        ("Work phone", "Phone", "Home phone", NOBODY),
        ("Email 2", "Email 2", "Email", NOBODY),
        ("Frob rate", "Frob rate", "Rate", NOBODY),
        ("Frob rate", "Rate", "Zork rate", NOBODY),
        ("Cost", "Cost price", "Price", NOBODY),
    ],
)
def test_of_two_fields_a_column_fits_the_one_that_says_more_of_the_same(
    column, better, worse, context
):
    assert fit(column, better, context) > fit(column, worse, context)


def test_a_reading_of_less_weight_fits_less():
    sure, unsure = Meaning("date"), Meaning("date", weight=0.5)

    assert compare(sure, sure, NOBODY) == 1.0
    assert compare(unsure, sure, NOBODY) == compare(sure, unsure, NOBODY) == 0.5


def test_what_is_written_otherwise_fits_a_little_less():
    plain = Meaning("date")

    for form in ("id", "code", "number", "name", "text"):
        written = compare(Meaning("date", forms=frozenset({form})), plain, NOBODY)
        assert 0.7 < written < 1.0
