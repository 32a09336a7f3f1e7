"""Public keys on P-256, from PEM blocks or a JWKS. Spec: Authentication."""

import json
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from josepy import b64, jwk
from josepy.errors import Error as JoseError

PublicKeys = Mapping[str, ec.EllipticCurvePublicKey]  # by thumbprint
NamedKeys = Mapping[str, ec.EllipticCurvePublicKey]  # by the kid that a JWKS gives to each

PEM_BLOCK = re.compile(
    r"-----BEGIN (?P<label>[A-Z0-9 ]+)-----.+?-----END (?P=label)-----", re.DOTALL
)


class UnusableKeySet(ValueError):
    """The text contains no usable set of public keys."""


class PrivateKeyFound(UnusableKeySet):
    """The text contains a private key, which must not be on an engine."""


def thumbprint(key: ec.EllipticCurvePublicKey) -> str:
    """Return the key's RFC 7638 SHA-256 thumbprint, base64url: its ``kid``."""
    return b64.b64encode(jwk.JWKEC(key=key).thumbprint()).decode()


def read_public_keys(text: str) -> PublicKeys:
    r"""
    Read P-256 public keys from PEM blocks or a JWKS. Raise UnusableKeySet with the reason.

    The line ends of a PEM may be written as ``\n``, as one-line environment files require.
    """
    text = text.strip()
    read = _from_jwks(text) if text.startswith("{") else _from_pem(text.replace("\\n", "\n"))
    keys = {thumbprint(key): key for key in read}
    if not keys:
        raise UnusableKeySet("holds neither a PEM public key nor a JWKS")
    return MappingProxyType(keys)


def _from_pem(text: str) -> Iterator[ec.EllipticCurvePublicKey]:
    for block in PEM_BLOCK.finditer(text):
        if "PRIVATE" in block["label"]:
            raise PrivateKeyFound("holds a private key; give the engine the public key only")
        try:
            key = serialization.load_pem_public_key(block[0].encode())
        except (ValueError, UnsupportedAlgorithm) as error:
            raise UnusableKeySet("holds a PEM block that is not a public key") from error
        yield _on_p256(key)


def _from_jwks(text: str) -> Iterator[ec.EllipticCurvePublicKey]:
    try:
        members = json.loads(text)["keys"]
    except (ValueError, KeyError, RecursionError) as error:
        raise UnusableKeySet("is not a JWKS: an object with a list of keys") from error
    if not isinstance(members, list) or not all(isinstance(member, dict) for member in members):
        raise UnusableKeySet("is not a JWKS: an object with a list of keys")
    if any("d" in member or "k" in member for member in members):
        raise PrivateKeyFound("holds a private key; give the engine the public key only")
    for member in members:
        yield _from_jwk(member)


def _from_jwk(member: dict[str, Any]) -> ec.EllipticCurvePublicKey:
    try:
        key = jwk.JWK.from_json(member)
    except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnusableKeySet("holds a JWK that is not a public key") from error
    if isinstance(key, jwk.JWKEC):
        return _on_p256(key.key.public_numbers().public_key())
    return _on_p256(key)


def _on_p256(key: object) -> ec.EllipticCurvePublicKey:
    if isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1):
        return key
    raise UnusableKeySet("holds a key that is not on the curve P-256")


def public_jwk(key: ec.EllipticCurvePublicKey) -> dict[str, str]:
    """Return a key as a JWK for verifying ES256; its kid is the thumbprint."""
    members = jwk.JWKEC(key=key).to_json()
    return {**members, "kid": thumbprint(key), "use": "sig", "alg": "ES256"}


def read_named_keys(key_set: Any) -> NamedKeys:
    """
    Read a JWKS by the kid of each key. Raise UnusableKeySet.

    A key without a kid goes by its thumbprint. Keys of another kind are skipped, because they sign
    other things. Two keys with the same kid are ambiguous, and are refused.
    """
    members = key_set.get("keys") if isinstance(key_set, dict) else None
    if not isinstance(members, list) or not all(isinstance(member, dict) for member in members):
        raise UnusableKeySet("is not a JWKS: an object with a list of keys")
    if any("d" in member or "k" in member for member in members):
        raise PrivateKeyFound("holds a private key; give public keys only")
    by_name: dict[str, ec.EllipticCurvePublicKey] = {}
    for member in members:
        if member.get("kty") != "EC" or member.get("crv") != "P-256":
            continue
        key = _from_jwk(member)
        kid = member.get("kid", thumbprint(key))
        if not isinstance(kid, str) or kid in by_name:
            raise UnusableKeySet("holds two keys of one kid, or a kid that is not text")
        by_name[kid] = key
    return MappingProxyType(by_name)
