"""Cancelling an import while it is applied leaves nothing half done."""

import pytest

from changesets import services
from changesets.models import Changeset
from common import clock, storage
from common.actors import ENGINE
from common.errors import StaleState
from deliveries.models import Delivery
from deliveries.services import register
from imports.models import ImportRecord
from imports.progress import Reporter
from tests.imports.conftest import client, owner, publish

__all__ = ["client", "owner", "publish"]  # fixtures
pytestmark = pytest.mark.django_db
IMPORTS = "/api/import/v1/imports"
FILE = (
    "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
    "A-1;05.02.2026;Ada;ada@example.com;Stuhl;2;1.249,00;2.498,00;offen\n"
)


@pytest.fixture
def applying(publish, client, owner, settings) -> ImportRecord:
    from ipaddress import ip_network

    from workflow.worker import advance

    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    register(tenant=owner, url="http://127.0.0.1:9/apply", at=clock.now())
    publish("orders")
    answer = client.post(IMPORTS, {"text": FILE, "autoMap": True}, format="json")
    record_id = answer.json()["recordId"]
    advance(record_id)
    wishes = {"invalidRows": "exclude", "openQuestions": "dismiss"}
    assert client.post(f"{IMPORTS}/{record_id}/apply", wishes, format="json").status_code == 202
    return ImportRecord.objects.get(public_id=record_id)


def bodies() -> list[str]:
    folder = storage.root() / "bodies"
    return [path.name for path in folder.iterdir()] if folder.exists() else []


@pytest.mark.parametrize("method", ["cancel", "delete"])
def test_what_an_apply_had_fixed_is_discarded_with_it(applying, client, method):
    if method == "cancel":
        client.post(f"{IMPORTS}/{applying.public_id}/cancel")
    else:
        client.delete(f"{IMPORTS}/{applying.public_id}")

    applying.refresh_from_db()
    assert applying.state == "cancelled"
    assert [changeset.state for changeset in Changeset.objects.all()] == ["discarded"]
    assert not Delivery.objects.exists()


def test_bodies_of_an_apply_that_was_cancelled_meanwhile_are_removed(applying, monkeypatch):
    real = services.store_bodies

    def cancelled_meanwhile(*arguments):
        stored = list(real(*arguments))
        mine = ImportRecord.objects.get(pk=applying.pk)
        services.cancel(record=mine, actor=ENGINE, at=clock.now())
        return stored

    monkeypatch.setattr(services, "store_bodies", cancelled_meanwhile)
    with pytest.raises(StaleState):
        services.write_deliveries(applying, Reporter(applying))

    assert bodies() == []
    assert not Delivery.objects.exists()
    assert [changeset.state for changeset in Changeset.objects.all()] == ["discarded"]


def test_retention_discards_what_a_staged_import_waited_with(publish, client, settings):
    from datetime import timedelta

    from common.models import Move
    from ledger.models import Question
    from staging.models import Revision
    from workflow.tasks import purge
    from workflow.worker import advance

    settings.RETENTION_DAYS = 30
    publish("orders")
    answer = client.post(IMPORTS, {"text": FILE, "autoMap": True}, format="json")
    record_id = answer.json()["recordId"]
    advance(record_id)
    wishes = {"applyMode": "browser", "openQuestions": "dismiss", "staged": True}
    assert client.post(f"{IMPORTS}/{record_id}/apply", wishes, format="json").status_code == 202
    advance(record_id)
    assert Changeset.objects.get().state == "staged"
    long_ago = clock.now() - timedelta(days=31)
    ImportRecord.objects.update(created_at=long_ago)
    Move.objects.update(at=long_ago)
    Revision.objects.update(created_at=long_ago)
    Question.objects.update(answered_at=None)

    purge()

    record = ImportRecord.objects.get()
    assert (record.state, record.purged_at is None) == ("cancelled", False)
    assert Changeset.objects.get().state == "discarded"
