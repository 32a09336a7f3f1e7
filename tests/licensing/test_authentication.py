"""Every HTTP call is authenticated by its key. Spec: Authentication, Errors."""

from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from common import clock
from licensing import services
from licensing.models import License, Tenant
from licensing.tokens import keyfiles

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.licensing.urls")]
PAGE = "https://app.example.com"


@pytest.mark.parametrize(
    ("authorization", "code"),
    [
        (None, "license_missing"),
        ("", "license_missing"),
        ("Bearer", "license_missing"),
        ("Bearer ", "license_missing"),
        ("Basic dXNlcjpwYXNz", "license_malformed"),
        ("Bearer nonsense", "license_malformed"),
        ("Bearer a.b.c d", "license_malformed"),
        ("Bearer  a.b.c", "license_malformed"),
    ],
)
def test_a_call_without_a_key_gets_401_and_a_code(engine_with_key, authorization, code):
    headers = {} if authorization is None else {"Authorization": authorization}

    answer = APIClient().get("/api/thing", headers=headers)

    assert (answer.status_code, answer.json()["code"]) == (401, code)
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_the_scheme_is_read_in_any_case(mint_key):
    answer = APIClient().get("/api/thing", headers={"Authorization": f"bearer {mint_key()}"})

    assert answer.status_code == 200


def test_an_expired_key_gets_401(mint_key, client_of):
    answer = client_of(mint_key(expires_in_s=-61)).get("/api/thing")

    assert (answer.status_code, answer.json()["code"]) == (401, "license_expired")


def test_a_key_expires_although_its_signature_is_remembered(mint_key, client_of, monkeypatch):
    client = client_of(mint_key(expires_in_s=3600))
    assert client.get("/api/thing").status_code == 200
    later = clock.now().replace(year=clock.now().year + 1)
    monkeypatch.setattr(clock, "now", lambda: later)

    answer = client.get("/api/thing")

    assert answer.json()["code"] == "license_expired"


def test_a_remembered_key_is_refused_from_the_moment_it_is_revoked(mint_key, client_of):
    client = client_of(mint_key(license_id="lic_one"))
    assert client.get("/api/thing").status_code == 200
    license = License.objects.get(public_id="lic_one")
    services.revoke_license(license=license, reason="leaked", at=clock.now())

    answer = client.get("/api/thing")

    assert (answer.status_code, answer.json()["code"]) == (401, "license_revoked")


def test_revocation_goes_by_the_id_whatever_tenant_the_key_names(mint_key, client_of):
    client_of(mint_key("tnt_owner", license_id="lic_one")).get("/api/thing")
    services.revoke_license(license=License.objects.get(), reason="leaked", at=clock.now())

    answers = [client_of(mint_key("tnt_other", license_id="lic_one")).get("/api/thing")]
    answers.append(client_of(mint_key("tnt_other", license_id="lic_one")).get("/api/thing"))

    assert [answer.status_code for answer in answers] == [401, 401]


def test_other_keys_of_the_tenant_outlive_a_revocation(mint_key, client_of):
    client_of(mint_key(license_id="lic_one")).get("/api/thing")
    services.revoke_license(license=License.objects.get(), reason="leaked", at=clock.now())

    assert client_of(mint_key(license_id="lic_two")).get("/api/thing").status_code == 200


def test_a_known_key_costs_one_query(mint_key, client_of):
    client = client_of(mint_key())
    client.get("/api/thing")

    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get("/api/thing")

    assert len(queries) == 1


def test_without_a_public_key_no_key_is_accepted(mint_key, client_of, settings):
    client = client_of(mint_key())
    settings.LICENSE_PUBLIC_KEY = ""

    answer = client.get("/api/thing")

    assert (answer.status_code, answer.json()["code"]) == (401, "license_rejected")


def test_a_key_of_another_engine_is_named_as_one(mint_key, client_of, settings):
    client = client_of(mint_key())
    other = ec.generate_private_key(ec.SECP256R1())
    settings.LICENSE_PUBLIC_KEY = keyfiles.public_pem(other.public_key()).decode()

    answer = client.get("/api/thing")

    assert (answer.status_code, answer.json()["code"]) == (401, "license_rejected")
    assert "belongs to another engine" in answer.json()["detail"]


def test_a_clock_that_is_an_hour_behind_is_a_cause_that_is_named(mint_key, client_of, monkeypatch):
    client, now = client_of(mint_key()), clock.now()
    monkeypatch.setattr(clock, "now", lambda: now - timedelta(hours=1))

    answer = client.get("/api/thing")

    assert (answer.status_code, answer.json()["code"]) == (401, "license_rejected")
    assert "check the engine's clock" in answer.json()["detail"]


def test_a_replaced_public_key_ends_the_keys_of_the_old_one(mint_key, client_of, settings):
    client = client_of(mint_key())
    assert client.get("/api/thing").status_code == 200
    stranger = ec.generate_private_key(ec.SECP256R1())
    settings.LICENSE_PUBLIC_KEY = keyfiles.public_pem(stranger.public_key()).decode()

    assert client.get("/api/thing").status_code == 401


@pytest.mark.parametrize(
    ("origins", "origin", "status"),
    [
        ((PAGE,), PAGE, 200),
        ((PAGE,), "", 200),  # no page: a server, or a page of the engine itself
        ((PAGE,), "https://evil.example", 403),
        ((PAGE,), "null", 403),
        ((), PAGE, 403),
        (None, "https://anywhere.example", 200),
    ],
)
def test_a_key_is_held_to_its_own_origins(mint_key, client_of, origins, origin, status):
    headers = {"Origin": origin} if origin else {}

    answer = client_of(mint_key(origins=origins)).get("/api/thing", headers=headers)

    assert answer.status_code == status


def test_a_refused_page_may_read_why(mint_key, client_of):
    answer = client_of(mint_key(origins=(PAGE,))).get(
        "/api/thing", headers={"Origin": "https://evil.example"}
    )

    assert answer.json()["code"] == "origin_not_allowed"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_options_needs_no_key(engine_with_key):
    assert APIClient().options("/api/thing").status_code == 200


def test_without_a_claimed_actor_the_license_acts(mint_key, client_of):
    answer = client_of(mint_key(license_id="lic_one")).get("/api/thing")

    assert answer.json()["actor"] == {"kind": "system", "id": "lic_one", "label": ""}


def test_a_labelled_key_acts_under_its_label(mint_key, client_of):
    key = mint_key(license_id="lic_one", label="Nightly\n export")

    acted = client_of(key).get("/api/thing").json()["actor"]
    claimed = client_of(key).get("/api/thing", headers={"X-Import-Actor": "Ada"}).json()["actor"]

    assert acted == {"kind": "system", "id": "lic_one", "label": "Nightly export"}
    assert claimed == {"kind": "person", "id": "lic_one", "label": "Ada"}


def test_a_key_with_the_id_of_another_tenants_acts_under_its_own_label(mint_key, client_of):
    theirs, ours = (
        mint_key(tenant, license_id="lic_one", label=tenant) for tenant in ("tnt_a", "tnt_b")
    )
    client_of(theirs).get("/api/thing")

    assert client_of(ours).get("/api/thing").json()["actor"]["label"] == "tnt_b"


@pytest.mark.parametrize(
    ("claimed", "label"),
    [
        ("Ada Lovelace", "Ada Lovelace"),
        ("Zoë", "Zoë"),
        ("  two   words ", "two words"),
        ("tab\there", "tab here"),
        ("x" * 500, "x" * 120),
    ],
)
def test_a_claimed_actor_is_kept_readable_and_short(mint_key, client_of, claimed, label):
    on_the_wire = claimed.encode().decode("latin-1")  # as WSGI hands UTF-8 over

    answer = client_of(mint_key(license_id="lic_one")).get(
        "/api/thing", headers={"X-Import-Actor": on_the_wire}
    )

    assert answer.json()["actor"] == {"kind": "person", "id": "lic_one", "label": label}


def test_a_missing_entitlement_is_named(mint_key, client_of):
    answer = client_of(mint_key(plan="enterprise")).get("/api/editor-only")

    assert answer.status_code == 403
    assert answer.json()["code"] == "entitlement_required"
    assert answer.json()["entitlement"] == "catalogEditor"


def test_an_entitled_key_passes(mint_key, client_of):
    key = mint_key(plan="enterprise", entitlements=("catalogEditor",))

    assert client_of(key).get("/api/editor-only").status_code == 200


def test_a_guarded_view_asks_who_calls_first(engine_with_key):
    assert APIClient().get("/api/editor-only").status_code == 401


def test_a_tenant_made_in_the_meantime_is_used(mint_key, monkeypatch):
    key = mint_key("tnt_new", license_id="lic_one")
    make = Tenant.objects.get_or_create

    def lose_the_race(**members):
        Tenant.objects.create(public_id="tnt_new", created_at=clock.now())
        return make(**members)

    monkeypatch.setattr(Tenant.objects, "get_or_create", lose_the_race)
    caller, _ = services.accept_key(key=key, at=clock.now())

    assert caller.tenant == Tenant.objects.get()
