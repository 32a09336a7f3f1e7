"""Two sheets joined by a key over HTTP: proposed, chosen, refused with counts, located."""

import pytest

from tabular.model.places import PART_ROWS
from tests.api.test_stacked_tables import upload, workbook
from tests.api.test_whole_walk import Person, person

__all__ = ["person"]  # a fixture

ORDERS = [
    ["Order", "Customer", "Amount"],
    ["O-1", "C1", 10.5],
    ["O-2", "C2", 3],
    ["O-3", "C9", 7],
    ["O-4", "C1", 2],
]
CUSTOMERS = [
    ["No", "Name", "City", "Amount"],
    ["C1", "Ada", "Oslo", 1],
    ["C2", "Bob", "Rom", 2],
    ["C3", "Cy", "Bonn", 3],
]
SHEETS = {"Orders": ORDERS, "Customers": CUSTOMERS}
FIELDS = ("order", "customer", "amount", "name", "limit")
CATALOG = {
    "key": "sales",
    "title": "Sales",
    "keySeparator": ".",
    "entries": [
        {
            "id": "sale",
            "fields": [{"key": key, "columnType": "string"} for key in FIELDS],
        }
    ],
}
MAPPING = {
    "Order": "sale.order",
    "Customer": "sale.customer",
    "Amount": "sale.amount",
    "Name": "sale.name",
    "Amount (Customers)": "sale.limit",
}
JOIN = {"child": 0, "parent": 1, "on": [{"child": "Customer", "parent": "No"}]}


@pytest.fixture
def seller(person) -> Person:
    person.call("put", "catalogs/sales/draft", CATALOG)
    person.call("post", "catalogs/sales/publish")
    return person


def joined(seller, join, mapping=MAPPING, sheets=None):
    upload(seller, content=workbook(sheets or SHEETS), mapping=None)
    seller.call("put", "/reading", {"join": join}, expect=202)
    seller.record()
    if mapping:
        seller.call("put", "/mapping", {"mapping": mapping}, expect=202)
        seller.record()


@pytest.mark.django_db
def test_tables_name_what_may_be_joined_and_how_well_it_matches(seller):
    upload(seller, content=workbook(SHEETS), mapping=None)

    (item,) = seller.call("get", "/tables")["related"]

    assert item == {
        "kind": "join", "first": 0, "other": 1, "onlyFirst": [], "onlyOther": [],
        "on": [{"child": "Customer", "parent": "No"}], "firstRate": 0.6667, "otherRate": 0.6667,
    }  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize("join", [JOIN, {"child": 0, "parent": 1}])
def test_rows_get_the_columns_of_the_other_sheet_and_each_says_where_it_is(seller, join):
    joined(seller, join)

    assert seller.values("sale.name") == ["Ada", "Bob", None, "Ada", "Cy"]
    assert seller.values("sale.customer") == ["C1", "C2", "C9", "C1", "C3"]
    assert [(row["sheet"], row["sourceRow"]) for row in seller.rows()] == [
        ("Orders", 1), ("Orders", 2), ("Orders", 3), ("Orders", 4), ("Customers", 3),
    ]  # fmt: skip
    tables = seller.call("get", "/tables")
    table = tables["tables"][tables["chosen"]]
    assert table["stacked"] == [0, 1]
    assert (table["join"]["matched"], table["join"]["childOnly"], table["join"]["parentOnly"]) == (
        3, 1, 1,
    )  # fmt: skip
    assert [issue["message"] for issue in tables["issues"]] == [
        "1 row of Orders without a match in Customers.",
        "1 row of Customers without a match in Orders.",
    ]


@pytest.mark.django_db
def test_explain_names_the_cell_in_the_sheet_of_the_row(seller):
    joined(seller, JOIN)

    first, last = (seller.call("get", f"/rows/{row}/explain") for row in (0, 4))

    cells = {cell["field"]: cell["places"][0] for cell in first["cells"]}
    assert (first["sheet"], cells["sale.amount"]["cell"]) == ("Orders", "C2")
    assert cells["sale.name"]["column"] is None  # it is in the other sheet
    cells = {cell["field"]: cell["places"][0] for cell in last["cells"]}
    assert (last["sheet"], cells["sale.limit"]["cell"]) == ("Customers", "D4")
    assert cells["sale.customer"]["cell"] == "A4"


@pytest.mark.django_db
def test_a_join_that_multiplies_rows_is_refused_with_its_counts_and_the_import_goes_on(seller):
    rows = [["same", f"{n}"] for n in range(12)]
    sheets = {"A": [["Kind", "Number"], *rows], "B": [["Kind", "Word"], *rows]}

    joined(
        seller, JOIN | {"on": [{"child": "Kind", "parent": "Kind"}]}, mapping=None, sheets=sheets
    )

    record, tables = seller.record(), seller.call("get", "/tables")
    assert record["state"] == "mapping"
    assert tables["tables"][tables["chosen"]]["sheet"] == "A"
    issue = tables["issues"][0]
    assert (issue["code"], issue["params"]["rows"], issue["params"]["allowed"]) == (
        "join_multiplies", 144, 120,
    )  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wish", "code", "words"),
    [
        ({"join": JOIN | {"parent": 0}}, "unknown_table", "each table once"),
        ({"join": JOIN | {"parent": 9}}, "unknown_table", "no table 9"),
        ({"join": JOIN | {"on": [{"child": "Nr", "parent": "No"}]}}, "unknown_column", "“Nr”"),
        ({"join": JOIN, "table": 1}, "invalid_request", ""),
        ({"join": JOIN | {"on": []}}, "invalid_request", ""),
    ],
)
def test_a_join_that_cannot_be_is_refused_with_a_sentence(seller, wish, code, words):
    upload(seller, content=workbook(SHEETS), mapping=None)

    refused = seller.call("put", "/reading", wish, expect=400)

    assert refused["code"] == code
    assert words in refused["detail"]
    assert seller.record()["state"] == "mapping"


@pytest.mark.django_db
def test_rows_left_out_of_a_join_name_their_sheet_and_are_restored(seller):
    sheets = SHEETS | {"Orders": [*ORDERS, ["Total", None, 22.5]]}
    joined(seller, JOIN, sheets=sheets)

    (left,) = seller.call("get", "/left-out")["items"]
    assert (left["sheet"], left["sourceRow"], left["row"] < PART_ROWS) == ("Orders", 5, True)
    seller.call("put", "/left-out", {"takeBack": [left["row"]]}, expect=202)
    seller.record()

    assert seller.values("sale.order") == ["O-1", "O-2", "O-3", "O-4", "Total", None]
