"""Registrations and the audit log over HTTP. Spec: Endpoints, Events."""

from ipaddress import ip_network

import pytest

from deliveries import services
from deliveries.models import Attempt, Delivery, Registration
from licensing.models import Tenant
from tests.deliveries.conftest import NOON

pytestmark = pytest.mark.django_db
WEBHOOKS = "/api/import/v1/webhooks"
DELIVERIES = "/api/import/v1/deliveries"
URL = "https://host.example/apply"


@pytest.fixture(autouse=True)
def own_storage(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)


@pytest.fixture
def owner(mint_key, client_of):
    return client_of(mint_key("tnt_owner"))


@pytest.fixture
def stranger(mint_key, client_of):
    return client_of(mint_key("tnt_stranger"))


@pytest.fixture
def registered(owner) -> dict:
    return owner.post(WEBHOOKS, {"url": URL}, format="json").json()


@pytest.fixture
def tested(owner, registered) -> dict:
    """Return a test delivery that is due."""
    return owner.post(f"{WEBHOOKS}/{registered['id']}/test", {}, format="json").json()


def test_tests_and_registrations_beyond_those_of_a_minute_say_when_to_retry(
    owner, stranger, registered, settings
):
    settings.WEBHOOK_CALLS_PER_MINUTE = 1
    test = f"{WEBHOOKS}/{registered['id']}/test"
    owner.post(test, {}, format="json")

    refused = {
        "too_many_tests": owner.post(test, {}, format="json"),
        "registered_too_often": owner.post(WEBHOOKS, {"url": f"{URL}/2"}, format="json"),
    }

    for code, answer in refused.items():
        assert answer.status_code == 429
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] == code
        assert 0 < int(answer.headers["Retry-After"]) <= 60
    assert stranger.post(WEBHOOKS, {"url": URL}, format="json").status_code == 201


def test_registering_shows_the_secret_exactly_once(owner):
    made = owner.post(WEBHOOKS, {"url": URL}, format="json")

    body = made.json()
    assert made.status_code == 201
    assert body["signingSecret"].startswith("whsec_")
    assert (body["url"], body["actions"]) == (URL, ["submit"])
    assert body["createdAt"].endswith("Z")
    read = owner.get(made.headers["Location"])
    assert read.json() == {k: v for k, v in body.items() if k != "signingSecret"}
    assert body["signingSecret"] not in owner.get(WEBHOOKS).content.decode()


def test_a_registration_may_ask_for_reverts_catalogs_and_parts(owner):
    wishes = {
        "url": URL,
        "actions": ["submit", "revert"],
        "catalogKeys": ["orders"],
        "maxRowsPerDelivery": 1_000,
        "nested": True,
    }

    body = owner.post(WEBHOOKS, wishes, format="json").json()

    assert {name: body[name] for name in wishes} == wishes


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/url"),
        ({"url": ""}, "/url"),
        ({"url": None}, "/url"),
        ({"url": ["https://host.example/"]}, "/url"),
        ({"url": "https://10.0.0.1/"}, "/url"),
        ({"url": "http://8.8.8.8/"}, "/url"),
        ({"url": "https://host.example/" + "a" * 2_000}, "/url"),
        ({"url": URL, "actions": []}, "/actions"),
        ({"url": URL, "actions": ["erase"]}, "/actions/0"),
        ({"url": URL, "actions": "submit"}, "/actions"),
        ({"url": URL, "catalogKeys": []}, "/catalogKeys"),
        ({"url": URL, "catalogKeys": "orders"}, "/catalogKeys"),
        ({"url": URL, "catalogKeys": ["orders", "a key"]}, "/catalogKeys/1"),
        ({"url": URL, "maxRowsPerDelivery": 0}, "/maxRowsPerDelivery"),
        ({"url": URL, "maxRowsPerDelivery": 2**40}, "/maxRowsPerDelivery"),
        ({"url": URL, "nested": "deep"}, "/nested"),
        ({"url": URL, "actions": ["lookup"], "nested": True}, "/nested"),
    ],
)
def test_a_registration_that_makes_no_sense_is_refused_at_its_member(owner, body, pointer):
    answer = owner.post(WEBHOOKS, body, format="json")

    assert answer.status_code == 400
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["errors"][0]["pointer"].startswith(pointer)
    assert not Registration.objects.exists()


def test_a_refused_url_has_a_code_of_its_own(owner):
    answer = owner.post(WEBHOOKS, {"url": "https://127.1/"}, format="json")

    assert answer.json()["code"] == "url_refused"


def test_the_same_url_again_answers_with_the_id_of_the_other(owner, registered):
    again = owner.post(WEBHOOKS, {"url": "https://HOST.example:443/apply"}, format="json")

    body = again.json()
    assert (again.status_code, body["code"]) == (409, "already_registered")
    assert body["webhookId"] == registered["id"]
    assert "Rotate" in body["detail"]
    rotated = owner.post(f"{WEBHOOKS}/{body['webhookId']}/rotate", {}, format="json")
    assert rotated.json()["signingSecret"] != registered["signingSecret"]


def test_one_registration_too_many_is_refused_with_a_sentence(owner, registered, settings):
    settings.MAX_REGISTRATIONS = 1

    answer = owner.post(WEBHOOKS, {"url": f"{URL}/other"}, format="json")

    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_registrations")
    assert "Delete one" in answer.json()["detail"]


def test_rotating_shows_a_new_secret_once(owner, registered):
    answer = owner.post(
        f"{WEBHOOKS}/{registered['id']}/rotate", {"overlapHours": 24}, format="json"
    )

    body = answer.json()
    assert answer.status_code == 200
    assert body["signingSecret"] != registered["signingSecret"]
    assert body["previousSecretUntil"] is not None
    assert "signingSecret" not in owner.get(f"{WEBHOOKS}/{registered['id']}").json()


@pytest.mark.parametrize("hours", [0, 73, "soon", 1.5])
def test_an_overlap_is_one_to_72_hours(owner, registered, hours):
    answer = owner.post(
        f"{WEBHOOKS}/{registered['id']}/rotate", {"overlapHours": hours}, format="json"
    )

    assert answer.status_code == 400
    assert Registration.objects.get().secret == registered["signingSecret"]


def test_a_deleted_registration_is_gone(owner, registered):
    answer = owner.delete(f"{WEBHOOKS}/{registered['id']}")

    assert answer.status_code == 204
    assert owner.get(f"{WEBHOOKS}/{registered['id']}").status_code == 404
    assert owner.get(WEBHOOKS).json()["items"] == []


def test_a_test_delivery_is_accepted_and_in_the_log(owner, registered):
    answer = owner.post(f"{WEBHOOKS}/{registered['id']}/test", {"size": 2_000}, format="json")

    body = answer.json()
    assert answer.status_code == 202
    assert (body["test"], body["size"], body["state"]) == (True, 2_000, "pending")
    read = owner.get(answer.headers["Location"]).json()
    assert read["id"] == body["id"]
    assert read["attempts"] == []


def test_the_log_shows_the_attempts(owner, tested):
    delivery = Delivery.objects.get(public_id=tested["id"])
    for number, status in ((2, None), (1, 500)):
        Attempt.objects.create(
            delivery=delivery,
            number=number,
            started_at=NOON,
            finished_at=NOON,
            http_status=status,
            error_class="" if status else "timeout",
            latency_ms=3,
            response_head="oops" if status else "",
        )

    attempts = owner.get(f"{DELIVERIES}/{tested['id']}").json()["attempts"]

    assert [(a["number"], a["httpStatus"], a["errorClass"]) for a in attempts] == [
        (1, 500, ""),
        (2, None, "timeout"),
    ]
    assert attempts[0]["responseHead"] == "oops"


@pytest.mark.parametrize(
    ("query", "is_listed"),
    [
        ("", True),
        ("?state=pending", True),
        ("?state=delivered", False),
        ("?test=true", True),
        ("?test=false", False),
        ("?action=submit", True),
        ("?action=revert", False),
        ("?recordId=rec_other", False),
        ("?changesetId=chg_other", False),
        ("?webhookId=whk_other", False),
    ],
)
def test_the_log_can_be_narrowed(owner, tested, query, is_listed):
    items = owner.get(DELIVERIES + query).json()["items"]

    assert [item["id"] for item in items] == ([tested["id"]] if is_listed else [])


def test_the_log_can_be_narrowed_to_an_import_and_a_registration(owner, registered, tested):
    by_record = owner.get(f"{DELIVERIES}?recordId={tested['recordId']}").json()
    by_webhook = owner.get(f"{DELIVERIES}?webhookId={registered['id']}").json()

    assert [item["id"] for item in by_record["items"]] == [tested["id"]]
    assert by_webhook == by_record


@pytest.mark.parametrize("query", ["?state=lost", "?test=perhaps", "?action=erase"])
def test_a_filter_that_makes_no_sense_is_refused(owner, query):
    assert owner.get(DELIVERIES + query).status_code == 400


def test_the_log_comes_in_pages_newest_first(owner, registered):
    made = [
        owner.post(f"{WEBHOOKS}/{registered['id']}/test", {}, format="json").json()["id"]
        for _ in range(3)
    ]

    first = owner.get(f"{DELIVERIES}?limit=2").json()
    second = owner.get(f"{DELIVERIES}?limit=2&cursor={first['next']}").json()

    ids = [item["id"] for item in first["items"] + second["items"]]
    assert ids == sorted(made, reverse=True)
    assert second["next"] is None


def test_a_person_redelivers_what_was_settled(owner, tested):
    Delivery.objects.update(state="exhausted", due_at=None, settled_at=NOON)

    answer = owner.post(f"{DELIVERIES}/{tested['id']}/redeliver")

    assert answer.status_code == 202
    assert (answer.json()["id"], answer.json()["state"]) == (tested["id"], "pending")


def test_what_is_being_sent_cannot_be_redelivered(owner, tested):
    Delivery.objects.update(state="sending", claimed_until=NOON)

    answer = owner.post(f"{DELIVERIES}/{tested['id']}/redeliver")

    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_move")


def test_a_rejected_delivery_is_resent_in_parts(owner, tested):
    Delivery.objects.update(state="rejected", due_at=None, settled_at=NOON)

    answer = owner.post(
        f"{DELIVERIES}/{tested['id']}/resend", {"maxRowsPerDelivery": 10}, format="json"
    )

    assert answer.status_code == 202
    assert len(answer.json()["items"]) == 1
    assert answer.json()["items"][0]["id"] != tested["id"]


@pytest.mark.parametrize("what", ["test", "resend"])
def test_what_is_sent_again_under_the_same_key_goes_out_once(owner, registered, tested, what):
    Delivery.objects.update(state="rejected", due_at=None, settled_at=NOON)
    url, body = f"{WEBHOOKS}/{registered['id']}/test", {}
    if what == "resend":
        url, body = f"{DELIVERIES}/{tested['id']}/resend", {"maxRowsPerDelivery": 10}
    before = Delivery.objects.count()

    first, second = (
        owner.post(url, body, format="json", HTTP_IDEMPOTENCY_KEY="once") for _ in range(2)
    )

    assert (first.status_code, second.status_code) == (202, 202)
    assert (second.json(), second["Idempotency-Replayed"]) == (first.json(), "true")
    assert Delivery.objects.count() == before + 1


def test_only_a_rejected_delivery_is_resent_in_parts(owner, tested):
    answer = owner.post(
        f"{DELIVERIES}/{tested['id']}/resend", {"maxRowsPerDelivery": 10}, format="json"
    )

    assert (answer.status_code, answer.json()["code"]) == (409, "not_rejected")


def test_a_stranger_sees_and_changes_nothing(stranger, registered, tested):
    webhook, delivery = f"{WEBHOOKS}/{registered['id']}", f"{DELIVERIES}/{tested['id']}"
    calls = [
        stranger.get(webhook),
        stranger.delete(webhook),
        stranger.post(f"{webhook}/rotate", {}, format="json"),
        stranger.post(f"{webhook}/test", {}, format="json"),
        stranger.get(delivery),
        stranger.post(f"{delivery}/redeliver"),
        stranger.post(f"{delivery}/resend", {"maxRowsPerDelivery": 1}, format="json"),
    ]

    assert {call.status_code for call in calls} == {404}
    assert stranger.get(WEBHOOKS).json()["items"] == []
    assert stranger.get(DELIVERIES).json()["items"] == []


@pytest.mark.parametrize("path", [WEBHOOKS, f"{WEBHOOKS}/whk_1", DELIVERIES, f"{DELIVERIES}/dlv_1"])
def test_nothing_is_shown_without_a_key(engine_with_key, client, path):
    assert client.get(path).status_code == 401


def test_several_registrations_each_get_their_own_delivery(owner):
    for url in (URL, f"{URL}/other"):
        owner.post(WEBHOOKS, {"url": url}, format="json")
    tenant = Tenant.objects.get(public_id="tnt_owner")

    made = [
        services.send_test(registration=registration, at=NOON)
        for registration in Registration.objects.filter(tenant=tenant)
    ]

    assert len({delivery.public_id for delivery in made}) == 2


def test_what_the_host_said_of_rows_is_shown_with_the_delivery(owner, tested):
    results = [{"row": 0, "status": "updated", "before": {"p.n": 1}, "message": "was there"}]
    Delivery.objects.update(host_results=results)

    shown = owner.get(f"{DELIVERIES}/{tested['id']}").json()

    assert (shown["results"], shown["resultsNote"]) == (results, "")
    assert "results" not in owner.get(DELIVERIES).json()["items"][0]
