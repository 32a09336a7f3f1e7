"""A catalog of orders whose imports people correct, and what its analytics say."""

from ipaddress import ip_network

import pytest

from analytics.models import CorrectedHeader
from common import clock
from deliveries.services import register
from tests.imports.asked import Imported
from tests.imports.conftest import carry_on
from workflow.worker import advance

V1 = "/api/import/v1"
ORDERS = f"{V1}/catalogs/orders"
CATALOG = {
    "entries": [
        {
            "id": "order",
            "fields": [
                {"key": "number", "label": "Nummer", "required": True},
                {"key": "depot", "label": "Depot"},
                {"key": "mail", "label": "Mail", "columnType": "email"},
                {
                    "key": "status",
                    "label": "Status",
                    "columnType": "category",
                    "dropdownOptions": [
                        {"type": "string", "value": "open", "label": "Open"},
                        {"type": "string", "value": "done", "label": "Done"},
                    ],
                },
            ],
        }
    ]
}
FILE = "Nummer;{header};Status\nA1;k7;zu\nA2;k9;Open\n"
MAPPING = {"Nummer": "order.number", "Status": "order.status"}


@pytest.fixture
def editor(owner, mint_key, client_of):
    return client_of(mint_key(entitlements=("catalogEditor",)))


@pytest.fixture
def published(editor):
    editor.put(f"{ORDERS}/draft", CATALOG, format="json")
    return editor.post(f"{ORDERS}/publish").json()


@pytest.fixture
def receiver(owner, settings):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    register(tenant=owner, url="http://127.0.0.1:9/apply", at=clock.now())


@pytest.fixture
def imported(client, published, receiver):
    """Return a function that imports a file whose header and text a person corrects."""

    def imported(header: str = "Kürzel", **members) -> Imported:
        made = Imported(client, FILE.format(header=header), **members)
        mapping = {**MAPPING, header: "order.depot"}
        client.put(made.url("mapping"), {"mapping": mapping}, format="json")
        carry_on(client, made.id)
        values = {"values": {"zu": "done"}}
        if client.get(made.url("")[:-1]).json()["counts"]["error"]:
            client.put(made.url("values/order.status"), values, format="json")
            carry_on(client, made.id)
        made.apply()
        assert made.state == "applied", made.record
        return made

    return imported


def analytics(client, **query) -> dict:
    answer = client.get(f"{ORDERS}/analytics", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


@pytest.fixture
def keep(editor):
    """Return a function that keeps a text as a test file, with what the draft makes of it."""

    def keep(text: str, **members) -> None:
        editor.put(f"{ORDERS}/draft", CATALOG, format="json")
        made = editor.post(f"{ORDERS}/draft/test", {"text": text}, format="json").json()
        advance(made["recordId"])
        body = {"recordId": made["recordId"], "name": "kept", **members}
        assert editor.post(f"{ORDERS}/tests", body, format="json").status_code == 201

    return keep


def correction(owner, header: str, field: str, imports: int = 2, scope: str = "") -> None:
    CorrectedHeader.objects.create(
        digest=f"{scope}{header}{field}",
        tenant=owner.public_id,
        scope=scope,
        catalog="orders",
        header=header,
        field=field,
        imports=imports,
        last_at=clock.now(),
    )
