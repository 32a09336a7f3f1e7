"""A field that states a currency is fed by columns in that currency."""

import json

import pytest

from tabular.matching import propose
from tabular.model.catalog import Catalog, Entry, Field


def field(key, label, code):
    return {"key": key, "label": label, "columnType": "float", "outputFormat": code}


FIELDS = [{"key": "name"}, field("chf", "Betrag", "CHF"), field("gbp", "Betrag", "GBP 0.00")]
CATALOG = Catalog.model_validate_json(
    json.dumps({"key": "t", "entries": [{"id": "e", "fields": FIELDS}]})
)


def fed(header, cells, catalog=CATALOG):
    names = ["Ada", "Bob", "Cem"]
    return propose(("Name", header), (names, cells), catalog=catalog).mapping.get(header)


@pytest.mark.parametrize(
    ("header", "cells", "path"),
    [
        ("Betrag CHF", ["12.50", "3.20", "4.75"], "e.chf"),
        ("Betrag (GBP)", ["12.50", "3.20", "4.75"], "e.gbp"),
        ("Betrag", ["£12.50", "£3.20", "£4.75"], "e.gbp"),
        ("Betrag", ["Fr. 12.50", "3.20 CHF", "CHF 4.75"], "e.chf"),
    ],
)
def test_the_currency_of_header_or_values_decides(header, cells, path):
    assert fed(header, cells) == path


@pytest.mark.parametrize("header", ["Betrag EUR", "Betrag (USD)", "Betrag €"])
def test_a_header_of_another_currency_feeds_no_field(header):
    assert fed(header, ["12.50", "3.20", "4.75"]) is None


def test_a_required_field_in_another_currency_is_not_asked_about():
    field = Field(key="betrag", column_type="float", output_format="CHF", required=True)
    known = Catalog(key="c", entries=(Entry(id="e", fields=(field,)),))

    proposal = propose(("Betrag EUR",), [["1.00", "2.50", "7.25"]], catalog=known)

    assert proposal.mapping == {}
    assert proposal.questions == ()
