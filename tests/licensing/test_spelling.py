"""A key that was minted here has one spelling, although its signature has a twin."""

import pytest
from josepy import b64

from common import clock
from licensing import services
from licensing.models import License
from licensing.services import issue_license, new_claims
from licensing.tokens import keys

pytestmark = pytest.mark.django_db
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256


def twin(key: str) -> str:
    head, payload, signature = key.rsplit(".", 2)
    raw = b64.b64decode(signature)
    s = ORDER - int.from_bytes(raw[32:], "big")
    return f"{head}.{payload}.{b64.b64encode(raw[:32] + s.to_bytes(32, 'big')).decode()}"


@pytest.fixture
def minted(engine_with_key, signing_key) -> str:
    claims = new_claims(tenant_id="tnt_owner", at=clock.now(), lifetime=services.timedelta(days=1))
    return issue_license(private_key=signing_key, claims=claims).key


def status(client_of, key: str) -> int:
    return client_of(key).get("/api/import/v1/license/verify").status_code


def test_the_twin_of_a_minted_key_is_refused(minted, client_of):
    assert (status(client_of, minted), status(client_of, twin(minted))) == (200, 401)


def test_the_id_of_a_minted_key_opens_nothing_to_another_tenant(minted, mint_key, client_of):
    license_id = License.objects.get().public_id

    assert status(client_of, mint_key("tnt_other", license_id=license_id)) == 401
    assert status(client_of, minted) == 200


def test_the_prefix_stays_optional(minted, client_of):
    assert status(client_of, minted.removeprefix(keys.PREFIX)) == 200


def test_a_key_minted_elsewhere_is_accepted_whatever_its_signature(mint_key, client_of):
    key = mint_key()

    assert (status(client_of, key), status(client_of, twin(key))) == (200, 200)
