"""Imports in work with a catalog that is retired finish on the version they began with."""

import json
from ipaddress import ip_network

import pytest

from catalogs import services as catalogs
from common import clock
from common.actors import ENGINE
from deliveries import bodies
from deliveries.models import Delivery
from deliveries.services import register
from tests.imports.conftest import carry_on

pytestmark = pytest.mark.django_db
IMPORTS = "/api/import/v1/imports"
ORDERS = "orders-cp1252.csv"


@pytest.fixture
def retire(owner):
    def retire(key: str) -> None:
        catalogs.retire(tenant=owner, key=key, at=clock.now(), actor=ENGINE)

    return retire


def test_no_import_begins_with_a_retired_catalog_and_the_other_is_the_only_one(
    publish, retire, upload
):
    publish("orders")
    publish("prices")
    assert upload(ORDERS)["code"] == "catalog_key_required"

    retire("prices")

    assert upload(ORDERS)["catalogKey"] == "orders"
    assert upload(ORDERS, catalogKey="prices")["code"] == "unknown_catalog"


def test_an_import_in_work_is_read_again_mapped_and_applied_as_it_began(
    owner, publish, retire, upload, client, settings
):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    register(tenant=owner, url="http://127.0.0.1:9/apply", at=clock.now())
    publish("orders")
    record = upload(ORDERS)
    url = f"{IMPORTS}/{record['recordId']}"

    retire("orders")
    client.put(f"{url}/reading", {"encoding": "cp1252"}, format="json")
    carry_on(client, record["recordId"])
    proposed = client.get(f"{url}/mapping").json()["proposed"]
    assert client.put(f"{url}/mapping", proposed, format="json").status_code == 202
    carry_on(client, record["recordId"])
    wishes = {"invalidRows": "exclude", "openQuestions": "dismiss"}
    assert client.post(f"{url}/apply", wishes, format="json").status_code == 202

    assert carry_on(client, record["recordId"])["state"] == "applied"
    body = json.loads(bodies.content(Delivery.objects.get()))
    assert (body["catalogKey"], body["catalogVersion"]) == ("orders", 1)
