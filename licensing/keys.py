"""The license key: ``imp_lic_`` and a compact JWS, ES256. Spec: Authentication; docs/licensing.md.

Everything a key must be is checked here, and nothing outside is asked: no database, no settings,
no clock. Revocation is the database's business (``services.accept_key``).
"""

import json
import re
import string
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from josepy import b64, jwa

from licensing.keysets import PublicKeys, thumbprint
from licensing.refusals import LicenseExpired, LicenseMalformed, LicenseRejected

PREFIX = "imp_lic_"
ISSUER, AUDIENCE = "import-account", "import-engine"
ALGORITHM, TYPE = "ES256", "import-license+jws"
MAX_LENGTH = 4096  # characters, prefix included
LEEWAY_S = 60
LAST_SECOND = 253_402_300_799  # the end of the year 9999, the last that a datetime holds

AGENT_ACCESS, CATALOG_EDITOR = "agentAccess", "catalogEditor"
ENTITLEMENTS = (AGENT_ACCESS, CATALOG_EDITOR)
ENTERPRISE = "enterprise"

BASE64URL = frozenset(string.ascii_letters + string.digits + "-_")
TENANT_ID = re.compile(r"tnt_[A-Za-z0-9_-]{1,60}")
LICENSE_ID = re.compile(r"lic_[A-Za-z0-9_-]{1,60}")
PLAN = re.compile(r"[A-Za-z0-9_-]{1,40}")
ENTITLEMENT = re.compile(r"[A-Za-z][A-Za-z0-9_.:-]{0,63}")
ORIGIN = re.compile(r"https?://[a-z0-9_.\[\]:-]{1,200}")


@dataclass(frozen=True, slots=True)
class Claims:
    """What one key says, after every check; times are Unix seconds."""

    tenant_id: str
    license_id: str
    issued_at: int
    expires_at: int
    plan: str = ""
    entitlements: frozenset[str] = frozenset()  # the ones that are on
    origins: frozenset[str] | None = None  # None: any page; empty: no page
    not_before: int = 0

    def check_time(self, now: float) -> None:
        """Refuse a key outside its time; clocks may differ by 60 s."""
        if now > self.expires_at + LEEWAY_S:
            raise LicenseExpired
        if max(self.issued_at, self.not_before) > now + LEEWAY_S:
            raise LicenseRejected("The license key is not valid yet.")

    def allows_origin(self, origin: str) -> bool:
        """Whether a page of this origin may use the key."""
        return self.origins is None or origin.lower() in self.origins


def mint(private_key: ec.EllipticCurvePrivateKey, claims: Claims) -> str:
    """
    Sign claims into a license key.

    ValueError for ``agentAccess`` outside the enterprise plan, and for a key too long to be
    read: no engine would honour them.
    """
    if AGENT_ACCESS in claims.entitlements and claims.plan != ENTERPRISE:
        raise ValueError(f"{AGENT_ACCESS} is an entitlement of the {ENTERPRISE} plan only")
    members: dict[str, Any] = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": claims.tenant_id,
        "jti": claims.license_id,
        "iat": claims.issued_at,
        "exp": claims.expires_at,
        "plan": claims.plan,
        "entitlements": dict.fromkeys(sorted(claims.entitlements), True),
    }
    if claims.origins is not None:
        members["origins"] = sorted(claims.origins)
    if not claims.plan:
        del members["plan"]
    key = sign_members(private_key, members)
    if len(key) > MAX_LENGTH:
        raise ValueError(f"the key would be longer than {MAX_LENGTH} characters")
    return key


def sign_members(private_key: ec.EllipticCurvePrivateKey, members: dict[str, Any]) -> str:
    """Sign a payload as it stands into the key's format."""
    header = {"alg": ALGORITHM, "kid": thumbprint(private_key.public_key()), "typ": TYPE}
    signed = f"{_encoded(header)}.{_encoded(members)}"
    signature = jwa.ES256.sign(private_key, signed.encode())
    return f"{PREFIX}{signed}.{b64.b64encode(signature).decode()}"


def verify(text: str, public_keys: PublicKeys) -> Claims:
    """
    Read a key and check all but its time and revocation.

    1. Size, alphabet, three parts, canonical base64url (LicenseMalformed).
    2. The header is exactly alg, kid and typ, with our alg and typ; kid names a known key.
    3. The signature, before a byte of the payload is parsed.
    4. The claims, each by type and form (LicenseRejected).
    """
    if len(text) > MAX_LENGTH:
        raise LicenseMalformed(f"A license key has at most {MAX_LENGTH} characters.")
    parts = text.removeprefix(PREFIX).split(".")
    if len(parts) != 3:
        raise LicenseMalformed
    header, payload, signature = (_decoded(part) for part in parts)
    public_key = _named_key(_json_object(header), public_keys)
    if not jwa.ES256.verify(public_key, f"{parts[0]}.{parts[1]}".encode(), signature):
        raise LicenseRejected
    return _read_claims(_json_object(payload))


def _encoded(members: dict[str, Any]) -> str:
    return b64.b64encode(json.dumps(members, separators=(",", ":")).encode()).decode()


def _decoded(part: str) -> bytes:
    """Decode canonical base64url: one text for one value, else a key would have many spellings."""
    if not part or not BASE64URL.issuperset(part):
        raise LicenseMalformed
    try:
        value = b64.b64decode(part)
    except ValueError as error:
        raise LicenseMalformed from error
    if b64.b64encode(value).decode() != part:
        raise LicenseMalformed
    return value


def _json_object(text: bytes) -> dict[str, Any]:
    try:
        value = json.loads(
            text.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_refuse_constant
        )
    except (ValueError, RecursionError) as error:
        raise LicenseMalformed from error
    if not isinstance(value, dict):
        raise LicenseMalformed
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("duplicate member")
    return members


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _named_key(header: dict[str, Any], public_keys: PublicKeys) -> ec.EllipticCurvePublicKey:
    if header.keys() != {"alg", "kid", "typ"}:
        raise LicenseRejected
    kid = header["kid"]
    if header["alg"] != ALGORITHM or header["typ"] != TYPE or not isinstance(kid, str):
        raise LicenseRejected
    public_key = public_keys.get(kid)
    if public_key is None:
        raise LicenseRejected
    return public_key


def _read_claims(members: dict[str, Any]) -> Claims:
    if members.get("iss") != ISSUER or members.get("aud") != AUDIENCE:
        raise LicenseRejected
    plan = _text(members["plan"], PLAN) if "plan" in members else ""
    return Claims(
        tenant_id=_text(members.get("sub"), TENANT_ID),
        license_id=_text(members.get("jti"), LICENSE_ID),
        issued_at=_seconds(members.get("iat")),
        expires_at=_seconds(members.get("exp")),
        plan=plan,
        entitlements=_entitlements(members.get("entitlements", {}), plan),
        origins=_origins(members["origins"]) if "origins" in members else None,
        not_before=_seconds(members.get("nbf", 0)),
    )


def _text(value: object, form: re.Pattern[str]) -> str:
    if not isinstance(value, str) or not form.fullmatch(value):
        raise LicenseRejected
    return value


def _seconds(value: object) -> int:
    # bool is an int in Python, and a float may be infinite or not a number
    if type(value) is not int or not 0 <= value <= LAST_SECOND:
        raise LicenseRejected
    return value


def _entitlements(value: object, plan: str) -> frozenset[str]:
    if not isinstance(value, dict):
        raise LicenseRejected
    for name, on in value.items():
        _text(name, ENTITLEMENT)
        if on is not None and not isinstance(on, bool):
            raise LicenseRejected
    granted = frozenset(name for name, on in value.items() if on is True)
    return granted if plan == ENTERPRISE else granted - {AGENT_ACCESS}


def _origins(value: object) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(origin, str) for origin in value):
        raise LicenseRejected
    written = (origin.lower().removesuffix("/") for origin in value)
    return frozenset(origin for origin in written if ORIGIN.fullmatch(origin))  # "null", "*": no
