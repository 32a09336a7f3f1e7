"""Review over HTTP, with real transforms in between."""

import pytest

from tests.imports.conftest import carry_on

pytestmark = pytest.mark.django_db
IMPORTS = "/api/import/v1/imports"


def test_a_new_mapping_keeps_the_edits_and_lists_those_without_a_cell(publish, upload, client):
    publish("orders")
    record = upload("orders-cp1252.csv", autoMap="true")
    url = f"{IMPORTS}/{record['recordId']}"
    rows = client.post(f"{url}/rows/query", {"limit": 2}, format="json").json()["rows"]
    mapping = client.get(f"{url}/mapping").json()["mapping"]
    field = next(iter(mapping.values()))
    edits = [{"row": 1, "field": field, "text": "EDITED-1"}]
    body = {"revision": 1, "edits": edits, "exclude": [0]}
    assert client.patch(f"{url}/rows", body, format="json").status_code == 200

    assert client.put(f"{url}/mapping", {"mapping": mapping}, format="json").status_code == 202
    again = carry_on(client, record["recordId"])

    page = client.post(f"{url}/rows/query", {"limit": 2}, format="json").json()
    assert (again["state"], again["revision"]) == ("review", page["revision"])
    assert [row["sourceRow"] for row in page["rows"]] == [row["sourceRow"] for row in rows]
    assert (page["rows"][0]["excluded"], page["rows"][1]["edited"]) == (True, [field])
    assert page["rows"][1]["values"][field] == "EDITED-1"
    assert again["counts"]["excluded"] == 1
    assert client.get(f"{url}/rows/lost").json() == {"items": []}


def test_another_header_row_keeps_the_edits_of_rows_that_are_still_there(publish, upload, client):
    publish("orders")
    record = upload("orders-cp1252.csv", autoMap="true")
    url = f"{IMPORTS}/{record['recordId']}"
    mapping = client.get(f"{url}/mapping").json()["mapping"]
    field = next(iter(mapping.values()))
    table = client.get(f"{url}/tables").json()["tables"][0]
    edits = [{"row": 1, "field": field, "text": "EDITED-1"}]
    body = {"revision": 1, "edits": edits}
    source_row = client.patch(f"{url}/rows", body, format="json").json()["rows"][0]["sourceRow"]

    choice = {"table": 0, "headerRows": table["headerRows"]}
    assert client.put(f"{url}/reading", choice, format="json").status_code == 202
    record = carry_on(client, record["recordId"])
    if record["state"] == "mapping":
        client.put(f"{url}/mapping", {"mapping": mapping}, format="json")
        record = carry_on(client, record["recordId"])

    view = {"view": {"filter": "edited"}}
    (row,) = client.post(f"{url}/rows/query", view, format="json").json()["rows"]
    assert (record["state"], row["sourceRow"]) == ("review", source_row)
    assert row["values"][field] == "EDITED-1"
