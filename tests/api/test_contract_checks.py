"""Checks of files over HTTP, and imports that name a contract. docs/contracts.md."""

import json
from datetime import timedelta
from ipaddress import ip_network

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from common import clock, storage
from contracts import signing
from contracts.models import IssuedContract
from deliveries.models import Delivery
from deliveries.services import register
from imports.models import ImportRecord
from tabular import versions
from tests.contracts.bundles import SIGNER, bundle
from tests.contracts.conftest import client, export, owner, profile, publish, upload, version
from tests.imports.conftest import carry_on
from workflow.retention import purge
from workflow.worker import advance

__all__ = ["client", "export", "owner", "profile", "publish", "upload", "version"]  # fixtures

pytestmark = pytest.mark.django_db
IMPORTS = "/api/import/v1/imports"
CHECK = "/api/import/v1/contracts/check"
HEADER = "\n\nNo;Day;Who;What;How many;Each;State\n"  # in row 2 as the profile counts
GOOD = HEADER + "A-1;05.02.2026;Ada;Stuhl;2;7,50;open\nA-2;06.02.2026;Bob;Tisch;1;9,00;open\n"


@pytest.fixture
def settled(profile):
    """Return the profile without a header row, so that a preamble is optional."""
    profile.header_row = None
    profile.save()
    return profile


def checked(client, text=GOOD, **members):
    made = client.post(CHECK, {"text": text, **members}, format="json")
    assert made.status_code == 202, made.content
    advance(made.json()["checkId"])
    return client.get(made["Location"]).json()


def test_a_file_is_checked_against_a_contract_of_ours(client, export, settled):
    issued = export(settled)

    good = checked(client, contractId=issued.contract_id)
    bad = checked(client, GOOD.replace("05.02.2026", "soon"), contractId=issued.contract_id)

    assert (good["state"], good["accepted"], good["problem"]) == ("checked", True, None)
    assert (bad["state"], bad["accepted"]) == ("checked", False)
    assert bad["report"]["counts"]["byCode"] == {"not_a_date": 1}
    assert bad["report"]["issues"][0]["value"] == "soon"


def test_a_file_is_checked_as_multipart_too(client, export, settled, tmp_path):
    file = tmp_path / "orders.csv"
    file.write_text(GOOD, "utf-8")
    with file.open("rb") as handle:
        body = {"file": handle, "contractId": export(settled).contract_id}
        made = client.post(CHECK, body)
    advance(made.json()["checkId"])

    assert client.get(made["Location"]).json()["report"]["file"]["name"] == "orders.csv"


def test_a_bundle_of_another_tenant_is_checked_with_their_keys(client, owner):
    from signatures.keysets import public_jwk

    keys = json.dumps({"keys": [public_jwk(SIGNER.public_key())]})
    text = "Order No,Amount,Mail\nA1,1.50,a@example.com\n"

    answer = checked(client, text, bundle=bundle(), keys=keys)

    assert answer["accepted"] is True
    assert answer["report"]["contract"]["title"] == "Orders"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"contractId": "sha256:0"}, 404, "unknown_contract"),
        ({}, 400, "invalid_request"),
        ({"bundle": "{}"}, 422, "contract_invalid"),
        ({"bundle": bundle()}, 409, "contract_key_unknown"),
        ({"bundle": bundle(), "keys": "{}"}, 400, "invalid_request"),
    ],
)
def test_a_contract_that_is_not_accepted_checks_nothing(client, owner, body, status, code):
    answer = client.post(CHECK, {"text": GOOD, **body}, format="json")

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not ImportRecord.objects.exists()


def test_a_bundle_that_is_named_too_must_be_that_contract(client, export, settled):
    issued = export(settled)
    named = {"bundle": json.loads(issued.bundle), "contractId": issued.contract_id}

    assert checked(client, **named)["accepted"] is True
    other = client.post(CHECK, {"text": GOOD, **named, "contractId": "sha256:0"}, format="json")
    assert (other.status_code, other.json()["code"]) == (409, "contract_id_mismatch")


@pytest.mark.parametrize(
    ("keys", "status", "code"),
    [
        ({"keys": [{"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}]}, 409, "unusable_keys"),
        ({"keys": [{"kty": "RSA"}]}, 409, "contract_key_unknown"),
        ({"keys": [{"kty": "EC", "d": "secret"}]}, 409, "unusable_keys"),
        ({"keys": [5]}, 400, "invalid_request"),
    ],
)
def test_keys_that_prove_nothing_check_nothing(client, owner, keys, status, code):
    body = {"text": GOOD, "bundle": bundle(), "keys": keys}

    answer = client.post(CHECK, body, format="json")

    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_file_that_cannot_be_read_fails_with_its_problem(client, export, settled):
    answer = checked(client, "%PDF-1.7 broken", contractId=export(settled).contract_id)

    assert (answer["state"], answer["accepted"]) == ("failed", None)
    assert answer["problem"]["code"]


def test_a_check_is_not_an_import_and_is_gone_after_a_day(client, export, settled):
    answer = checked(client, contractId=export(settled).contract_id)
    record = ImportRecord.objects.get()

    assert client.get(f"{IMPORTS}/{answer['checkId']}").status_code == 404
    assert client.get(IMPORTS).json()["items"] == []
    ImportRecord.objects.update(created_at=clock.now() - timedelta(days=2))
    purge()
    assert client.get(f"{CHECK}/{answer['checkId']}").json()["report"] is None
    assert not storage.local_path(record.file).exists()


def imported(client, text=GOOD, **members):
    body = {"text": text, "autoMap": True, **members}
    made = client.post(IMPORTS, body, format="json")
    assert made.status_code == 202, made.content
    return carry_on(client, made.json()["recordId"])


def test_an_import_under_a_contract_is_mapped_by_it_and_delivered_with_its_id(
    client, owner, export, settled, settings
):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    register(tenant=owner, url="http://127.0.0.1:9/apply", at=clock.now())
    issued = export(settled)

    record = imported(client, contractId=issued.contract_id)

    assert (record["state"], record["contractId"]) == ("review", issued.contract_id)
    assert record["counts"]["error"] == 0
    proposal = client.get(f"{IMPORTS}/{record['recordId']}/mapping").json()
    assert proposal["mapping"] == settled.mapping
    assert {column["decidedBy"]["kind"] for column in proposal["columns"]} == {"contract"}
    address = f"{IMPORTS}/{record['recordId']}"
    client.post(f"{address}/apply", {"openQuestions": "dismiss"}, format="json")
    assert carry_on(client, record["recordId"])["state"] == "applied"
    rest = b"".join(storage.stream(Delivery.objects.get().body_name))
    assert json.loads(b"{" + rest.removeprefix(b"{").removeprefix(b","))["contractId"] == (
        issued.contract_id
    )


@pytest.mark.parametrize(
    ("text", "policy", "code"),
    [
        (GOOD.replace("Who", "Name"), {"required_columns": ["Who"]}, "missing_column"),
        (GOOD, {"max_rows": 1}, "too_many_rows"),
        (GOOD, {"encodings": ["utf-16"]}, "encoding_refused"),
    ],
)
def test_a_file_that_breaks_the_policy_fails_with_what_it_breaks(
    client, export, settled, text, policy, code
):
    issued = export(settled, **policy)

    record = imported(client, text, contractId=issued.contract_id)

    assert (record["state"], record["problem"]["code"]) == ("failed", "contract_breached")
    assert [error["code"] for error in record["problem"]["errors"]] == [code]
    assert record["problem"]["contractId"] == issued.contract_id


def test_the_header_must_be_where_the_contract_has_it(client, export, profile):
    issued = export(profile)

    good = imported(client, contractId=issued.contract_id)
    moved = imported(client, GOOD.lstrip("\n"), contractId=issued.contract_id)

    assert good["state"] == "review"
    assert moved["state"] == "failed"


def test_an_import_uses_the_version_that_the_contract_is_about(client, owner, export, publish):
    from catalogs import services as catalogs
    from common.actors import ENGINE

    issued = export()
    text = json.loads(issued.catalog_version.document) | {"title": "Changed"}
    catalogs.publish_document(
        tenant=owner, key="orders", text=json.dumps(text), at=clock.now(), actor=ENGINE
    )

    made = client.post(
        IMPORTS, {"text": GOOD, "contractId": issued.contract_id}, format="json"
    ).json()

    assert (made["catalogKey"], made["catalogVersion"]) == ("orders", 1)


@pytest.mark.parametrize(
    ("what", "status", "code"),
    [
        ("unknown", 404, "unknown_contract"),
        ("expired", 409, "contract_expired"),
        ("pins", 409, "contract_pin_mismatch"),
        ("key", 409, "contract_key_unknown"),
        ("signature", 409, "contract_signature_invalid"),
        ("content", 409, "contract_id_mismatch"),
        ("catalog", 409, "contract_other_catalog"),
    ],
)
def test_a_contract_that_is_not_in_force_is_a_problem_of_its_own(
    client, export, monkeypatch, what, status, code
):
    issued = export(expires_at=clock.now() + timedelta(days=1))
    body = {"text": GOOD, "contractId": issued.contract_id}
    changed = issued.bundle
    match what:
        case "unknown":
            body["contractId"] = "sha256:" + "0" * 64
        case "expired":
            short = bundle_that_is_over(issued)
            changed, body["contractId"] = short, json.loads(short)["contract"]["id"]
        case "pins":
            monkeypatch.setattr(versions, "TRANSFORM", "another")
        case "key":
            issued.key.retired_at = issued.key.revoked_at = clock.now()
            issued.key.save()
        case "signature":
            signature = json.loads(issued.bundle)["signature"]["signature"]
            other = "B" if signature[0] == "A" else "A"
            changed = issued.bundle.replace(signature, other + signature[1:])
        case "content":
            changed = issued.bundle.replace('"title":"', '"title":"x')
        case "catalog":
            body["catalogKey"] = "stock"
    IssuedContract.objects.update(bundle=changed, contract_id=body["contractId"])
    if what == "unknown":
        IssuedContract.objects.all().delete()

    answer = client.post(IMPORTS, body, format="json")

    assert (answer.status_code, answer.json()["code"]) == (status, code)


def bundle_that_is_over(issued):
    """Sign the issued contract again with an end in the past."""
    private = load_pem_private_key(issued.key.private_pem.encode(), password=None)
    contract = json.loads(issued.bundle)["contract"] | {"expiresAt": "2020-01-01T00:00:00Z"}
    del contract["id"]
    return signing.sign(contract, private)
