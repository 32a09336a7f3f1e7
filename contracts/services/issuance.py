"""Issue contracts, and change the keys that sign them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction

from catalogs.models import CatalogVersion
from common import clock, events
from common.actors import ENGINE, Actor
from contracts import signing
from contracts.content import ContractDraft, content_of
from contracts.customer import REGION, Customer
from contracts.errors import (
    CustomFieldsNotExported,
    DraftNotExported,
    ListNeeded,
    ProfileOutdated,
    ValuesQuoted,
)
from contracts.models import IssuedContract, SigningKey
from contracts.selectors import seen_by
from imports.customization import PROFILE, Customization
from imports.models import Profile
from licensing.models import Tenant
from signatures.keysets import public_jwk, thumbprint
from tabular.model.catalog import Catalog
from tabular.model.recipe import listing_steps, quoting_steps

Json = dict[str, Any]
NOT_SPECIAL = Customization()


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """The exporter's options; None means the engine's default."""

    title: str | None = None
    required_columns: list[str] | None = None
    max_rows: int | None = None
    encodings: list[str] | None = None
    expires_at: datetime | None = None
    allow_values: bool = False  # whether a recipe may quote texts of cells


def export(
    *,
    tenant: Tenant,
    version: CatalogVersion,
    profile: Profile | None,
    options: ExportOptions,
    actor: Actor,
    at: datetime,
    special: Customization = NOT_SPECIAL,
) -> IssuedContract:
    """
    Sign what a tenant accepts, and save the bundle.

    special: what holds for one customer, checked against the version; the contract has the catalog
    as that customer sees it. Without a profile, the contract names no columns, and the matcher maps
    them. Raise DraftNotExported, CustomFieldsNotExported, ProfileOutdated or ValuesQuoted.
    """
    if version.state == CatalogVersion.State.DRAFT:
        raise DraftNotExported
    customer = _customer(special)
    catalog = seen_by(customer, version)
    if profile is not None:
        _check_profile(profile, catalog, options)
    with transaction.atomic():
        key = signing_key(tenant=tenant, at=at)
        draft = ContractDraft(
            title=version.title if options.title is None else options.title,
            catalog=catalog,
            profile=_profile_json(profile, catalog, customer),
            policy=_policy_json(profile, catalog, customer, options),
            created_at=clock.iso(at),
            expires_at=clock.iso(options.expires_at) if options.expires_at else None,
        )
        content = content_of(draft, tenant=tenant.public_id, key_id=key.kid)
        bundle = signing.sign(content, private_key(key))
        issued = IssuedContract.objects.create(
            tenant=tenant,
            contract_id=signing.open_bundle(bundle.encode()).contract.id,
            bundle=bundle,
            title=draft.title,
            key=key,
            catalog_version=version,
            overlay_digest=customer.digest or "",
            profile_id=profile.public_id if profile else "",
            created_at=at,
            created_by=actor.as_dict(),
            expires_at=options.expires_at,
        )
        _note("contract.signed", tenant, issued.contract_id, actor, at, version=version.number)
        return issued


def _customer(special: Customization) -> Customer:
    """Return what a contract says of a customer; its profile and region have their own places."""
    overlay, context = special.overlay or {}, special.context
    return Customer(
        {name: value for name, value in overlay.items() if name != PROFILE},
        {name: context[name] for name in ("region", "defaults", "options") if context.get(name)},
    )


def signing_key(*, tenant: Tenant, at: datetime) -> SigningKey:
    """Return the tenant's current signing key, creating the first one."""
    with transaction.atomic():
        Tenant.objects.select_for_update().get(pk=tenant.pk)
        key = SigningKey.objects.filter(tenant=tenant, retired_at=None).first()
        return key or _make_key(tenant, at)


def rotate_key(*, tenant: Tenant, at: datetime, actor: Actor = ENGINE) -> SigningKey:
    """Sign with a new key from now on; signatures of the former key remain valid."""
    with transaction.atomic():
        Tenant.objects.select_for_update().get(pk=tenant.pk)
        former = SigningKey.objects.filter(tenant=tenant, retired_at=None)
        former.update(retired_at=at, private_pem="")
        made = _make_key(tenant, at)
        _note("signing-key.rotated", tenant, made.kid, actor, at)
        return made


def revoke_key(*, key: SigningKey, at: datetime, actor: Actor = ENGINE) -> SigningKey:
    """Revoke a key and all its signatures. A new key is created when the next one is needed."""
    mine = SigningKey.objects.filter(pk=key.pk)
    with transaction.atomic():
        mine.filter(retired_at=None).update(retired_at=at)
        if mine.filter(revoked_at=None).update(revoked_at=at, private_pem=""):
            _note("signing-key.revoked", key.tenant, key.kid, actor, at)
    key.refresh_from_db()
    return key


def _note(
    kind: events.Kind, tenant: Tenant, subject: str, actor: Actor, at: datetime, **about: Any
) -> None:
    events.note(
        tenant=tenant.public_id, kind=kind, subject=subject, actor=actor, at=at, about=about
    )


def _make_key(tenant: Tenant, at: datetime) -> SigningKey:
    private = ec.generate_private_key(ec.SECP256R1())
    pem = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return SigningKey.objects.create(
        tenant=tenant,
        kid=thumbprint(private.public_key()),
        private_pem=pem.decode(),
        public_jwk=public_jwk(private.public_key()),
        created_at=at,
    )


def private_key(key: SigningKey) -> ec.EllipticCurvePrivateKey:
    """Return the private half of a key that signs."""
    private = serialization.load_pem_private_key(key.private_pem.encode(), password=None)
    assert isinstance(private, ec.EllipticCurvePrivateKey)  # noqa: S101 - _make_key wrote it
    return private


def _check_profile(profile: Profile, catalog: Catalog, options: ExportOptions) -> None:
    if profile.custom_fields:
        raise CustomFieldsNotExported
    if not set(profile.mapping.values()) <= set(catalog.live_fields):
        raise ProfileOutdated
    if listing := listing_steps(profile.recipe):
        raise ListNeeded(members={"steps": listing})
    quoting = quoting_steps(profile.recipe)
    if quoting and not options.allow_values:
        raise ValuesQuoted(members={"steps": quoting})


def _profile_json(profile: Profile | None, catalog: Catalog, customer: Customer) -> Json:
    """
    Return how files are read.

    The recipe, which may be any JSON, also has the region and what is special for a customer.
    """
    region = {} if catalog.region is None else {REGION: catalog.region}
    own = region | customer.as_members()
    if profile is None:
        return {"version": 1, **({"recipe": own} if own else {})}
    shown = {
        "version": profile.version,
        "fingerprint": profile.fingerprint,
        "headerRow": profile.header_row,
        "mapping": profile.mapping,
        "recipe": {**(profile.recipe or {}), **own} if own else profile.recipe,
    }
    return {name: value for name, value in shown.items() if value is not None}


def _policy_json(
    profile: Profile | None, catalog: Catalog, customer: Customer, options: ExportOptions
) -> Json:
    required = options.required_columns
    if required is None:
        required = _columns_of_required_fields(profile, catalog, customer)
    shown = {
        "requiredColumns": required,
        "maxRows": options.max_rows,
        "encodings": options.encodings,
    }
    return {name: value for name, value in shown.items() if value is not None}


def _columns_of_required_fields(
    profile: Profile | None, catalog: Catalog, customer: Customer
) -> list[str]:
    """Return the columns of the file, not of a recipe, that required fields depend on."""
    if profile is None:
        return []
    needed = {path for path, field in catalog.live_fields.items() if field.is_required}
    needed -= customer.context.get("defaults", {}).keys()
    return [
        column
        for column, path in profile.mapping.items()
        if path in needed and column in profile.columns
    ]
