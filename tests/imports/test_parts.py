"""An import is uploaded in parts over HTTP, up to the host's answer."""

import json

import pytest

from deliveries.services.attempt import new_client
from deliveries.services.dispatch import Dispatcher
from tests.deliveries.conftest import loopback_allowed, make_host
from tests.imports.conftest import EXAMPLES, carry_on
from tests.receiving import assert_delivery

__all__ = ["loopback_allowed", "make_host"]
pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"


def test_a_host_gets_an_import_in_parts_of_the_size_it_asked_for(
    publish, upload, client, make_host
):
    host = make_host()
    publish("orders")
    client.post(f"{V1}/webhooks", {"url": host.url, "maxRowsPerDelivery": 4}, format="json")
    record_id = upload("orders-cp1252.csv", autoMap="true")["recordId"]
    client.post(f"{V1}/imports/{record_id}/apply", {"invalidRows": "exclude"}, format="json")
    record = carry_on(client, record_id)

    Dispatcher(client=new_client()).run()

    expected = json.loads((EXAMPLES / "expected" / "orders.json").read_bytes())["rows"]
    for received in host.received:
        assert_delivery(received, url=host.url)
    bodies = [json.loads(received.body) for received in host.received]
    bodies.sort(key=lambda body: body["batch"]["index"])
    count = len(bodies)
    assert [body["batch"] for body in bodies] == [
        {"index": index + 1, "count": count} for index in range(count)
    ]
    assert count == -(-len(expected) // 4) > 1
    assert [row for body in bodies for row in body["rows"]] == expected
    log = client.get(f"{V1}/deliveries?recordId={record_id}").json()["items"]
    assert {item["id"] for item in log} == {body["deliveryId"] for body in bodies}
    assert {item["state"] for item in log} == {"delivered"}
    assert sum(item["rowCount"] for item in log) == record["counts"]["imported"] == len(expected)
