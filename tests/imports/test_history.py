"""The history names who did what, and an already applied file is recognised."""

import pytest

from common import clock
from imports.models import ImportRecord

pytestmark = pytest.mark.django_db
IMPORTS = "/api/import/v1/imports"


@pytest.fixture
def record(publish, upload) -> dict:
    publish("orders")
    return upload("orders-cp1252.csv", autoMap="true")


def test_every_move_and_edit_names_who_and_when(client, record):
    address = f"{IMPORTS}/{record['recordId']}"
    edit = {"row": 0, "field": "orders.customer", "text": "Bert"}
    body = {"revision": record["revision"], "edits": [edit]}
    client.patch(f"{address}/rows", body, format="json", HTTP_X_IMPORT_ACTOR="Eve")
    client.post(f"{address}/cancel", HTTP_X_IMPORT_ACTOR="Ann")

    events = client.get(f"{address}/history").json()["items"]

    assert [e["about"]["to"] for e in events if e["what"] == "moved"] == [
        "reading",
        "transforming",
        "review",
        "cancelled",
    ]
    changed = [e for e in events if e["what"] == "changed"]
    assert [(e["actor"]["label"], e["about"]["cells"]) for e in changed] == [("Eve", 1)]
    assert events[-1]["actor"]["label"] == "Ann"


def test_history_comes_in_pages(client, record):
    address = f"{IMPORTS}/{record['recordId']}/history"
    whole = client.get(address).json()["items"]
    items, cursor = [], "0"
    while cursor is not None:
        page = client.get(f"{address}?limit=2&cursor={cursor}").json()
        items, cursor = items + page["items"], page["next"]

    assert items == whole
    assert client.get(f"{address}?cursor=x").status_code == 400


def test_history_outlives_the_rows(client, record):
    address = f"{IMPORTS}/{record['recordId']}"
    edit = {"row": 0, "field": "orders.customer", "text": "Bert"}
    body = {"revision": record["revision"], "edits": [edit]}
    client.patch(f"{address}/rows", body, format="json")
    before = client.get(f"{address}/history").json()["items"]

    client.delete(address)

    after = client.get(f"{address}/history").json()["items"]
    assert after[: len(before)] == before
    assert after[-1]["about"]["reason"] == "deleted"


def applied(record_id: str, *, at=None) -> None:
    ImportRecord.objects.filter(public_id=record_id).update(
        state="applied", applied_at=at or clock.now()
    )


def test_a_file_that_was_applied_before_names_the_import(client, record, upload):
    second = upload("orders-cp1252.csv")["recordId"]
    assert client.get(f"{IMPORTS}/{second}").json()["duplicateOf"] is None

    applied(record["recordId"])

    assert client.get(f"{IMPORTS}/{second}").json()["duplicateOf"] == record["recordId"]
    applied(second)
    flags = {i["recordId"]: i["duplicateOf"] for i in client.get(IMPORTS).json()["items"]}
    assert flags == {record["recordId"]: None, second: record["recordId"]}


def test_other_bytes_other_catalogs_and_what_was_not_applied_are_not_duplicates(
    client, record, upload, publish
):
    applied(record["recordId"])
    publish("stock")
    other = upload("orders-cp1252.csv", catalogKey="stock")
    different = upload("stock-two-sheets.xlsx", catalogKey="orders")
    ImportRecord.objects.filter(public_id=record["recordId"]).update(state="cancelled")
    after = upload("orders-cp1252.csv", catalogKey="orders")

    assert [r["duplicateOf"] for r in (other, different, after)] == [None, None, None]
