"""Hosts that ask hear of an import's way, without any of its rows."""

import json

import pytest

from common import clock
from common.actors import ENGINE
from deliveries import bodies, services
from deliveries.models import Delivery
from imports.models import ImportRecord
from imports.services import choices
from tests.imports.conftest import client, owner, publish, upload

pytestmark = pytest.mark.django_db
__all__ = ["client", "owner", "publish", "upload"]  # fixtures
KINDS = ["import.received", "import.waiting", "import.failed", "import.expired"]


@pytest.fixture
def sent(owner):
    """Return a function that returns what was queued, in order."""
    services.register(
        tenant=owner, url="https://h.example/x", at=clock.now(), events_wanted=KINDS, actions=[]
    )

    def bodies_of() -> list[dict]:
        queued = Delivery.objects.filter(action="notify").order_by("pk")
        return [json.loads(bodies.content(delivery)) for delivery in queued]

    return bodies_of


def test_an_import_that_arrives_and_waits_is_announced_by_its_id(publish, upload, sent):
    publish("orders")
    record = upload("orders-cp1252.csv", catalogKey="orders")

    notices = [(notice["event"], notice.get("state")) for notice in sent()]
    assert notices[0] == ("import.received", None)
    assert notices[-1] == ("import.waiting", record["state"])
    assert {notice["recordId"] for notice in sent()} == {record["recordId"]}
    assert {notice["catalogKey"] for notice in sent()} == {"orders"}
    members = {"event", "deliveryId", "tenantId", "subject", "occurredAt", "state"}
    assert all(set(notice) <= members | {"recordId", "catalogKey"} for notice in sent())
    assert not Delivery.objects.filter(record_id=record["recordId"]).exists()  # no rows are sent


def test_an_import_that_retention_deletes_expired_and_one_that_a_person_deletes_did_not(
    publish, upload, sent
):
    publish("orders")
    records = [upload("orders-cp1252.csv", catalogKey="orders")["recordId"] for _ in range(2)]
    kept, removed = (ImportRecord.objects.get(public_id=key) for key in records)
    choices.delete(record=removed, actor=ENGINE, at=clock.now())
    choices.delete(record=kept, actor=ENGINE, at=clock.now(), rule="retention.rows")

    expired = [notice for notice in sent() if notice["event"] == "import.expired"]
    assert [(notice["subject"], notice["rule"]) for notice in expired] == [
        (kept.public_id, "retention.rows")
    ]
