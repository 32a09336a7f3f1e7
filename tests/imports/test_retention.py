"""Retention counts from the last event, and never deletes what is not over."""

import json
from datetime import datetime, timedelta

import pytest

from catalogs.services import publish_document
from common import clock, storage
from common.actors import ENGINE
from common.models import Event, Move
from deliveries import bodies
from deliveries.models import Delivery
from deliveries.services import enqueue, register
from imports.models import ImportRecord
from imports.selectors import days_kept
from workflow import retention

pytestmark = pytest.mark.django_db
IMPORTS = "/api/import/v1/imports"
FILE = (
    "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
    "A-1;05.02.2026;Ada;ada@example.com;Stuhl;2;1.249,00;2.498,00;offen\n"
)
DAY = timedelta(days=1)


@pytest.fixture
def record(publish, client, settings) -> ImportRecord:
    settings.RETENTION_DAYS = 30
    publish("orders")
    answer = client.post(IMPORTS, {"text": FILE, "autoMap": True}, format="json")
    record = ImportRecord.objects.get(public_id=answer.json()["recordId"])
    made_at(record, clock.now() - 31 * DAY)
    return record


def made_at(record: ImportRecord, at: datetime) -> None:
    ImportRecord.objects.filter(pk=record.pk).update(created_at=at)
    Move.objects.filter(subject=record.public_id).update(at=at)


@pytest.fixture
def deliver(record, owner, settings):
    from ipaddress import ip_network

    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    registration = register(tenant=owner, url="http://127.0.0.1:9/a", at=clock.now()).registration

    def deliver(**columns) -> Delivery:
        body = bodies.store([b"{}"])
        made = enqueue(
            tenant=owner,
            registration=registration,
            delivery_id="dlv_1",
            record_id=record.public_id,
            changeset_id="chg_1",
            action="submit",
            body=body,
            row_count=1,
            at=clock.now() - 31 * DAY,
        )
        Delivery.objects.filter(pk=made.pk).update(**columns)
        return made

    return deliver


def is_kept(record: ImportRecord) -> bool:
    retention.purge()
    record.refresh_from_db()
    return record.purged_at is None


def test_an_import_to_which_nothing_happened_is_purged_and_says_when(record, client):
    assert not is_kept(record)

    answer = client.get(f"{IMPORTS}/{record.public_id}").json()
    assert answer["purgedAt"] is not None


def test_an_import_that_was_moved_lately_is_kept(record):
    Move.objects.filter(subject=record.public_id).update(at=clock.now() - 29 * DAY)

    assert is_kept(record)


def test_a_delivery_that_waits_keeps_its_import_and_is_not_cancelled(record, deliver):
    waiting = deliver()

    assert is_kept(record)
    waiting.refresh_from_db()
    assert waiting.state == "pending"
    assert storage.local_path(waiting.body_name).exists()


@pytest.mark.parametrize(("days", "kept"), [(29, True), (31, False)])
def test_a_delivery_that_was_settled_counts(record, deliver, days, kept):
    settled = clock.now() - days * DAY
    deliver(state="delivered", due_at=None, settled_at=settled)

    assert is_kept(record) == kept


def test_an_import_of_today_says_that_nothing_was_purged(record, client):
    assert client.get(f"{IMPORTS}/{record.public_id}").json()["purgedAt"] is None


def test_a_tenant_keeps_imports_for_less_time_than_the_engine(record, owner):
    owner.retention_days = 20
    owner.save()
    made_at(record, clock.now() - 21 * DAY)

    retention.purge()

    record.refresh_from_db()
    assert record.purged_at
    (purged,) = Event.objects.filter(kind="import.purged")
    assert purged.rule == "nothing happened for 20 days (days of retention of the tenant)"


def test_a_catalog_keeps_its_imports_for_less_time_than_the_engine(record, owner, client):
    made_at(record, clock.now() - 8 * DAY)
    document = json.loads(record.catalog_version.document) | {"retentionDays": 7}
    publish_document(
        tenant=owner, key="orders", text=json.dumps(document), at=clock.now(), actor=ENGINE
    )
    answer = client.post(IMPORTS, {"text": FILE}, format="json").json()
    limited = ImportRecord.objects.get(public_id=answer["recordId"])
    made_at(limited, clock.now() - 8 * DAY)

    assert not is_kept(limited)
    assert is_kept(record)  # its version says nothing


def test_no_tenant_and_no_catalog_keeps_an_import_longer_than_the_engine(record, owner):
    owner.retention_days = 3_000
    owner.save()

    retention.purge()

    record.refresh_from_db()
    assert record.purged_at
    assert days_kept(record) == 30
