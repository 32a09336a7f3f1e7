"""Accept, issue and revoke keys. Spec: Authentication."""

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction

from common import events
from common.actors import ENGINE, Actor
from common.ids import PREFIXES, new_id
from common.rows import the_only
from licensing.caller import Caller
from licensing.models import TEST_SUFFIX, License, Tenant
from licensing.refusals import LicenseRejected, LicenseRevoked, OriginNotAllowed
from licensing.tokens import keys
from licensing.tokens.keys import Claims
from licensing.tokens.verifier import configured_verifier

REASON_LENGTH = 200


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """A new key, to be shown once, and its stored license."""

    key: str
    license: License


def accept_key(
    *, key: str, at: datetime, origin: str = "", actor_label: str = "", import_token: str = ""
) -> tuple[Caller, Claims]:
    """
    Authenticate the holder of a license key.

    origin: the page's ``Origin`` header, empty for a call that no page made. actor_label: who acts,
    according to the caller; kept for the history, grants no rights. import_token: the token of the
    one import that a page key may access with this call.

    Raise NotAuthenticated with a code if the key is not accepted, OriginNotAllowed if it is, but
    not from this page.
    """
    claims = configured_verifier().claims_of(key, now=at.timestamp())
    tenant, label = _recorded(claims, spelling=spelling_of(key), at=at)
    if origin and not claims.allows_origin(origin):
        raise OriginNotAllowed
    claimed = keys.readable_label(actor_label)
    caller = _caller(claims, tenant, claimed=claimed, label=claimed or label)
    return replace(caller, import_token=import_token), claims


def issue_license(
    *,
    private_key: ec.EllipticCurvePrivateKey,
    claims: Claims,
    tenant_label: str = "",
    actor: Actor = ENGINE,
) -> IssuedKey:
    """
    Mint a key and record its license; the key itself is not stored.

    tenant_label: a name for the tenant, if it has none yet. Raise ValueError for a key that no
    engine would accept.
    """
    key = keys.mint(private_key, claims)
    with transaction.atomic():
        tenant = _make_tenant(claims, at=_moment(claims.issued_at))
        for named in {tenant.owner, tenant}:
            if tenant_label and not named.label:
                named.label = tenant_label
                named.save(update_fields=["label"])
        license = _record(claims, tenant)
        license.key_sha256 = spelling_of(key)
        license.save(update_fields=["key_sha256"])
        events.note(
            tenant=tenant.public_id,
            kind="license.minted",
            subject=license.public_id,
            actor=actor,
            at=_moment(claims.issued_at),
            about={
                "label": claims.label,
                "plan": claims.plan,
                "entitlements": sorted(claims.entitlements),
                "test": claims.is_test,
            },
        )
        return IssuedKey(key=key, license=license)


def new_claims(
    *,
    tenant_id: str,
    at: datetime,
    lifetime: timedelta,
    plan: str = "",
    entitlements: frozenset[str] = frozenset(),
    origins: frozenset[str] | None = None,
    label: str = "",
    is_test: bool = False,
) -> Claims:
    """Return the claims of a new key, with a license id of its own."""
    return Claims(
        tenant_id=tenant_id,
        license_id=new_id(PREFIXES["license"]),
        issued_at=int(at.timestamp()),
        expires_at=int((at + lifetime).timestamp()),
        plan=plan,
        entitlements=entitlements,
        origins=origins,
        label=keys.readable_label(label),
        is_test=is_test,
    )


def revoke_license(*, license: License, reason: str, at: datetime, actor: Actor = ENGINE) -> bool:
    """Revoke a license from the next call on; return False if it already was revoked."""
    still_good = License.objects.filter(pk=license.pk, revoked_at__isnull=True)
    with transaction.atomic():
        revoked = still_good.update(revoked_at=at, revoked_reason=reason[:REASON_LENGTH])
        if revoked:
            events.note(
                tenant=license.tenant.public_id,
                kind="license.revoked",
                subject=license.public_id,
                actor=actor,
                at=at,
                about={"reason": reason[:REASON_LENGTH]},
            )
    license.refresh_from_db()
    return revoked == 1


def record_license(*, claims: Claims, at: datetime) -> License:
    """Record the license of an accepted key, and its tenant, if they are new here."""
    with transaction.atomic():
        return _record(claims, _make_tenant(claims, at=at))


def spelling_of(key: str) -> str:
    """
    Return the sha256 of a key as it is written, without its optional prefix.

    An ES256 signature (r, s) has a twin, (r, n - s), that verifies as well: for a key that was
    minted here, only the issued spelling is accepted.
    """
    return hashlib.sha256(keys.bare(key).encode()).hexdigest()


def _recorded(claims: Claims, *, spelling: str, at: datetime) -> tuple[Tenant, str]:
    """Return the key's tenant and label; the same query checks revocation, on every call."""
    same_id = License.objects.select_related("tenant").filter(public_id=claims.license_id)
    license = the_only(same_id) or record_license(claims=claims, at=at)
    if license.revoked_at is not None:
        raise LicenseRevoked
    if license.key_sha256 not in {"", spelling}:
        raise LicenseRejected
    if license.tenant.public_id == _side(claims):
        return license.tenant, license.label
    return _make_tenant(claims, at=at), claims.label  # another tenant has the same id


def _make_tenant(claims: Claims, *, at: datetime) -> Tenant:
    tenant, _ = Tenant.objects.get_or_create(
        public_id=claims.tenant_id, defaults={"created_at": at}
    )
    if not claims.is_test:
        return tenant
    side, _ = Tenant.objects.get_or_create(
        public_id=_side(claims),
        defaults={"test_of": tenant, "label": tenant.label, "created_at": at},
    )
    return side


def _side(claims: Claims) -> str:
    """Return the id of the tenant that a key acts for: that of its test side for a test key."""
    return f"{claims.tenant_id}{TEST_SUFFIX if claims.is_test else ''}"


def _record(claims: Claims, tenant: Tenant) -> License:
    license, _ = License.objects.get_or_create(
        public_id=claims.license_id,
        defaults={
            "tenant": tenant,
            "label": claims.label,
            "plan": claims.plan,
            "entitlements": dict.fromkeys(sorted(claims.entitlements), True),
            "origins": sorted(claims.origins or ()),
            "issued_at": _moment(claims.issued_at),
            "expires_at": _moment(claims.expires_at),
        },
    )
    return license


def _moment(unix_s: int) -> datetime:
    return datetime.fromtimestamp(unix_s, UTC)


def _caller(claims: Claims, tenant: Tenant, *, claimed: str, label: str) -> Caller:
    return Caller(
        tenant=tenant,
        license_id=claims.license_id,
        actor=Actor(kind="person" if claimed else "system", id=claims.license_id, label=label),
        plan=claims.plan,
        entitlements=claims.entitlements,
        expires_at=claims.expires_at,
        is_page=claims.origins is not None,
    )
