"""JSON bodies are small; larger content is a file, and the answer says so."""

import json

import pytest

from tests.imports.conftest import client, owner, publish

__all__ = ["client", "owner", "publish"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


def test_a_json_body_over_the_limit_says_to_send_a_file(client, publish, settings):
    publish("orders")
    settings.MAX_JSON_BYTES = 1000
    body = json.dumps({"text": "a" * 2000, "catalogKey": "orders"})

    answer = client.post(f"{V1}/imports", body, content_type="application/json")

    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert "file" in answer.json()["detail"]


def test_more_rows_than_a_page_has_are_a_file(client, publish):
    publish("orders")

    answer = client.post(
        f"{V1}/imports", {"rows": [[1]] * 10_001, "catalogKey": "orders"}, format="json"
    )

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "/rows"
    assert "file" in answer.json()["errors"][0]["detail"]


@pytest.mark.parametrize("levels", [101, 940, 5_000])
@pytest.mark.parametrize(
    ("method", "path", "member"),
    [
        ("post", "/imports", "meta"),
        ("post", "/webhooks", "url"),
        ("put", "/catalogs/orders/draft", "entries"),
    ],
)
def test_json_nested_too_deep_is_refused(client, mint_key, client_of, method, path, member, levels):
    editor = client_of(mint_key(plan="enterprise", entitlements=("catalogEditor",)))
    body = f'{{"{member}": {deep(levels)}}}'

    answer = getattr(editor, method)(V1 + path, body, content_type="application/json")

    assert answer.status_code in {400, 422}, answer.content
    assert answer.json()["status"] in {400, 422}


def test_json_as_deep_as_anybody_needs_is_read(client, publish):
    publish("orders")
    meta = json.loads('{"a":' * 60 + "1" + "}" * 60)

    answer = client.post(
        f"{V1}/imports", {"text": "A,B\n1,2\n", "meta": meta, "catalogKey": "orders"}, format="json"
    )

    assert answer.status_code == 202
