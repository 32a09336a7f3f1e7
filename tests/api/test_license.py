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
    assert body == {
        "verified": True,
        "tenantId": "tnt_owner",
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
