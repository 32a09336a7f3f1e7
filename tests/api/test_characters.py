"""NUL and unpaired surrogates are refused from every source; PostgreSQL cannot store them."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.imports.conftest import carry_on, client, owner, publish, upload

__all__ = ["carry_on", "client", "owner", "publish", "upload"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
NUL, HALF = "\0", "\ud800"


@pytest.mark.parametrize(
    "address",
    [
        "imports/rec_%00",
        "catalogs/a%00b",
        "imports/rec_1/values/a%00",
        "imports?cursor=a%00",
        "deliveries?recordId=%00",
        "questions/%00",
    ],
)
def test_an_address_with_a_nul_is_refused(client, address):
    answer = client.get(f"{V1}/{address}")

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("character", [NUL, HALF])
@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("imports", {"text": "a?"}, "/text"),
        ("imports", {"text": "a", "filename": "?"}, "/filename"),
        ("imports", {"text": "a", "meta": {"b": ["?"]}}, "/meta/b/0"),
        ("imports", {"text": "a", "context": {"?": 1}}, "/context"),
        ("imports", {"rows": [{"?": "b"}]}, "/rows/0"),
    ],
)
def test_a_text_of_a_body_that_cannot_be_kept_is_refused_at_its_place(
    client,
    path,
    body,
    pointer,
    character,
):
    text = json.dumps(body).replace("?", json.dumps(character)[1:-1])
    answer = client.post(f"{V1}/{path}", text, content_type="application/json")

    assert answer.status_code == 400
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


@pytest.mark.parametrize("character", [NUL, HALF])
def test_a_form_is_not_a_way_around_that(publish, upload, character):
    publish("orders")

    answer = upload("orders-cp1252.csv", meta=json.dumps({"a": character}))

    assert [error["pointer"] for error in answer["errors"]] == ["/meta"]


def test_a_backslash_before_a_u_is_text_like_any_other(client, publish):
    publish("orders")
    body = {"text": "a\nb", "meta": {"path": r"C:\u0000"}}

    assert client.post(f"{V1}/imports", body, format="json").status_code == 202


@pytest.mark.parametrize("name", ["n.csv", "n.json"])
@pytest.mark.parametrize("label", ["Status", "Sta\0tus"])
def test_a_nul_in_a_file_does_not_get_in_the_way(
    client,
    publish,
    name,
    label,
):
    publish("orders")
    rows = [
        {"Auftrags-Nr.": f"A-{i}", "Kunde": "Ada", label: "offen", "Menge": "2"} for i in range(40)
    ]
    rows[0] |= {"Kunde": "Ad\0a", label: "wib\0ble"}
    content = json.dumps(rows)
    if name == "n.csv":
        lines = [rows[0].keys(), *(row.values() for row in rows)]
        content = "".join(";".join(line) + "\n" for line in lines)
    file = SimpleUploadedFile(name, content.encode())
    answer = client.post(f"{V1}/imports", {"file": file}).json()
    url = f"{V1}/imports/{answer['recordId']}"
    assert carry_on(client, answer["recordId"])["state"] == "mapping"
    proposed = client.get(f"{url}/mapping").json()["proposed"]
    client.put(f"{url}/mapping", {**proposed, "allowMissing": True}, format="json")
    assert carry_on(client, answer["recordId"])["state"] == "review"

    edit = {"row": 0, "field": "orders.customer", "text": "Bob"}
    changed = client.patch(f"{url}/rows", {"revision": 1, "edits": [edit]}, format="json")
    texts = client.get(f"{url}/values/orders.status").json()["unmatched"]
    settled = client.put(
        f"{url}/values/orders.status", {"values": {texts[0]["value"]: "open"}}, format="json"
    )

    assert (changed.status_code, settled.status_code, len(texts)) == (200, 202, 1)
    assert carry_on(client, answer["recordId"])["state"] == "review"
