"""The same creating call sent twice creates once."""

from functools import partial
from ipaddress import ip_network

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F

from api import tasks
from api.models import StoredResponse
from api.v1.http import idempotency
from catalogs import services as catalogs
from common import clock
from common.actors import ENGINE
from common.errors import Conflict
from deliveries.models import Registration
from imports.models import ImportRecord
from licensing.models import Tenant
from tests.at_once import at_once
from tests.imports.conftest import EXAMPLES

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
TEXT = {"text": "Auftrags-Nr.;Menge\nA;1\n"}


@pytest.fixture
def owner(db):
    tenant = Tenant.objects.create(public_id="tnt_owner", created_at=clock.now())
    text = (EXAMPLES / "catalogs" / "orders.json").read_bytes()
    catalogs.publish_document(tenant=tenant, key="orders", text=text, at=clock.now(), actor=ENGINE)
    return tenant


@pytest.fixture
def client(owner, mint_key, client_of, settings):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    return client_of(mint_key("tnt_owner"))


def post(client, body=TEXT, key="k-1", path="/imports", **how):
    how = how or {"format": "json"}
    return client.post(V1 + path, body, HTTP_IDEMPOTENCY_KEY=key, **how)


def kept(answer) -> dict:
    """Return what a replay shows of an answer: all but the token, which is shown once."""
    return {name: value for name, value in answer.json().items() if name != "importToken"}


def test_the_same_call_twice_creates_once_and_answers_alike(client):
    first, second = post(client), post(client)

    assert ImportRecord.objects.count() == 1
    assert (first.status_code, kept(first)) == (second.status_code, second.json())
    assert first["Location"] == second["Location"]
    assert (first.get("Idempotency-Replayed"), second["Idempotency-Replayed"]) == (None, "true")


def test_without_a_key_the_same_call_twice_creates_twice(client):
    for _ in range(2):
        client.post(f"{V1}/imports", TEXT, format="json")

    assert ImportRecord.objects.count() == 2
    assert not StoredResponse.objects.exists()


def test_a_key_with_another_body_or_address_is_refused(client):
    post(client)
    answers = [
        post(client, {**TEXT, "autoMap": True}),
        post(client, {"url": "http://127.0.0.1:9/"}, path="/webhooks"),
    ]

    assert [(a.status_code, a.json()["code"]) for a in answers] == [
        (409, "idempotency_key_reused")
    ] * 2


@pytest.mark.parametrize(("content", "creates"), [(b"A;B\n1;2\n", 1), (b"A;B\n1;3\n", 0)])
def test_a_file_counts_by_its_bytes(client, content, creates, data_folder):
    post(client, {"file": SimpleUploadedFile("f.csv", b"A;B\n1;2\n")}, format="multipart")
    again = post(client, {"file": SimpleUploadedFile("f.csv", content)}, format="multipart")

    assert again.status_code == (202 if creates else 409)
    assert ImportRecord.objects.count() == 1
    assert len(list((data_folder / "files" / "uploads").iterdir())) == 1


def test_keys_of_two_licenses_do_not_meet(client, client_of, mint_key):
    post(client)
    post(client_of(mint_key("tnt_owner")))

    assert ImportRecord.objects.count() == 2


def test_a_secret_is_not_shown_again(client):
    url = {"url": "http://127.0.0.1:9/apply"}
    first, second = (post(client, url, path="/webhooks") for _ in range(2))

    assert first.status_code == second.status_code == 201
    assert first.json()["signingSecret"] not in StoredResponse.objects.get().body
    assert second.json() == {k: v for k, v in first.json().items() if k != "signingSecret"}
    assert Registration.objects.count() == 1


def test_what_was_deleted_is_made_again(client):
    url = {"url": "http://127.0.0.1:9/apply"}
    first = post(client, url, path="/webhooks").json()["id"]
    client.delete(f"{V1}/webhooks/{first}")

    assert post(client, url, path="/webhooks").json()["id"] != first


def test_a_refused_call_may_be_corrected_under_the_same_key(client):
    refused = post(client, {**TEXT, "catalogKey": "nope"})
    corrected = post(client)

    assert (refused.status_code, corrected.status_code) == (404, 202)


def test_a_call_that_still_runs_is_waited_for(client, monkeypatch):
    meanwhile = []
    real = idempotency._keep

    def slow(*args):
        monkeypatch.setattr(idempotency, "_keep", real)
        meanwhile.append(post(client))
        return real(*args)

    monkeypatch.setattr(idempotency, "_keep", slow)
    first = post(client)

    assert (meanwhile[0].status_code, meanwhile[0].json()["code"]) == (
        409,
        "idempotency_key_in_use",
    )
    assert int(meanwhile[0]["Retry-After"]) > 0
    assert post(client).json() == kept(first)


def test_two_that_come_at_once_create_once(transactional_db, client, client_of, mint_key):
    key = mint_key("tnt_owner")
    for number in range(3):
        calls = [partial(post, client_of(key), key=f"k-{number}") for _ in range(4)]
        answers = at_once(*calls)

        fresh = [a for a in answers if a.status_code == 202 and not a.get("Idempotency-Replayed")]
        busy = [a for a in answers if a.status_code == 409]
        assert len(fresh) == 1
        assert {a.json()["code"] for a in busy} <= {"idempotency_key_in_use"}
        assert {a.json()["recordId"] for a in answers if a.status_code == 202} == {
            fresh[0].json()["recordId"]
        }
        assert ImportRecord.objects.count() == number + 1


def test_a_call_that_died_is_taken_over(client):
    post(client)
    StoredResponse.objects.update(status=None, claimed_until=clock.now())

    assert post(client).status_code == 202
    assert StoredResponse.objects.get().claim_no == 2


def test_a_call_that_was_taken_over_creates_nothing_late(client, monkeypatch):
    real = idempotency._keep

    def late(*args):
        StoredResponse.objects.update(claim_no=F("claim_no") + 1)
        return real(*args)

    monkeypatch.setattr(idempotency, "_keep", late)

    assert post(client).status_code == 409
    assert not ImportRecord.objects.exists()


def test_what_fails_lets_the_key_go_and_creates_nothing(client, monkeypatch):
    def fails(*args):
        raise Conflict

    with monkeypatch.context() as patched:
        patched.setattr(idempotency, "_keep", fails)
        assert post(client).status_code == 409
    assert not ImportRecord.objects.exists()

    assert post(client).status_code == 202


def test_after_a_day_a_key_is_free_again(client):
    post(client)
    StoredResponse.objects.update(expires_at=clock.now())
    assert post(client, {"text": "a;b\n1;2"}).status_code == 202

    StoredResponse.objects.update(expires_at=clock.now())
    tasks.forget_answers()
    assert not StoredResponse.objects.exists()


@pytest.mark.parametrize("key", ["", "k" * 256])
def test_a_key_of_no_use(client, key):
    answer = post(client, key=key)

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
