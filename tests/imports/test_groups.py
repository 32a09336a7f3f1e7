"""Numbered columns and heads in the first line only become rows with all their values."""

import pytest

from tests.imports.asked import Imported, publish_fields

pytestmark = pytest.mark.django_db
NUMBERED = "Order,item1,qty1,item2,qty2\nA,Bolt,5,Nut,7\nB,Pin,1,,\n"
STEP = {
    "do": "unpivot_groups",
    "groups": {"Item": ["item1", "item2"], "Quantity": ["qty1", "qty2"]},
}


def test_a_recipe_makes_rows_of_numbered_columns_and_their_places_are_kept(owner, client):
    publish_fields(owner, "order", "item", {"key": "qty", "columnType": "int"})
    imported = Imported(client, NUMBERED)
    mapping = {"Order": "p.order", "Item": "p.item", "Quantity": "p.qty"}
    recipe = {"version": 1, "steps": [STEP]}

    answer = imported.put("mapping", {"mapping": mapping, "recipe": recipe})

    assert (answer.status_code, imported.state) == (202, "review")
    assert imported.values("p.order") == ["A", "A", "B"]
    assert imported.values("p.item") == ["Bolt", "Nut", "Pin"]
    assert imported.values("p.qty") == [5, 7, 1]
    cells = imported.client.get(imported.url("rows/1/explain")).json()["cells"]
    assert [cell["texts"] for cell in cells if cell["field"] == "p.qty"] == [{"qty2": "7"}]
    imported.finish()
    results = imported.client.get(imported.url("results")).json()
    assert results["mapping"] == {
        "Order": "p.order", "item1": "p.item", "item2": "p.item", "qty1": "p.qty", "qty2": "p.qty",
    }  # fmt: skip


def test_a_numbered_column_that_became_rows_feeds_no_field(owner, client):
    publish_fields(owner, "order", "item")
    imported = Imported(client, NUMBERED)
    mapping, recipe = {"item1": "p.item"}, {"version": 1, "steps": [STEP]}

    refused = imported.put("mapping", {"mapping": mapping, "recipe": recipe})

    assert (refused.status_code, refused.json()["code"]) == (409, "unknown_column")
