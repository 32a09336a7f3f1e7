"""Contracts over HTTP. Spec: Portable import contract."""

import json
from datetime import timedelta

import jsonschema
import pytest

from common import clock
from contracts import signing
from signatures.keysets import read_named_keys
from tests.contracts.conftest import client, export, owner, profile, publish, upload, version

__all__ = ["client", "export", "owner", "profile", "publish", "upload", "version"]  # fixtures

pytestmark = pytest.mark.django_db
CONTRACTS = "/api/import/v1/contracts"


def test_a_contract_is_signed_and_its_bundle_verifies_with_the_public_keys(
    client, client_of, version, profile
):
    made = client.post(CONTRACTS, {"profileId": "prf_one", "title": "T"}, format="json")
    nobody = client_of("")
    nobody.credentials()

    assert made.status_code == 201, made.content
    assert (made.json()["catalogKey"], made.json()["catalogVersion"]) == ("orders", 1)
    answer = client.get(made["Location"])
    keys = nobody.get(f"{CONTRACTS}/keys?tenant=tnt_owner")
    schema = nobody.get(f"{CONTRACTS}/schema")
    opened = signing.open_bundle(answer.content)
    signing.verify(opened, read_named_keys(keys.json()))
    assert opened.contract.id == made.json()["contractId"]
    assert answer["Content-Type"] == "application/json"
    assert client.get(made["Location"], HTTP_IF_NONE_MATCH=answer["ETag"]).status_code == 304
    assert keys["Content-Type"] == "application/jwk-set+json"
    assert {key["alg"] for key in keys.json()["keys"]} == {"ES256"}
    assert not any("d" in key for key in keys.json()["keys"])
    jsonschema.Draft202012Validator(schema.json()).validate(answer.json())


def test_the_keys_of_one_tenant_can_be_asked_for(client, export):
    export()

    assert len(client.get(f"{CONTRACTS}/keys?tenant=tnt_owner").json()["keys"]) == 1
    assert client.get(f"{CONTRACTS}/keys?tenant=tnt_other").json() == {
        "tenant": "tnt_other",
        "keys": [],
    }


def test_the_public_keys_are_asked_for_by_tenant(client):
    unnamed = client.get(f"{CONTRACTS}/keys")

    assert unnamed.status_code == 400
    assert unnamed.json()["errors"][0]["parameter"] == "tenant"
    assert client.get(f"{CONTRACTS}/keys?tenant=tnt_owner").json()["tenant"] == "tnt_owner"


def test_the_same_call_again_signs_nothing_new(client, version):
    first, again = (
        client.post(CONTRACTS, {}, format="json", HTTP_IDEMPOTENCY_KEY="once") for _ in range(2)
    )

    assert first.json() == again.json()
    assert len(client.get(CONTRACTS).json()["items"]) == 1


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"title": "x" * 201}, "/title"),
        ({"policy": {"maxRows": 0}}, "/policy/maxRows"),
        ({"policy": {"maxRows": 2**53}}, "/policy/maxRows"),
        ({"policy": {"encodings": ["utf-8", "klingon"]}}, "/policy/encodings/1"),
        ({"policy": {"encodings": ["hex"]}}, "/policy/encodings/0"),
        ({"policy": {"other": 1}}, "/policy/other"),
        ({"other": 1}, "/other"),
    ],
)
def test_what_cannot_be_signed_is_named(client, version, body, pointer):
    answer = client.post(CONTRACTS, body, format="json")

    assert answer.status_code == 400
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"catalogKey": "other"}, 404, "unknown_catalog"),
        ({"catalogVersion": 7}, 404, "unknown_version"),
        ({"profileId": "prf_other"}, 404, "unknown_profile"),
        ({"profileId": "prf_one", "catalogKey": "stock"}, 409, "profile_other_catalog"),
        ({"expiresAt": "2020-01-01T00:00:00Z"}, 409, "never_in_force"),
    ],
)
def test_what_is_not_there_is_said(client, profile, body, status, code):
    answer = client.post(CONTRACTS, body, format="json")

    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_two_contracts_are_compared(client, export):
    old, new = export(max_rows=10), export(max_rows=5, title="Smaller")

    body = client.get(f"{CONTRACTS}/{old.contract_id}/diff/{new.contract_id}").json()

    assert body["breaking"] is True
    assert {
        "place": "policy",
        "member": "maxRows",
        "kind": "changed",
        "breaking": True,
        "before": 10,
        "after": 5,
    } in body["changes"]


def verify(client, text):
    return client.post(f"{CONTRACTS}/verify", text, content_type="application/json")


def test_a_bundle_of_ours_is_verified(client, export):
    issued = export()

    answer = verify(client, issued.bundle)

    assert answer.status_code == 200, answer.content
    assert answer.json()["verified"] is True
    assert answer.json()["contractId"] == issued.contract_id


def test_a_bundle_that_was_changed_is_a_problem_with_its_place(client, export):
    document = json.loads(export().bundle)
    document["contract"]["policy"]["maxRows"] = -1

    answer = verify(client, json.dumps(document))

    assert (answer.status_code, answer.json()["code"]) == (422, "contract_invalid")
    assert answer.json()["errors"][0]["pointer"] == "/contract/policy/maxRows"


@pytest.mark.parametrize(
    ("text", "status", "code"),
    [
        ("", 422, "malformed_bundle"),
        ("[1.10]", 422, "malformed_bundle"),
        ("[]", 422, "contract_invalid"),
        ('{"contract":1,"contract":2}', 409, "malformed_bundle"),
        ('{"contract":1.10}', 409, "malformed_bundle"),
    ],
)
def test_what_is_not_a_bundle_is_a_problem(client, version, text, status, code):
    answer = verify(client, text)

    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_keys_are_rotated_and_revoked(client, export):
    issued = export()
    fresh = client.post(f"{CONTRACTS}/keys/rotate").json()

    assert verify(client, issued.bundle).status_code == 200
    revoked = client.post(f"{CONTRACTS}/keys/{issued.key.kid}/revoke").json()
    assert revoked["revokedAt"] is not None
    assert verify(client, issued.bundle).json()["code"] == "contract_key_unknown"
    assert client.get(CONTRACTS).json()["items"][0]["keyRevoked"] is True
    kids = [key["kid"] for key in client.get(f"{CONTRACTS}/keys?tenant=tnt_owner").json()["keys"]]
    assert kids == [fresh["keyId"]]


def test_an_expired_contract_is_no_longer_verified(client, export, monkeypatch):
    issued = export(expires_at=clock.now() + timedelta(minutes=1))
    later = clock.now() + timedelta(minutes=2)
    monkeypatch.setattr("api.v1.contracts.clock.now", lambda: later)

    answer = client.post(f"{CONTRACTS}/verify", issued.bundle, content_type="application/json")

    assert (answer.status_code, answer.json()["code"]) == (409, "contract_expired")


@pytest.fixture
def editor(owner, mint_key, client_of):
    return client_of(mint_key("tnt_owner", entitlements=("catalogEditor",)))


def test_a_bundle_becomes_a_new_catalog(editor, export):
    issued = export(title="Taken over")

    address = "/api/import/v1/catalogs/copied/draft"
    made = editor.put(f"{address}/contract", issued.bundle, content_type="application/json")

    assert made.status_code == 200, made.content
    draft = editor.get(address).json()
    assert (draft["key"], draft["title"]) == ("copied", "Taken over")
    assert draft["entries"] == json.loads(issued.bundle)["contract"]["catalog"]
    assert editor.post("/api/import/v1/catalogs/copied/publish").status_code == 200


def test_a_bundle_that_was_changed_becomes_no_catalog(editor, export):
    text = export().bundle.replace('"title":"', '"title":"x')

    address = "/api/import/v1/catalogs/copied/draft/contract"
    answer = editor.put(address, text, content_type="application/json")

    assert (answer.status_code, answer.json()["code"]) == (409, "contract_id_mismatch")


def test_a_draft_says_what_it_changes_for_contracts_in_force(editor, export):
    issued, revoked = export(), export(title="Gone")
    address = "/api/import/v1/catalogs/orders/draft"
    document = json.loads(issued.catalog_version.document)
    editor.put(address, document, format="json")
    nothing = editor.get(f"{address}/impact").json()
    del document["entries"][0]["fields"][0]
    editor.put(address, document, format="json")

    impact = editor.get(f"{address}/impact").json()

    assert (nothing["breaking"], nothing["contracts"]) == (False, [])
    assert impact["breaking"] is True
    assert {contract["contractId"] for contract in impact["contracts"]} == {
        issued.contract_id,
        revoked.contract_id,
    }
    (change,) = impact["contracts"][0]["changes"]
    assert (change["place"], change["kind"]) == ("orders.order_number", "removed")
    editor.post(f"{CONTRACTS}/keys/{issued.key.kid}/revoke")
    assert editor.get(f"{address}/impact").json()["contracts"] == []
