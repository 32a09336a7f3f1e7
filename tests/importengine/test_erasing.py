"""A customer's data is deleted whole: rows, files and memory; others keep theirs."""

from io import StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from analytics.models import Day
from common import clock, storage
from deliveries.services import register
from importengine.models import Erasure
from imports.models import ImportRecord
from licensing.models import License, Tenant
from tests.imports.conftest import carry_on, client, owner, publish

__all__ = ["client", "owner", "publish"]  # fixtures
pytestmark = pytest.mark.django_db
IMPORTS = "/api/import/v1/imports"
FILE = (
    "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
    "A-1;05.02.2026;Ada;ada@example.com;Stuhl;2;1.249,00;2.498,00;offen\n"
)
KEPT = {"Tenant", "License"}  # so that a revoked key stays revoked


@pytest.fixture
def apply_one(publish, client, owner, settings):
    from ipaddress import ip_network

    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    register(tenant=owner, url="http://127.0.0.1:9/apply", at=clock.now())
    publish("orders")

    def apply_one(scope: str = "") -> str:
        body = {"text": FILE, "autoMap": True}
        record_id = client.post(IMPORTS, body, format="json").json()["recordId"]
        ImportRecord.objects.filter(public_id=record_id).update(scope=scope)
        assert carry_on(client, record_id)["state"] == "review"
        wishes = {"invalidRows": "exclude", "openQuestions": "dismiss"}
        client.post(f"{IMPORTS}/{record_id}/apply", wishes, format="json")
        assert carry_on(client, record_id)["state"] == "applied"
        return record_id

    return apply_one


def erase(*arguments: str) -> str:
    out = StringIO()
    call_command("erase", *arguments, stdout=out)
    return out.getvalue()


def rows_of(tenant: Tenant) -> set[str]:
    """Return the models that still have rows of a tenant."""
    return {
        model.__name__
        for model in apps.get_models()
        for field in model._meta.fields
        if field.related_model is Tenant
        and model._default_manager.filter(**{field.name: tenant}).exists()
    }


def files() -> list[Path]:
    return [path for path in storage.root().rglob("*") if path.is_file()]


def test_nothing_of_a_tenant_stays_but_its_id_and_that_its_keys_are_revoked(
    apply_one, owner, client
):
    apply_one()
    License.objects.get_or_create(
        public_id="lic_1", tenant=owner, issued_at=clock.now(), expires_at=clock.now()
    )
    assert files()

    output = erase("tnt_owner", "--yes")

    assert rows_of(owner) <= KEPT
    assert files() == []
    assert not License.objects.filter(tenant=owner, revoked_at=None).exists()
    erasure = Erasure.objects.get()
    assert (erasure.tenant_id, erasure.scope) == ("tnt_owner", None)
    assert erasure.counts["ImportRecord"] == erasure.counts["Delivery"] == 1
    assert "1 ImportRecord" in output
    assert client.get(IMPORTS).status_code == 401 or client.get(IMPORTS).json()["items"] == []


def test_one_scope_goes_and_the_others_stay(apply_one, owner):
    gone, kept = apply_one("customer a"), apply_one("customer b")

    erase("tnt_owner", "--scope", "customer a", "--yes")

    assert list(ImportRecord.objects.values_list("public_id", flat=True)) == [kept]
    assert gone not in str(list(owner.deliveries.values_list("record_id", flat=True)))
    assert owner.deliveries.count() == 1
    assert storage.local_path(owner.deliveries.get().body_name).exists()
    assert owner.registrations.exists()
    assert owner.catalogs.exists()
    assert Erasure.objects.get().scope == "customer a"


def test_without_the_word_nothing_is_deleted(apply_one):
    apply_one()

    assert "1 import would be deleted" in erase("tnt_owner")
    assert ImportRecord.objects.count() == 1


def test_a_tenant_that_is_not_there_is_named():
    with pytest.raises(CommandError, match="There is no tenant tnt_nobody"):
        erase("tnt_nobody")


def test_the_counts_of_a_tenants_days_are_deleted_with_it(owner):
    for tenant in (owner.public_id, "tnt_other", ""):
        Day.objects.create(tenant=tenant, day=clock.now().date(), counts={"applied": 1})
    erase(owner.public_id, "--yes")

    assert set(Day.objects.values_list("tenant", flat=True)) == {"tnt_other", ""}
