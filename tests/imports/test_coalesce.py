"""The first filled of several columns feeds a field, from a file to the receiver."""

from ipaddress import ip_network

import pytest

from tests.deliveries.conftest import make_host
from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.received import delivered_to

__all__ = ["make_host"]  # fixtures

TEXT = "Name,Mobile,Office\nAda,0171 1,030 2\nBob, ,030 4\nCyd,,\n"


@pytest.mark.django_db(transaction=True)  # the dispatcher's threads
def test_the_first_filled_column_is_delivered_and_explained(owner, client, make_host, settings):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    host = make_host()
    client.post(f"{V1}/webhooks", {"url": host.url}, format="json")
    publish_fields(owner, "name", "phone")
    step = {"do": "coalesce", "columns": ["Mobile", "Office"], "into": "Any"}
    imported = Imported(client, TEXT)
    wanted = {
        "mapping": {"Name": "p.name", "Any": "p.phone"},
        "recipe": {"version": 1, "steps": [step]},
    }
    assert imported.put("mapping", wanted).status_code == 202

    story = client.get(imported.url("rows/1/explain")).json()
    imported.apply()
    (body,) = delivered_to(host)

    assert [row["p.phone"] for row in body["rows"]] == ["0171 1", "030 4", None]
    assert body["mapping"] == {"Name": "p.name", "Mobile": "p.phone", "Office": "p.phone"}
    (cell,) = [cell for cell in story["cells"] if cell["field"] == "p.phone"]
    assert cell["texts"] == {"Office": "030 4"}
    assert [place["cell"] or place["column"] for place in cell["places"]] == [2]


@pytest.mark.django_db
def test_a_column_that_is_not_there_is_named_with_the_step(owner, client):
    publish_fields(owner, "name")
    step = {"do": "coalesce", "columns": ["Mobile", "Fax"], "into": "Any"}

    wanted = {"mapping": {"Any": "p.name"}, "recipe": {"version": 1, "steps": [step]}}
    refused = Imported(client, TEXT).put("mapping", wanted)

    assert refused.status_code == 400
    assert "“Fax”" in refused.json()["errors"][0]["detail"]
