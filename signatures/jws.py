"""
JWS (RFC 7515) in one strict form: ES256, exactly the header members alg, kid and typ.

JwsRefused              the root
├── Malformed           not canonical base64url, not strict JSON, not the expected parts
├── HeaderRefused       another algorithm or type, a member too many or too few
├── KeyUnknown          no key of this kid
└── SignatureInvalid    the key did not sign this
"""

import json
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from josepy import b64, jwa

from signatures.keysets import thumbprint
from tabular.model.sentences import Sentence

ALGORITHM = "ES256"
BASE64URL = frozenset(string.ascii_letters + string.digits + "-_")
HEADER_MEMBERS = frozenset({"alg", "kid", "typ"})


class JwsRefused(ValueError):
    """The signature cannot be accepted."""


class Malformed(JwsRefused):
    """The text is not a JWS in its strict form."""


class HeaderRefused(JwsRefused):
    """The protected header is not exactly alg, kid and typ, with the expected alg and typ."""


class KeyUnknown(JwsRefused):
    """The key that is named as the signer is unknown."""


class SignatureInvalid(JwsRefused):
    """The signature was not made by this key over these bytes."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The three parts of a JWS, each base64url without padding."""

    protected: str
    payload: str
    signature: str


def sign(private_key: ec.EllipticCurvePrivateKey, payload: bytes, *, typ: str) -> Parts:
    """Sign bytes with a P-256 key; the kid is the key's RFC 7638 thumbprint."""
    header = {"alg": ALGORITHM, "kid": thumbprint(private_key.public_key()), "typ": typ}
    protected = encode(json.dumps(header, separators=(",", ":")).encode())
    encoded = encode(payload)
    signature = jwa.ES256.sign(private_key, f"{protected}.{encoded}".encode())
    return Parts(protected, encoded, encode(signature))


def verify(parts: Parts, *, typ: str, keys: Mapping[str, ec.EllipticCurvePublicKey]) -> str:
    """
    Check header and signature, and return the kid. The payload is not parsed.

    Raise Malformed, HeaderRefused, KeyUnknown or SignatureInvalid, in this order.
    """
    header, _, signature = map(decode, (parts.protected, parts.payload, parts.signature))
    kid = _kid(strict_object(header), typ)
    key = keys.get(kid)
    if key is None:
        raise KeyUnknown(Sentence("The key {key} is unknown.", key=kid))
    signed = f"{parts.protected}.{parts.payload}".encode()
    if not jwa.ES256.verify(key, signed, signature):
        raise SignatureInvalid("The signature does not match the content.")
    return kid


def encode(value: bytes) -> str:
    """Return bytes as base64url without padding."""
    return str(b64.b64encode(value).decode())


def decode(text: str) -> bytes:
    """Read canonical base64url: one text per value, because else a signature had many spellings."""
    if not text or not BASE64URL.issuperset(text):
        raise Malformed("This is not base64url without padding.")
    try:
        value = b64.b64decode(text)
    except ValueError as error:
        raise Malformed("This is not base64url without padding.") from error
    if encode(value) != text:
        raise Malformed("This is not the canonical base64url of its bytes.")
    return bytes(value)


def strict_object(text: bytes) -> dict[str, Any]:
    """Read a JSON object. Raise Malformed for a duplicate member, NaN, or anything else."""
    try:
        value = json.loads(
            text.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_refuse_constant
        )
    except (ValueError, RecursionError) as error:
        raise Malformed("This is not strict JSON.") from error
    if not isinstance(value, dict):
        raise Malformed("This is not a JSON object.")
    return value


def _kid(header: dict[str, Any], typ: str) -> str:
    if header.keys() != HEADER_MEMBERS:
        raise HeaderRefused("The header has other members than alg, kid and typ.")
    kid = header["kid"]
    if header["alg"] != ALGORITHM or header["typ"] != typ or not isinstance(kid, str):
        raise HeaderRefused(
            Sentence("The header is not that of {typ} signed with {alg}.", typ=typ, alg=ALGORITHM)
        )
    return kid


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("duplicate member")
    return members


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
