"""``agentAccess`` is opted into by one key and never inherited. Spec: Authentication, 4."""

import time

import pytest
from rest_framework.test import APIClient

from licensing.tokens import keyfiles, keys
from licensing.tokens.keys import Claims
from signatures import keysets

VERIFY = "/api/import/v1/license/verify"


@pytest.fixture
def read(signing_key):
    public_keys = keysets.read_public_keys(keyfiles.public_pem(signing_key.public_key()).decode())

    def claims_of(**changes: object) -> Claims:
        members = {
            "iss": "import-account",
            "aud": "import-engine",
            "sub": "tnt_owner",
            "jti": "lic_one",
            "iat": 0,
            "exp": int(time.time()) + 60,
            **changes,
        }
        return keys.verify(keys.sign_members(signing_key, members), public_keys)

    return claims_of


def test_an_enterprise_key_that_says_true_has_it(read):
    claims = read(plan="enterprise", entitlements={"agentAccess": True})

    assert claims.entitlements == {"agentAccess"}


@pytest.mark.parametrize(
    "entitlements",
    [
        {},
        {"agentAccess": False},
        {"agentAccess": None},
        {"agentaccess": True},
        {"catalogEditor": True},
    ],
)
def test_the_enterprise_plan_alone_does_not_bring_it(read, entitlements):
    claims = read(plan="enterprise", entitlements=entitlements)

    assert "agentAccess" not in claims.entitlements


def test_an_existing_enterprise_key_without_entitlements_lacks_it(read):
    assert read(plan="enterprise").entitlements == frozenset()


@pytest.mark.parametrize("plan", ["team", "Enterprise", "enterprise-trial", "enterprise_"])
def test_no_other_plan_has_it_whatever_the_key_says(read, plan):
    assert read(plan=plan, entitlements={"agentAccess": True}).entitlements == frozenset()


def test_a_key_without_a_plan_lacks_it(read):
    assert read(entitlements={"agentAccess": True}).entitlements == frozenset()


@pytest.mark.django_db
def test_a_second_key_of_the_tenant_does_not_inherit_it(mint_key, client_of):
    client_of(mint_key("tnt_owner", plan="enterprise", entitlements=("agentAccess",))).get(VERIFY)

    second = client_of(mint_key("tnt_owner", plan="enterprise")).get(VERIFY)

    assert second.json()["entitlements"] == {}


@pytest.mark.django_db
def test_the_license_row_of_the_same_id_does_not_bring_it(mint_key, client_of):
    with_it = mint_key(plan="enterprise", entitlements=("agentAccess",), license_id="lic_one")
    client_of(with_it).get(VERIFY)

    again = client_of(mint_key(plan="enterprise", license_id="lic_one")).get(VERIFY)

    assert again.json()["entitlements"] == {}


@pytest.mark.django_db
def test_a_claimed_actor_does_not_bring_it(mint_key):
    client = APIClient()
    key = mint_key(plan="enterprise")

    answer = client.get(
        VERIFY, headers={"Authorization": f"Bearer {key}", "X-Import-Actor": "agentAccess"}
    )

    assert answer.json()["entitlements"] == {}


def test_it_is_not_minted_outside_the_enterprise_plan(signing_key):
    claims = Claims(
        tenant_id="tnt_owner",
        license_id="lic_one",
        issued_at=0,
        expires_at=60,
        plan="team",
        entitlements=frozenset({"agentAccess"}),
    )

    with pytest.raises(ValueError, match="enterprise plan only"):
        keys.mint(signing_key, claims)
