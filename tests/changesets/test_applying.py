"""Which rows of which import an apply sends to which host."""

import json
from datetime import UTC, datetime
from ipaddress import ip_network

import pytest

from catalogs import services as catalogs
from changesets import services
from changesets.services import write_deliveries
from common.actors import ENGINE
from deliveries import bodies
from deliveries.models import Delivery
from deliveries.services import register
from imports.frozen_rows import NothingToApply
from imports.parts import Decided
from imports.progress import Reporter
from tests.staging.conftest import ADA, catalog_json
from tests.staging.test_editing import edit

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def loopback_allowed(settings):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)


ONE_BAD = {
    "id": ["K1", "K2"],
    "amount": ["x", "1"],
    "paid": ["2024-01-31"] * 2,
    "mail": ["a@b.de"] * 2,
    "note": ["Red"] * 2,
}


def apply(record, *, invalid_rows: str = "include") -> list[Delivery]:
    """Apply an import of the catalog ``t`` and write its deliveries."""
    services.apply(
        record=record, apply_mode="webhook", invalid_rows=invalid_rows, actor=ADA, at=NOON
    )
    record.refresh_from_db()
    write_deliveries(record, Reporter(record))
    return list(Delivery.objects.filter(record_id=record.public_id))


def url_of(name: str) -> str:
    return f"http://127.0.0.1:9/{name}"


def test_an_import_goes_to_the_registrations_of_its_catalog(in_review):
    record = in_review()
    for name, keys in (("any", None), ("both", ["orders", "t"]), ("other", ["orders"])):
        register(tenant=record.tenant, url=url_of(name), at=NOON, catalog_keys=keys)

    sent = apply(record)

    assert {delivery.registration.url for delivery in sent} == {url_of("any"), url_of("both")}


def test_an_import_that_no_registration_takes_says_so_and_is_not_applied(in_review):
    record = in_review()
    register(tenant=record.tenant, url=url_of("other"), at=NOON, catalog_keys=["orders"])

    with pytest.raises(services.NoWebhookRegistered, match="No webhook receives the catalog 't'"):
        apply(record)

    record.refresh_from_db()
    assert record.state == "review"


def test_a_delivery_names_the_catalog_version_its_rows_were_typed_by(in_review):
    record = in_review()
    register(tenant=record.tenant, url=url_of("any"), at=NOON)
    later = json.dumps(catalog_json() | {"title": "Later"}).encode()
    catalogs.publish_document(tenant=record.tenant, key="t", text=later, at=NOON, actor=ENGINE)

    (delivery,) = apply(record)

    body = json.loads(bodies.content(delivery))
    assert (body["catalogKey"], body["catalogVersion"]) == ("t", 1)


@pytest.mark.parametrize("apply_mode", ["webhook", "browser"])
def test_an_apply_of_no_rows_is_refused_and_says_where_they_are(in_review, apply_mode):
    record = in_review(ONE_BAD)
    register(tenant=record.tenant, url=url_of("any"), at=NOON)
    edit(record, exclude=[1])
    wishes = {"record": record, "apply_mode": apply_mode, "actor": ADA, "at": NOON}

    with pytest.raises(NothingToApply, match="1 row is excluded and 1 row has errors"):
        services.apply(invalid_rows="exclude", **wishes)

    assert not record.changesets.exists()
    assert services.apply(invalid_rows="include", **wishes).counts["imported"] == 1


def test_the_mapping_of_a_delivery_names_columns_of_the_file(in_review):
    record = in_review()
    steps = [{"do": "split", "column": "id", "separator": "-", "into": ["first", "rest"]}]
    mapping = {"first": "e.id", "rest": "e.note", "mail": "e.mail"}
    record.decided = Decided(mapping, {"version": 1, "steps": steps})
    record.save()
    register(tenant=record.tenant, url=url_of("any"), at=NOON)

    (delivery,) = apply(record)

    body = json.loads(bodies.content(delivery))
    assert body["mapping"] == {"id": "e.id", "id (2)": "e.note", "mail": "e.mail"}


def test_a_delivery_has_every_member_that_is_promised(in_review):
    record = in_review()
    record.meta = {"customer": 7}
    record.save()
    register(tenant=record.tenant, url=url_of("any"), at=NOON)

    (delivery,) = apply(record)

    body = json.loads(bodies.content(delivery))
    assert (body["event"], body["action"]) == ("import.apply", "submit")
    assert (body["deliveryId"], body["deliveryId"][:4]) == (delivery.public_id, "dlv_")
    assert (body["tenantId"], body["recordId"]) == ("tnt_owner", record.public_id)
    assert record.public_id.startswith("rec_")
    assert body["rowCount"] == len(body["rows"]) == 6
    assert set(body["rows"][0]) == set(body["mapping"].values())
    assert body["occurredAt"] == "2026-11-20T12:00:00.000Z"
    assert body["meta"] == {"customer": 7}
    assert "entities" not in body
    assert "links" not in body


def test_without_a_context_of_the_host_a_delivery_has_no_meta(in_review):
    record = in_review()
    register(tenant=record.tenant, url=url_of("any"), at=NOON)

    (delivery,) = apply(record)

    assert "meta" not in json.loads(bodies.content(delivery))
