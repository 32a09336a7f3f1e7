"""The names of a catalog that a header may be: each of them finds its field."""

import orjson
import pytest

from tabular.matching import propose
from tabular.model.catalog import Catalog

VALUES = ["x1", "y2", "z3"]


def proposed(header, *fields, **entry):
    catalog = {"key": "c", "entries": [{"id": "e", "fields": list(fields), **entry}]}
    return propose(
        (header,), [VALUES], catalog=Catalog.model_validate_json(orjson.dumps(catalog))
    ).columns[0]


@pytest.mark.parametrize(
    "names",
    [
        {"key": "blorp"},
        {"label": "Blorp"},
        {"alternativeMatches": ["Zwurf", "Blorp"]},
        {"description": "Blorp"},
    ],
    ids=lambda names: next(iter(names)),
)
def test_a_header_finds_a_field_by_any_of_its_names(names):
    field = {"key": "k1", **names}

    assert proposed("Blorp", {"key": "zulu"}, field).field == f"e.{field['key']}"
    assert proposed("Blorp", {"key": "zulu"}, {"key": "k1"}).field is None


@pytest.mark.parametrize(
    "named",
    [{"id": "customer"}, {"label": "Customer"}, {"aliases": ["Customer"]}],
    ids=lambda named: next(iter(named)),
)
def test_an_entry_says_what_its_fields_are_about(named):
    fields = {"key": "name"}, {"key": "code"}

    plain, about = proposed("Customer name", *fields), proposed("Customer name", *fields, **named)

    assert about.field == f"{named.get('id', 'e')}.name"
    assert about.score > plain.score
