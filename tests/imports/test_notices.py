"""Hosts that ask hear of an import's way, without any of its rows."""

import json

import pytest

from api.notified import schema_name_of
from common import clock, storage
from common.actors import ENGINE
from deliveries import bodies, services
from deliveries.models import Delivery
from imports.models import ImportRecord
from imports.services import choices
from imports.services.upload import ImportOptions, create_import
from tests.api.test_delivered import validator
from tests.imports.asked import Imported, publish_fields
from tests.imports.conftest import carry_on, client, owner, publish, upload

pytestmark = pytest.mark.django_db
__all__ = ["client", "owner", "publish", "upload"]  # fixtures
KINDS = [
    "import.received", "import.waiting", "import.failed", "import.applied", "import.expired",
]  # fmt: skip
ALWAYS = {
    "event", "deliveryId", "tenantId", "subject", "occurredAt", "url", "adminUrl", "recordId",
    "catalogKey",
}  # fmt: skip
MORE = {
    "import.waiting": {"state", "for", "why"},
    "import.failed": {"state", "code"},
    "import.applied": {"state"},
    "import.expired": {"rule"},
}


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
    for notice in sent():
        assert set(notice) == ALWAYS | MORE.get(notice["event"], set())
    assert not Delivery.objects.filter(record_id=record["recordId"]).exists()  # no rows are sent


def test_an_import_that_is_applied_is_announced_and_its_revert_is_not(owner, client, sent):
    publish_fields(owner, "name")
    imported = Imported(client, "name\nAda\n", autoMap=True).finish()
    changeset = client.get(imported.url("")[:-1]).json()["changesetId"]
    address = f"/api/import/v1/changesets/{changeset}/revert"
    assert client.post(address, {"force": True}, format="json").status_code == 202
    carry_on(client, imported.id)

    (applied,) = [notice for notice in sent() if notice["event"] == "import.applied"]
    assert set(applied) == ALWAYS | MORE["import.applied"]
    assert (applied["subject"], applied["state"]) == (imported.id, "applied")
    assert "Ada" not in json.dumps(sent())


def test_an_import_that_fails_is_announced_each_time_with_the_code_alone(owner, client, sent):
    publish_fields(owner, "name")
    imported = Imported(client, "%PDF-1.7 broken", filename="private.pdf")
    assert client.post(imported.url("retry")).status_code == 202
    carry_on(client, imported.id)

    failed = [notice for notice in sent() if notice["event"] == "import.failed"]
    assert len(failed) == 2
    for notice in failed:
        assert set(notice) == ALWAYS | MORE["import.failed"]
        assert (notice["state"], notice["code"]) == ("failed", imported.record["problem"]["code"])
    assert "private" not in json.dumps(sent())


def test_a_file_without_a_catalog_is_announced_once_it_has_one(owner, client, sent):
    version = publish_fields(owner, "name")
    sample = create_import(
        tenant=owner,
        catalog_version=None,
        filename="people.csv",
        stored=storage.store("sources", [b"name\nAda\n"]),
        actor=ENGINE,
        at=clock.now(),
        options=ImportOptions(purpose=ImportRecord.Purpose.SAMPLE),
    )
    carry_on(client, sample.public_id)
    assert sent() == []

    record = ImportRecord.objects.get(pk=sample.pk)
    choices.choose_catalog(record=record, catalog_version=version, actor=ENGINE, at=clock.now())
    carry_on(client, sample.public_id)
    assert [notice["event"] for notice in sent()] == ["import.received", "import.waiting"]


def test_registrations_without_events_get_rows_alone(owner, client):
    hook = services.register(tenant=owner, url="https://h.example/x", at=clock.now()).registration
    publish_fields(owner, "name")
    Imported(client, "%PDF-1.7 broken")
    imported = Imported(client, "name\nAda\n", autoMap=True)
    assert imported.apply().status_code == 202

    (delivery,) = Delivery.objects.all()
    assert (delivery.registration, delivery.action, delivery.event) == (hook, "submit", "")
    assert json.loads(bodies.content(delivery)).keys() == {
        "event", "deliveryId", "tenantId", "recordId", "action", "rowCount", "mapping", "rows",
        "occurredAt", "catalogKey", "catalogVersion",
    }  # fmt: skip


def test_a_notice_has_what_its_kind_is_described_to_have(owner, client, sent):
    publish_fields(owner, "name")
    Imported(client, "%PDF-1.7 broken")
    imported = Imported(client, "name\nAda\n", autoMap=True).finish()
    record = ImportRecord.objects.get(public_id=imported.id)
    choices.delete(record=record, actor=ENGINE, at=clock.now(), rule="retention.rows")

    assert {notice["event"] for notice in sent()} == set(KINDS)
    for notice in sent():
        validator(schema_name_of(notice["event"])).validate(notice)


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
