"""Orders with lines, from a CSV to a nested delivery, its answer and its revert."""

import json
import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from common import clock
from deliveries import bodies, services
from deliveries.models import Delivery
from staging.exports import parents as parents_module
from tests.imports.conftest import carry_on
from tests.references.conftest import (
    V1,
    apply,
    bodies_of,
    bring,
    client,
    host_answers,
    owner,
    published,
    webhook,
)
from tests.staging.conftest import ADA

pytestmark = pytest.mark.django_db
__all__ = ["apply", "bring", "client", "owner", "published", "webhook"]  # fixtures
ORDERS = [
    {
        "id": "order",
        "groupBy": ["number"],
        "fields": [{"key": "number"}, {"key": "buyer", "required": True}],
    },
    {
        "id": "line",
        "childOf": "order",
        "fields": [{"key": "sku"}, {"key": "n", "columnType": "int"}],
    },
    {"id": "depot", "fields": [{"key": "name"}]},
]
COLUMNS = {
    "order.number": ["A", "B", "A", "C", "B"],
    "order.buyer": ["Ada", "Bob", None, "Eve", None],
    "line.sku": ["1", "2", "3", None, "5"],
    "line.n": ["10", "20", "30", None, "50"],
    "depot.name": [None, "Bonn", None, None, None],
}
PAGE = Path(__file__).parents[2] / "docs" / "nested.md"


@pytest.fixture
def flattened():
    """Return the function of the page that makes rows of parents."""
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    scope: dict = {}
    exec(block, scope)
    return scope["flattened"]


@pytest.fixture
def applied(published, bring, apply):
    """Return a function that applies the orders."""

    def applied(columns=COLUMNS, **wishes):
        published(ORDERS)
        return apply(bring(columns), **wishes)

    return applied


def parents(body):
    return [(item["$rows"], item["order.number"], item["order.buyer"]) for item in body["rows"]]


def test_a_csv_with_repeated_heads_arrives_nested_and_is_reverted_nested(
    client, published, apply, webhook
):
    published(ORDERS[:2])
    webhook("submit", "revert", nested=True)
    text = "number,buyer,sku,n\nA,Ada,1,10\nB,Bob,2,20\nA,,3,30\n"
    file = SimpleUploadedFile("orders.csv", text.encode(), "text/csv")
    made = client.post(f"{V1}/imports", {"file": file, "catalogKey": "t"}).json()
    record = carry_on(client, made["recordId"])
    mapping = {"number": "order.number", "buyer": "order.buyer", "sku": "line.sku", "n": "line.n"}
    client.put(f"{V1}/imports/{made['recordId']}/mapping", {"mapping": mapping}, format="json")
    record = carry_on(client, made["recordId"])
    assert record["counts"]["error"] == 0

    record = apply(record)

    (body,) = bodies_of(record)
    assert (body["nested"], body["rowCount"], body["parentCount"]) == (True, 3, 2)
    assert body["rows"] == [
        {
            "$rows": [0, 1],
            "order.number": "A",
            "order.buyer": "Ada",
            "line": [
                {"$row": 0, "line.sku": "1", "line.n": 10},
                {"$row": 1, "line.sku": "3", "line.n": 30},
            ],
        },
        {
            "$rows": [2],
            "order.number": "B",
            "order.buyer": "Bob",
            "line": [{"$row": 2, "line.sku": "2", "line.n": 20}],
        },
    ]
    answer = {"results": [{"row": 1, "status": "refused"}, {"row": 2, "status": "created"}]}
    host_answers(200, content=json.dumps(answer).encode())
    url = f"{V1}/changesets/{record['changesetId']}"
    proof = client.get(f"{url}/proof").json()
    assert "1" in json.dumps(proof)

    assert client.post(f"{url}/revert", {}, format="json").status_code == 202
    carry_on(client, record["recordId"])

    (reverted,) = bodies_of(record, "revert")
    assert (reverted["rows"], reverted["parentCount"]) == (body["rows"], 2)
    assert reverted["results"] == answer["results"]


def test_flat_and_nested_registrations_get_the_same_rows(applied, webhook, flattened):
    webhook("submit", path="flat")
    webhook("submit", path="nested", nested=True)

    flat, nested = bodies_of(applied())

    assert "nested" not in flat
    assert parents(nested) == [([0, 1], "A", "Ada"), ([2, 3], "B", "Bob"), ([4], "C", "Eve")]
    assert nested["rows"][2]["line"] == []
    assert nested["rows"][1]["depot"] == [{"$row": 2, "depot.name": "Bonn"}]
    filled = {"A": "Ada", "B": "Bob", "C": "Eve"}
    expected = [{**row, "order.buyer": filled[row["order.number"]]} for row in flat["rows"]]
    names = flat["rows"][0]
    assert [{**dict.fromkeys(names), **row} for row in flattened(nested["rows"])] == expected


def test_no_parent_is_split_over_two_parts(applied, webhook):
    webhook("submit", nested=True, max_rows_per_delivery=3)

    first, second = bodies_of(applied())

    assert [parents(first), parents(second)] == [
        [([0, 1], "A", "Ada")],
        [([0, 1], "B", "Bob"), ([2], "C", "Eve")],
    ]
    assert [first["rowCount"], second["rowCount"]] == [2, 3]


def test_a_parent_that_fits_no_part_is_named_at_apply(applied, webhook, client):
    webhook("submit", nested=True, max_rows_per_delivery=1)

    problem = applied(status=409)

    assert problem["code"] == "parent_too_large"
    assert (problem["key"], problem["rows"], problem["allowed"]) == ({"order.number": "A"}, 2, 1)


def test_a_nested_delivery_is_resent_in_parts_of_whole_parents(applied, webhook):
    webhook("submit", nested=True)
    record = applied()
    host_answers(413)
    delivery = Delivery.objects.get(record_id=record["recordId"])

    parts = services.resend_in_parts(delivery=delivery, max_rows=3, actor=ADA, at=clock.now())

    sent = [json.loads(bodies.content(part)) for part in parts]
    assert [parents(body) for body in sent] == [
        [([0, 1], "A", "Ada")],
        [([0, 1], "B", "Bob"), ([2], "C", "Eve")],
    ]
    assert sent[1]["rows"][0]["line"][0]["$row"] == 0


def test_results_are_nested_on_request_in_pages_of_whole_parents(applied, client):
    record = applied(applyMode="browser")
    address = f"{V1}/imports/{record['recordId']}/results?nested=true"

    pages, cursor = [], "0"
    while cursor is not None:
        page = client.get(f"{address}&limit=3&cursor={cursor}").json()
        pages.append([item["order.number"] for item in page["items"]])
        cursor = page["next"]
    streamed = b"".join(client.get(f"{address}&stream=true").streaming_content).splitlines()

    assert pages == [["A"], ["B", "C"]]
    assert [json.loads(line)["order.number"] for line in streamed] == ["A", "B", "C"]


def test_the_rows_of_a_revision_are_grouped_once_for_all_pages(applied, client, monkeypatch):
    record = applied(applyMode="browser")
    address = f"{V1}/imports/{record['recordId']}/results?nested=true&limit=1"
    grouped = []

    def counting(*arguments):
        grouped.append(arguments)
        return group(*arguments)

    group = parents_module._grouped
    parents_module._remembered.clear()
    monkeypatch.setattr(parents_module, "_grouped", counting)

    first = client.get(address).json()
    once = len(grouped)
    second = client.get(f"{address}&cursor={first['next']}").json()

    assert 0 < once == len(grouped)
    assert [item["order.number"] for item in first["items"]] == ["A"]
    assert [item["order.number"] for item in second["items"]] == ["B"]


def test_a_catalog_without_children_is_delivered_flat(published, bring, apply, webhook):
    published([{"id": "order", "fields": [{"key": "number"}]}])
    webhook("submit", nested=True)

    (body,) = bodies_of(apply(bring({"order.number": ["A"]})))

    assert body["rows"] == [{"order.number": "A"}]
    assert "nested" not in body


def test_issues_and_links_name_the_rows_of_a_delivery_of_mixed_rows(applied, webhook):
    webhook("submit", nested=True)
    columns = {**COLUMNS, "line.n": ["10", "20", "30", None, "x"]}

    (body,) = bodies_of(applied(columns, invalidRows="include"))

    assert [(issue["row"], issue["field"]) for issue in body["rowIssues"]] == [(3, "line.n")]
    assert body["rows"][1]["line"][1] == {"$row": 3, "line.sku": "5", "line.n": None}
