"""A signature is checked once; time and revocation always. Spec: Authentication, 3."""

import pytest

from licensing.refusals import LicenseExpired, LicenseRejected
from licensing.tokens import keyfiles, keys
from licensing.tokens.keys import Claims
from licensing.tokens.verifier import Verifier
from signatures import keysets


@pytest.fixture
def public_keys(signing_key):
    return keysets.read_public_keys(keyfiles.public_pem(signing_key.public_key()).decode())


@pytest.fixture
def checked(monkeypatch):
    """Record each key whose signature is checked."""
    seen: list[str] = []
    verify = keys.verify

    def recording(text, public_keys):
        seen.append(text)
        return verify(text, public_keys)

    monkeypatch.setattr(keys, "verify", recording)
    return seen


@pytest.fixture
def key_number(signing_key):
    def mint(number: int) -> str:
        claims = Claims("tnt_owner", f"lic_{number}", issued_at=0, expires_at=1000)
        return keys.mint(signing_key, claims)

    return mint


def test_a_signature_is_checked_once(public_keys, checked, key_number):
    verifier, key = Verifier(public_keys), key_number(1)

    claims = [verifier.claims_of(key, now=10), verifier.claims_of(key, now=20)]

    assert claims[0] == claims[1]
    assert checked == [key]


def test_a_remembered_key_still_expires(public_keys, key_number):
    verifier, key = Verifier(public_keys), key_number(1)
    verifier.claims_of(key, now=10)

    with pytest.raises(LicenseExpired):
        verifier.claims_of(key, now=2000)


def test_a_refusal_is_not_remembered_as_good(public_keys, checked, key_number):
    verifier, forged = Verifier(public_keys), key_number(1)[:-4] + "AAAA"
    for _ in range(2):
        with pytest.raises(LicenseRejected):
            verifier.claims_of(forged, now=10)

    assert len(checked) == 2


def test_the_memory_is_bounded(public_keys, checked, key_number):
    verifier = Verifier(public_keys, remembered=2)
    made = [key_number(number) for number in range(3)]
    for key in made:
        verifier.claims_of(key, now=10)

    verifier.claims_of(made[2], now=10)
    verifier.claims_of(made[0], now=10)  # pushed out by the third

    assert checked == [*made, made[0]]
