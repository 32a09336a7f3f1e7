"""The configured public keys: PEM blocks or a JWKS. Spec: Authentication."""

import json

import josepy
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from licensing.tokens import keyfiles
from signatures.keysets import PrivateKeyFound, UnusableKeySet, read_public_keys, thumbprint

FIRST, SECOND = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
KIDS = {thumbprint(FIRST.public_key()), thumbprint(SECOND.public_key())}


def pem(private_key) -> str:
    encoding, form = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    return private_key.public_key().public_bytes(encoding, form).decode()


def jwk(key) -> dict[str, object]:
    return josepy.JWKEC(key=key).to_json()


def jwks(*members: object) -> str:
    return json.dumps({"keys": list(members)})


@pytest.mark.parametrize(
    "text",
    [
        pem(FIRST) + pem(SECOND),
        f"# account keys\n{pem(SECOND)}\n\n{pem(FIRST)}",
        (pem(FIRST) + pem(SECOND)).replace("\n", "\\n"),  # a one-line environment file
        jwks(jwk(FIRST.public_key()), jwk(SECOND.public_key())),
        jwks(jwk(FIRST.public_key()) | {"kid": "chosen by them"}, jwk(SECOND.public_key())),
    ],
)
def test_every_key_is_known_by_its_thumbprint(text):
    assert set(read_public_keys(text)) == KIDS


def test_the_thumbprint_is_that_of_rfc_7638():
    x = "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4"
    y = "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"

    (kid,) = read_public_keys(jwks({"kty": "EC", "crv": "P-256", "x": x, "y": y}))

    # sha256 of {"crv":"P-256","kty":"EC","x":...,"y":...}, computed with another tool
    assert kid == "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s"


@pytest.mark.parametrize(
    "text",
    [
        keyfiles.private_pem(FIRST).decode(),
        pem(FIRST) + keyfiles.private_pem(SECOND).decode(),
        jwks(jwk(FIRST)),
        jwks({"kty": "oct", "k": "c2VjcmV0"}),
    ],
)
def test_a_private_key_is_refused(text):
    with pytest.raises(PrivateKeyFound, match="private key"):
        read_public_keys(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no key",
        "{}",
        "[]",
        '{"keys": []}',
        '{"keys": {}}',
        '{"keys": [1]}',
        '{"keys": [{}]}',
        '{"keys": [{"kty": "EC"}]}',
        '{"keys": [{"kty": "EC", "crv": "P-256", "x": 5, "y": "AA"}]}',
        '{"keys": [{"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}]}',
        "{" * 100_000,
        "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
        pem(ec.generate_private_key(ec.SECP384R1())),
        pem(ed25519.Ed25519PrivateKey.generate()),
        jwks(jwk(ec.generate_private_key(ec.SECP384R1()).public_key())),
        jwks(
            josepy.JWKRSA(
                key=rsa.generate_private_key(public_exponent=65537, key_size=2048).public_key()
            ).to_json()
        ),
    ],
)
def test_anything_else_is_named_as_unusable(text):
    with pytest.raises(UnusableKeySet):
        read_public_keys(text)
