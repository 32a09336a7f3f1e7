"""A value outside its field's options keeps its text from the file to the receiver."""

import json
from ipaddress import ip_network

import pytest

from common import clock
from deliveries import bodies
from deliveries.models import Delivery
from deliveries.services import register
from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.conftest import carry_on, client, owner

__all__ = ["client", "owner"]  # fixtures

pytestmark = pytest.mark.django_db
SIZES = [{"label": "Small", "type": "string", "value": "S"}]
TEXT = "Name,Size\nAda,S\n,M\nBob,XXL\nEve,Small\n"


@pytest.mark.parametrize("mode", ["webhook", "browser"])
def test_a_custom_option_is_named_where_the_host_reads_it(client, owner, settings, mode):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    register(tenant=owner, url="http://127.0.0.1:9/apply", at=clock.now())
    publish_fields(
        owner,
        {"key": "name", "required": True},
        {"key": "size", "columnType": "category", "dropdownOptions": SIZES}
        | {"allowCustomOptions": True},
    )
    imported = Imported(client, TEXT, autoMap=True)
    url = f"{V1}/imports/{imported.id}"
    rows = client.post(f"{url}/rows/query", {}, format="json").json()["rows"]
    assert [row["customOptions"] for row in rows] == [[], ["p.size"], ["p.size"], []]

    wishes = {"applyMode": mode, "invalidRows": "exclude"}  # the row without a name stays here
    assert client.post(f"{url}/apply", wishes, format="json").status_code == 202
    carry_on(client, imported.id)

    named = [{"row": 1, "field": "p.size", "value": "XXL"}]
    assert client.get(f"{url}/results").json()["customOptions"] == named
    assert client.get(f"{url}/results?cursor=2").json()["customOptions"] == []
    if mode == "webhook":
        (delivery,) = Delivery.objects.all()
        assert json.loads(bodies.content(delivery))["customOptions"] == named
