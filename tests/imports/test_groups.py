"""Numbered columns and heads in the first line only become rows with all their values."""

import json

import pytest

from catalogs import services as catalogs
from common import clock
from common.actors import ENGINE
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

    codes = [error["code"] for error in refused.json()["errors"]]
    assert (refused.status_code, codes) == (409, ["unknown_column"])


def publish_orders(owner, **order):
    """Publish orders with lines."""
    entries = [
        {
            "id": "order",
            "groupBy": ["number"],
            "fields": [
                {"key": "number", "label": "Order number", "columnType": "string"},
                {"key": "city", "label": "City", "columnType": "string"},
            ],
            **order,
        },
        {
            "id": "line",
            "childOf": "order",
            "fields": [
                {"key": "item", "label": "Item", "columnType": "string"},
                {"key": "qty", "label": "Quantity", "columnType": "int"},
            ],
        },
    ]
    document = {"key": "orders", "title": "Orders", "keySeparator": ".", "entries": entries}
    text = json.dumps(document).encode()
    catalogs.publish_document(tenant=owner, key="orders", text=text, at=clock.now(), actor=ENGINE)


WIDE = "Order number,City,item1,qty1,Item 2,qty_2\nA,Rome,Bolt,5,Nut,7\nB,Oslo,Pin,1,,\n"
PAIRS = {"item1": "line.item", "qty1": "line.qty", "Item 2": "line.item", "qty_2": "line.qty"}
HEADS = "Order number,City,Item,Quantity\nA,Rome,Bolt,5\n,,Nut,7\nB,,Pin,1\n,,Cap,2\n,,Peg,3\n"


@pytest.fixture
def orders(owner):
    publish_orders(owner)


def test_numbered_columns_of_a_child_are_asked_about_with_the_rows_they_become(orders, client):
    question = Imported(client, WIDE).question("groups")

    assert (question["columns"], question["default"]) == (
        ["item1", "qty1", "Item 2", "qty_2"],
        PAIRS,
    )
    assert question["candidates"] == [
        {
            "value": PAIRS,
            "label": "A row for each group → line.item, line.qty",
            "score": None,
            "effect": "2 rows become 3 rows, one for each filled group of item1 ... qty_2",
        },
        {
            "value": None,
            "label": "Leave the columns as they are",
            "score": None,
            "effect": "4 columns are skipped; 2 rows stay",
        },
    ]
    assert question["evidence"][:2] == ["Numbered columns: item, qty", "item1: Bolt, Pin"]


def test_an_automatic_import_shows_a_row_for_each_line_and_waits(orders, client):
    imported = Imported(client, WIDE, autoMap=True)

    assert imported.state == "review"
    assert imported.values("order.number") == ["A", "A", "B"]
    assert imported.values("order.city") == ["Rome", "Rome", "Oslo"]
    assert imported.values("line.item") == ["Bolt", "Nut", "Pin"]
    assert imported.values("line.qty") == [5, 7, 1]
    assert imported.apply(applyMode="browser").json()["code"] == "open_questions"


def test_numbered_columns_may_stay_as_they_are(orders, client):
    imported = Imported(client, WIDE, autoMap=True)

    imported.answer(imported.question("groups"), None)

    mapping = imported.mapping()
    assert mapping["mapping"] == {"Order number": "order.number", "City": "order.city"}
    assert mapping["recipe"] is None


def test_columns_of_a_group_may_be_skipped_and_one_may_lack(orders, client):
    imported = Imported(client, WIDE, autoMap=True)

    imported.answer(
        imported.question("groups"),
        {"item1": "line.item", "Item 2": "line.item", "qty_2": "line.qty"},
    )

    assert imported.values("line.qty") == [None, 7, None]
    (step,) = imported.mapping()["recipe"]["steps"]
    assert step["groups"] == {
        "item1 ... Item 2": ["item1", "Item 2"],
        "qty_2 ... qty_2": [None, "qty_2"],
    }


def test_the_answer_about_groups_is_remembered(orders, client):
    first = Imported(client, WIDE, autoMap=True)
    first.answer(first.question("groups"), PAIRS)
    first.finish()

    again = Imported(client, WIDE, autoMap=True)

    assert again.question("groups")["learnedFrom"].startswith("ans_")
    assert again.record["counts"]["rows"] == 3


def test_values_in_the_first_line_of_an_order_are_filled_down_within_it(orders, client):
    imported = Imported(client, HEADS, autoMap=True)

    question = imported.question("groups")
    assert (question["columns"], question["default"]) == (
        ["Order number", "City"],
        ["Order number"],
    )
    assert [candidate["effect"] for candidate in question["candidates"]] == [
        "Rows that take values from above: 3",
        "Rows that stay without Order number: 3",
    ]
    assert imported.values("order.number") == ["A", "A", "B", "B", "B"]
    assert imported.values("order.city") == ["Rome", "Rome", None, None, None]
    preview = imported.client.get(imported.url(f"questions/{question['id']}/preview?value=null"))
    assert preview.json()["counts"] == {"fixed": 0, "broken": 3, "changed": 0, "unchanged": 2}
    imported.answer(question, None)
    assert imported.values("order.number") == ["A", None, "B", None, None]
    assert imported.mapping()["recipe"] is None
    imported.answer(question, ["Order number"])
    cells = imported.client.get(imported.url("rows/1/explain")).json()["cells"]
    decided = {cell["field"]: [item["questionId"] for item in cell["answers"]] for cell in cells}
    assert decided["order.city"] == [question["id"]]
    assert decided["line.item"] == []
    assert imported.values("order.number") == ["A", "A", "B", "B", "B"]


@pytest.mark.parametrize(
    "text",
    [
        "Order number,City,Item,Quantity\nA,Rome,Bolt,5\nA,,Nut,7\n",  # each row has its order
        "Order number,City,Item,Quantity\n,,Bolt,5\nA,Rome,Nut,7\n",  # nothing above
        "Order number,City,Item,Quantity\nA,Rome,Bolt,5\n,Oslo,Nut,7\n",  # a row lacks its order
    ],
)
def test_nothing_is_asked_about_rows_that_are_not_below_their_order(orders, client, text):
    assert "groups" not in {q["kind"] for q in Imported(client, text).questions()}


@pytest.mark.parametrize("text", [WIDE, HEADS])
def test_a_catalog_without_children_asks_nothing_about_groups(owner, client, text):
    publish_fields(owner, "Order number", "City", "Item", {"key": "qty", "columnType": "int"})

    assert "groups" not in {q["kind"] for q in Imported(client, text).questions()}


def test_numbered_columns_of_the_parent_are_not_children(owner, client):
    fields = [
        {"key": "number", "label": "Order number", "columnType": "string"},
        {"key": "phone1", "label": "Phone 1", "columnType": "string"},
        {"key": "phone2", "label": "Phone 2", "columnType": "string"},
    ]
    publish_orders(owner, fields=fields)

    text = "Order number,Phone 1,Phone 2,Item,Quantity\nA,030 1,030 2,Bolt,5\n"
    imported = Imported(client, text)

    assert "groups" not in {q["kind"] for q in imported.questions()}
    assert imported.mapping()["proposed"]["mapping"]["Phone 2"] == "order.phone2"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (WIDE, 3),
        (WIDE, {}),
        (WIDE, ["item1"]),
        (WIDE, {"item1": None}),
        (WIDE, {"item1": "line.nope"}),
        (WIDE, {"City": "line.item"}),
        (WIDE, {"item1": "line.item", "qty1": "line.item"}),
        (HEADS, []),
        (HEADS, ["Item"]),
        (HEADS, {"Order number": "order.number"}),
    ],
)
def test_an_answer_about_groups_that_does_not_fit_is_refused(orders, client, text, value):
    imported = Imported(client, text)

    refused = imported.answer(imported.question("groups"), value)

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_answer")


def test_a_list_in_each_record_becomes_rows_of_the_child(orders, client):
    lines = [{"item": "Bolt", "quantity": 5}, {"item": "Nut"}]
    records = [
        {"orderNumber": "A", "city": "Rome", "lines": lines},
        {"orderNumber": "B", "city": "Oslo", "lines": []},
    ]

    imported = Imported(client, json.dumps(records), autoMap=True)

    assert imported.state == "review"
    assert imported.values("order.number") == ["A", "A", "B"]
    assert imported.values("order.city") == ["Rome", "Rome", "Oslo"]
    assert imported.values("line.item") == ["Bolt", "Nut", None]
    assert imported.values("line.qty") == [5, None, None]
