"""Giving up an import while it is applied leaves nothing half made."""

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

    from imports.advancing import advance

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
    assert [one.state for one in Changeset.objects.all()] == ["discarded"]
    assert not Delivery.objects.exists()


def test_bodies_of_an_apply_that_was_cancelled_meanwhile_are_removed(applying, monkeypatch):
    real = services._store_bodies

    def cancelled_meanwhile(*arguments):
        stored = list(real(*arguments))
        mine = ImportRecord.objects.get(pk=applying.pk)
        services.cancel(record=mine, actor=ENGINE, at=clock.now())
        return stored

    monkeypatch.setattr(services, "_store_bodies", cancelled_meanwhile)
    with pytest.raises(StaleState):
        services.write_deliveries(applying, Reporter(applying))

    assert bodies() == []
    assert not Delivery.objects.exists()
    assert [one.state for one in Changeset.objects.all()] == ["discarded"]
