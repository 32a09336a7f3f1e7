"""Rules if one table feeds several entries: a row is checked for the entries it has values of."""

import orjson
import pyarrow as pa
import pytest

from tabular.model.catalog import Catalog
from tabular.types.rows import TypedRows
from tabular.validating import check_rows, row_rules
from tabular.validating.rules import fed_entries

ENTRIES = [
    {
        "id": "person",
        "fields": [
            {"key": "name", "required": True},
            {"key": "email", "required": True},
            {"key": "note", "required": True, "disabled": True},
        ],
    },
    {"id": "firm", "fields": [{"key": "name", "required": True}, {"key": "town"}]},
    {"id": "order", "fields": [{"key": "number", "required": True}]},
]
CATALOG = Catalog.model_validate_json(orjson.dumps({"key": "t", "entries": ENTRIES}))


def broken(columns, *, fed=None):
    """Return field path and rows of broken rules. columns: texts by field path."""
    size = len(next(iter(columns.values())))
    texts = {path: pa.array(columns.get(path, [None] * size), pa.string()) for path in FIELDS}
    numbers = pa.array(range(size), pa.int64())
    rows = TypedRows(10, numbers, pa.nulls(size, pa.int32()), texts, dict(texts))
    rules = row_rules(CATALOG, paths=CATALOG.live_fields, fed=columns if fed is None else fed)
    return {f.field: f.rows.tolist() for f in check_rows(rows, rules)}


FIELDS = tuple(CATALOG.live_fields)


def test_a_row_is_not_checked_for_an_entry_it_says_nothing_of():
    columns = {
        "person.name": ["Ada", None, None, "Ben"],
        "person.email": [None, None, None, "b@x.example"],
        "firm.name": [None, "Oak", None, None],
        "firm.town": ["Ulm", None, None, None],
    }

    assert broken(columns) == {
        "person.name": [12],  # an empty row names no entity, and is checked for all
        "person.email": [10, 12],
        "firm.name": [10, 12],
        "order.number": [12],
    }


@pytest.mark.parametrize("fed", [(), ("person.name",), ("person.name", "person.email")])
def test_a_table_of_one_entry_is_checked_for_all_rules(fed):
    columns = {"person.name": ["Ada", None], "person.email": [None, None]}

    assert broken(columns, fed=fed) == {
        "person.name": [11],
        "person.email": [10, 11],
        "firm.name": [10, 11],
        "order.number": [10, 11],
    }


def test_only_fields_that_take_part_are_checked():
    rules = row_rules(CATALOG, paths={"firm.name", "firm.town"})

    assert [rule.field for rule in rules] == ["firm.name"]


def test_fed_fields_are_grouped_by_their_entry():
    fed = {"firm.town", "person.name", "person.email"}

    assert fed_entries(CATALOG, fed) == (("person.name", "person.email"), ("firm.town",))
    assert fed_entries(CATALOG, ()) == ()
