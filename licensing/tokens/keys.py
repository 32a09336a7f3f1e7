"""
The license key: ``imp_lic_`` and a compact JWS, ES256. Spec: Authentication; docs/licensing.md.

All properties of a key are checked here, without a database, settings or clock. Revocation is
checked in the database (``services.accept_key``).
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec

from licensing.refusals import LicenseExpired, LicenseMalformed, LicenseRejected
from signatures import jws
from signatures.keysets import PublicKeys

PREFIX = "imp_lic_"
ISSUER, AUDIENCE = "import-account", "import-engine"
TYPE = "import-license+jws"
MAX_LENGTH = 4096  # characters, including the prefix
LEEWAY_S = 60
LABEL_LENGTH = 120
LAST_SECOND = 253_402_300_799  # the end of the year 9999, the maximum of a datetime


AGENT_ACCESS, CATALOG_EDITOR = "agentAccess", "catalogEditor"
AGENT_MEMORY = "agentMemory"  # what an agent decides is remembered without a person's confirmation
CATALOG_OVERLAYS = "catalogOverlays"  # a customer's overlay may go beyond the catalog
HOSTED_LINKS = "hostedLinks"  # addresses of the engine for people without an account
ENTITLEMENTS = (AGENT_ACCESS, AGENT_MEMORY, CATALOG_EDITOR, CATALOG_OVERLAYS, HOSTED_LINKS)
ENTERPRISE = "enterprise"

TENANT_ID = re.compile(r"tnt_[A-Za-z0-9_-]{1,60}")
LICENSE_ID = re.compile(r"lic_[A-Za-z0-9_-]{1,60}")
PLAN = re.compile(r"[A-Za-z0-9_-]{1,40}")
ENTITLEMENT = re.compile(r"[A-Za-z][A-Za-z0-9_.:-]{0,63}")
ORIGIN = re.compile(r"https?://([a-z0-9_][a-z0-9_.-]{0,199}|\[[0-9a-f:.]{2,60}\])(:[0-9]{1,5})?")


@dataclass(frozen=True, slots=True)
class Claims:
    """The verified claims of a key; times are Unix seconds."""

    tenant_id: str
    license_id: str
    issued_at: int
    expires_at: int
    plan: str = ""
    entitlements: frozenset[str] = frozenset()  # those that are granted
    origins: frozenset[str] | None = None  # None: any page; empty: no page
    not_before: int = 0
    label: str = ""  # a name for people; grants no rights

    def check_time(self, now: float) -> None:
        """Raise if a key is outside its validity; clocks may differ by 60 s."""
        if now > self.expires_at + LEEWAY_S:
            raise LicenseExpired
        if max(self.issued_at, self.not_before) > now + LEEWAY_S:
            raise LicenseRejected("license_rejected.not_yet")

    def allows_origin(self, origin: str) -> bool:
        """Return whether a page of this origin may use the key."""
        return self.origins is None or origin.lower() in self.origins


def mint(private_key: ec.EllipticCurvePrivateKey, claims: Claims) -> str:
    """
    Return claims signed as a license key.

    Raise ValueError for ``agentAccess`` outside the enterprise plan, and for a key above the length
    limit: no engine would accept them.
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
    if claims.label:
        members["label"] = claims.label
    key = sign_members(private_key, members)
    if len(key) > MAX_LENGTH:
        raise ValueError(f"the key would be longer than {MAX_LENGTH} characters")
    return key


def sign_members(private_key: ec.EllipticCurvePrivateKey, members: dict[str, Any]) -> str:
    """Return a payload signed as a license key, without any checks."""
    parts = jws.sign(private_key, json.dumps(members, separators=(",", ":")).encode(), typ=TYPE)
    return f"{PREFIX}{parts.protected}.{parts.payload}.{parts.signature}"


def verify(text: str, public_keys: PublicKeys) -> Claims:
    """
    Return the claims of a key after all checks except its validity period and revocation.

    1. Size, alphabet, three parts, canonical base64url (LicenseMalformed).
    2. The header is exactly alg, kid and typ, with our alg and typ; kid names a known key.
    3. The signature, before a byte of the payload is parsed.
    4. The claims, each by type and form (LicenseRejected).
    """
    if len(text) > MAX_LENGTH:
        raise LicenseMalformed("license_malformed.long", most=MAX_LENGTH)
    parts = text.removeprefix(PREFIX).split(".")
    if len(parts) != 3:
        raise LicenseMalformed
    try:
        jws.verify(jws.Parts(*parts), typ=TYPE, keys=public_keys)
        members = jws.strict_object(jws.decode(parts[1]))
    except jws.Malformed as error:
        raise LicenseMalformed from error
    except jws.KeyUnknown as error:
        raise LicenseRejected("license_rejected.another_engine") from error
    except jws.JwsRefused as error:
        raise LicenseRejected from error
    return _read_claims(members)


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
        label=_label(members.get("label")),
    )


def _text(value: object, form: re.Pattern[str]) -> str:
    if not isinstance(value, str) or not form.fullmatch(value):
        raise LicenseRejected
    return value


def _label(value: object) -> str:
    """Return a label for display; an invalid one is empty and does not invalidate the key."""
    return readable_label(value) if isinstance(value, str) else ""


def readable_label(text: str) -> str:
    r"""
    Return the displayable part of a claimed label, at most 120 characters.

    >>> readable_label("  Ada\n Lovelace ")
    'Ada Lovelace'
    """
    shown = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(shown.split())[:LABEL_LENGTH]


def _seconds(value: object) -> int:
    # bool is a subclass of int in Python, and a float may be infinite or NaN
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
