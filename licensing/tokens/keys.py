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
TEST_PREFIX = "imp_lic_test_"  # shows what a key is; its claims say so
ISSUER, AUDIENCE = "import-account", "import-engine"
TEST_AUDIENCE = "import-engine-test"  # an engine without test keys refuses it
TYPE = "import-license+jws"
MAX_LENGTH = 4096  # characters, including the prefix
LEEWAY_S = 60
LABEL_LENGTH = 120
LAST_SECOND = 253_402_300_799  # the end of the year 9999, the maximum of a datetime


AGENT_ACCESS, CATALOG_EDITOR = "agentAccess", "catalogEditor"
AGENT_MEMORY = "agentMemory"  # what an agent decides is remembered without a person's confirmation
CATALOG_OVERLAYS = "catalogOverlays"  # a customer's overlay may go beyond the catalog
HOSTED_LINKS = "hostedLinks"  # addresses of the engine for people without an account
FEEDS = "feeds"  # files that arrive by themselves
ENTITLEMENTS = (
    AGENT_ACCESS,
    AGENT_MEMORY,
    CATALOG_EDITOR,
    CATALOG_OVERLAYS,
    FEEDS,
    HOSTED_LINKS,
)
ENTERPRISE = "enterprise"

TENANT_ID = re.compile(r"tnt_[A-Za-z0-9_-]{1,60}")
LONGEST_OF_A_TEST = 59  # characters of a tenant's id, since that of its test side is longer
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
    is_test: bool = False  # reaches only what test keys made

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

    Raise ValueError for ``agentAccess`` outside the enterprise plan, for ``catalogEditor`` in a
    test key, and for a key above the length limit: no engine would accept them.
    """
    if claims.is_test and CATALOG_EDITOR in claims.entitlements:
        raise ValueError(f"{CATALOG_EDITOR} cannot be in a test key: it uses the live catalogs")
    if AGENT_ACCESS in claims.entitlements and claims.plan != ENTERPRISE:
        raise ValueError(f"{AGENT_ACCESS} is an entitlement of the {ENTERPRISE} plan only")
    members: dict[str, Any] = {
        "iss": ISSUER,
        "aud": TEST_AUDIENCE if claims.is_test else AUDIENCE,
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
    key = sign_members(private_key, members, prefix=TEST_PREFIX if claims.is_test else PREFIX)
    if len(key) > MAX_LENGTH:
        raise ValueError(f"the key would be longer than {MAX_LENGTH} characters")
    return key


def sign_members(
    private_key: ec.EllipticCurvePrivateKey, members: dict[str, Any], *, prefix: str = PREFIX
) -> str:
    """Return a payload signed as a license key, without any checks."""
    parts = jws.sign(private_key, json.dumps(members, separators=(",", ":")).encode(), typ=TYPE)
    return f"{prefix}{parts.protected}.{parts.payload}.{parts.signature}"


def bare(key: str) -> str:
    """
    Return a key without its optional prefix.

    >>> bare("imp_lic_test_a.b.c"), bare("imp_lic_a.b.c"), bare("a.b.c")
    ('a.b.c', 'a.b.c', 'a.b.c')
    """
    prefix = TEST_PREFIX if key.startswith(TEST_PREFIX) else PREFIX
    return key.removeprefix(prefix)


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
    parts = bare(text).split(".")
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
    claims = _read_claims(members)
    if text.startswith(TEST_PREFIX) and not claims.is_test:
        raise LicenseRejected
    return claims


def _read_claims(members: dict[str, Any]) -> Claims:
    audience = members.get("aud")
    if members.get("iss") != ISSUER or audience not in (AUDIENCE, TEST_AUDIENCE):
        raise LicenseRejected
    is_test = audience == TEST_AUDIENCE
    tenant_id = _text(members.get("sub"), TENANT_ID)
    if is_test and len(tenant_id) > LONGEST_OF_A_TEST:
        raise LicenseRejected
    plan = _text(members["plan"], PLAN) if "plan" in members else ""
    return Claims(
        tenant_id=tenant_id,
        license_id=_text(members.get("jti"), LICENSE_ID),
        issued_at=_seconds(members.get("iat")),
        expires_at=_seconds(members.get("exp")),
        plan=plan,
        entitlements=_entitlements(members.get("entitlements", {}), plan, is_test=is_test),
        origins=_origins(members["origins"]) if "origins" in members else None,
        not_before=_seconds(members.get("nbf", 0)),
        label=_label(members.get("label")),
        is_test=is_test,
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


def _entitlements(value: object, plan: str, *, is_test: bool) -> frozenset[str]:
    if not isinstance(value, dict):
        raise LicenseRejected
    for name, on in value.items():
        _text(name, ENTITLEMENT)
        if on is not None and not isinstance(on, bool):
            raise LicenseRejected
    granted = frozenset(name for name, on in value.items() if on is True)
    granted = granted - {CATALOG_EDITOR} if is_test else granted  # the catalogs are the live ones
    return granted if plan == ENTERPRISE else granted - {AGENT_ACCESS}


def _origins(value: object) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(origin, str) for origin in value):
        raise LicenseRejected
    written = (origin.lower().removesuffix("/") for origin in value)
    return frozenset(origin for origin in written if ORIGIN.fullmatch(origin))  # "null", "*": no
