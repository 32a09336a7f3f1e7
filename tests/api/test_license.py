"""GET license/verify. Spec: Endpoints, Authentication."""

import pytest
from rest_framework.test import APIClient

from licensing.models import License, Tenant
from licensing.rights.model import RIGHTS

pytestmark = pytest.mark.django_db
VERIFY = "/api/import/v1/license/verify"


def test_an_accepted_key_is_verified(mint_key, client_of):
    key = mint_key("tnt_owner", plan="enterprise", entitlements=("agentAccess",))

    answer = client_of(key).get(VERIFY)

    assert answer.status_code == 200
    body = answer.json()
    assert body.pop("expiresAt").endswith("Z")
    assert "expiresWithinDays" in body
    body.pop("expiresWithinDays")
    assert body == {
        "verified": True,
        "tenantId": "tnt_owner",
        "mode": "live",
        "entitlements": {"agentAccess": True},
        "rights": list(RIGHTS),
    }


def test_a_call_without_a_key_is_told_how_to_send_one(engine_with_key):
    answer = APIClient().get(VERIFY)

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["verified"] is False
    assert answer.json()["code"] == "license_missing"


def test_the_first_accepted_key_makes_the_tenant_once(mint_key, client_of):
    client = client_of(mint_key("tnt_new", license_id="lic_first"))

    client.get(VERIFY)
    client.get(VERIFY)

    assert Tenant.objects.get().public_id == "tnt_new"
    assert License.objects.get().public_id == "lic_first"


def test_a_refused_key_makes_no_tenant(mint_key, client_of):
    client_of(mint_key("tnt_new")[:-8]).get(VERIFY)

    assert not Tenant.objects.exists()


@pytest.mark.parametrize(
    ("days", "announced"), [(0.5, 1), (5, 7), (20, 30), (60, None)], ids=["1", "7", "30", "not yet"]
)
def test_a_key_says_how_soon_it_expires(mint_key, client_of, days, announced):
    key = mint_key("tnt_owner", expires_in_s=int(days * 86_400))

    assert client_of(key).get(VERIFY).json()["expiresWithinDays"] == announced
