"""A workbook whose sheets feed different entries: orders, their customers, their products."""

import json
from pathlib import Path

import pytest

from changesets.follow_up import follow_due
from tests.imports.conftest import carry_on
from tests.references.conftest import V1, bodies_of, host_answers, known

pytestmark = pytest.mark.django_db
FOLDER = Path(__file__).resolve().parents[2] / "examples" / "references"
ENTRIES = json.loads((FOLDER / "shop.json").read_text("utf-8"))["entries"]
KNOWN = json.loads((FOLDER / "known-customers.json").read_text("utf-8"))


@pytest.fixture
def workbook(client):
    """Return a function that uploads the workbook and reads it; returns the record's JSON."""

    def upload():
        with (FOLDER / "shop.xlsx").open("rb") as file:
            made = client.post(f"{V1}/imports", {"file": file, "catalogKey": "t"})
        assert made.status_code == 202, made.content
        return carry_on(client, made.json()["recordId"])

    return upload


@pytest.fixture
def reviewed(published, client, workbook):
    """Bring the workbook to review, each sheet feeding its entry."""

    def reviewed(**members):
        published(ENTRIES, **members)
        record = workbook()
        address = f"{V1}/imports/{record['recordId']}"
        tables = client.get(f"{address}/tables").json()
        answer = client.put(f"{address}/reading", {"entries": tables["entries"]}, format="json")
        assert answer.status_code == 202, answer.content
        assert carry_on(client, record["recordId"])["state"] == "mapping"
        proposed = client.get(f"{address}/mapping").json()["proposed"]["mapping"]
        client.put(f"{address}/mapping", {"mapping": proposed}, format="json")
        record = carry_on(client, record["recordId"])
        assert record["state"] == "review", record
        return record, tables, proposed

    return reviewed


def test_the_proposal_says_which_sheet_feeds_which_entry(reviewed):
    _, tables, mapping = reviewed()

    sheets = {entry: tables["tables"][n]["sheet"] for entry, n in tables["entries"].items()}
    assert sheets == {"order": "Orders", "customer": "Customers", "product": "Products"}
    assert mapping == {
        "Orders: Order no": "order.no",
        "Orders: Customer": "order.customer",
        "Orders: Products": "order.products",
        "Orders: Ordered on": "order.on",
        "Customers: Customer number": "customer.number",
        "Customers: Customer name": "customer.name",
        "Products: Product code": "product.code",
        "Products: Product title": "product.title",
        "Products: Price": "product.price",
    }


def test_an_order_a_customer_and_a_product_arrive_with_the_right_graph(
    reviewed, apply, webhook, client, issues
):
    assert client.put(f"{V1}/references/customer", KNOWN, format="json").status_code == 200
    webhook("submit")
    record, _, _ = reviewed()
    assert issues(record) == []  # a customer's row lacks no order number

    record = apply(record)
    host_answers(200)
    follow_due()

    (body,) = bodies_of(record)
    made = {item["values"].get("name"): item["ref"] for item in body["entities"]["customer"]}
    products = {item["key"]["code"]: item["ref"] for item in body["entities"]["product"]}
    assert [(link["row"], link["field"], link["refs"]) for link in body["links"]] == [
        (0, "order.customer", ["77"]),
        (0, "order.products", [products["P-1"], products["P-2"]]),
        (1, "order.customer", [made["Cleo & Co"]]),
        (1, "order.products", [products["P-2"]]),
        (2, "order.customer", ["99"]),
    ]
    ada, cleo, bare = sorted(
        body["entities"]["customer"], key=lambda entity: entity["key"]["number"]
    )
    assert (ada["status"], ada["values"]["name"]) == ("matched", "Ada Ltd")
    assert (cleo["status"], bare["status"]) == ("created", "matched")
    assert body["rowCount"] == 7
    assert known(client)["77"] == {"number": "C-1", "name": "Ada Ltd"}
    assert {item["title"] for item in known(client, "product").values()} == {"Chair", "Desk"}


def test_another_separator_is_in_every_path(reviewed, issues):
    record, _, mapping = reviewed(keySeparator="/")

    assert mapping["Orders: Customer"] == "order/customer"
    assert issues(record) == [(2, "order/customer", "unknown_reference")]


def test_what_an_entry_lacks_is_an_error_where_it_is_said(reviewed, client, issues):
    record, _, _ = reviewed()
    address = f"{V1}/imports/{record['recordId']}"
    revision = client.get(address).json()["revision"]
    edits = [{"row": 3, "field": "customer.name", "text": None}]

    client.patch(f"{address}/rows", {"revision": revision, "edits": edits}, format="json")

    assert (3, "customer.name", "required") in issues(record)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"entries": {"nobody": 0}}, "unknown_entry"),
        ({"entries": {"order": 9}}, "unknown_table"),
        ({"entries": {"order": 0}, "table": 1}, "unknown_table"),
    ],
)
def test_a_choice_that_does_not_fit_is_refused(published, workbook, client, body, code):
    published(ENTRIES)
    record = workbook()

    answer = client.put(f"{V1}/imports/{record['recordId']}/reading", body, format="json")

    assert (answer.status_code, answer.json()["code"]) == (400, code)
