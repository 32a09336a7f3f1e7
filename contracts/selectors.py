"""Queries for contracts and keys, the tenant first."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from catalogs.models import CatalogVersion
from common.rows import the_only
from contracts import signing
from contracts.bundle import Contract
from contracts.comparison import Change, compare_catalogs
from contracts.customer import Customer, customer_of
from contracts.errors import UnknownContract, UnknownKey, as_service_error
from contracts.models import IssuedContract, SigningKey
from contracts.refusals import ContractRefused
from contracts.signing import Opened
from licensing.models import Tenant
from signatures.keysets import NamedKeys, read_named_keys
from tabular.model import i_json
from tabular.model.catalog import Catalog


def contracts_of(tenant: Tenant) -> "QuerySet[IssuedContract]":
    """Return a tenant's contracts, newest first."""
    mine = IssuedContract.objects.filter(tenant=tenant)
    return mine.select_related("catalog_version__catalog", "key").order_by("-id")


def contract_of(tenant: Tenant, contract_id: str) -> IssuedContract:
    """Return one contract of a tenant. Raise UnknownContract if the tenant has no such contract."""
    row = the_only(contracts_of(tenant).filter(contract_id=contract_id))
    if row is None:
        raise UnknownContract
    return row


def in_force(tenant: Tenant, key: str, at: datetime) -> "QuerySet[IssuedContract]":
    """Return the contracts on a catalog that are neither expired nor signed by a revoked key."""
    valid = Q(expires_at=None) | Q(expires_at__gt=at)
    on_it = contracts_of(tenant).filter(catalog_version__catalog__key=key)
    return on_it.filter(valid, key__revoked_at=None)


def keys_of(tenant: Tenant) -> "QuerySet[SigningKey]":
    """Return a tenant's signing keys, newest first."""
    return SigningKey.objects.filter(tenant=tenant).order_by("-id")


def key_of(tenant: Tenant, kid: str) -> SigningKey:
    """Return one signing key of a tenant. Raise UnknownKey if the tenant has no such key."""
    row = the_only(keys_of(tenant).filter(kid=kid))
    if row is None:
        raise UnknownKey
    return row


def key_set(tenant_id: str | None = None) -> dict[str, Any]:
    """
    Return the JWKS of every key whose signatures are valid, newest first.

    tenant_id: only this tenant's keys; no keys if it is unknown.
    """
    good = SigningKey.objects.filter(revoked_at=None).order_by("-id")
    if tenant_id is not None:
        good = good.filter(tenant__public_id=tenant_id)
    return {"keys": list(good.values_list("public_jwk", flat=True))}


def public_keys_of(tenant: Tenant) -> NamedKeys:
    """Return the keys that a tenant's contracts may be signed with, by kid."""
    return read_named_keys(key_set(tenant.public_id))


def opened(issued: IssuedContract) -> Opened:
    """Open a stored contract, whose format is known to be right."""
    return signing.open_bundle(issued.bundle.encode())


def contract_in_force(tenant: Tenant, contract_id: str, at: datetime) -> Opened:
    """
    Return a contract that imports may name. Raise UnknownContract, or the error that prevents it.

    Codes: contract_key_unknown, contract_signature_invalid, contract_expired,
    contract_pin_mismatch.
    """
    return verified(contract_of(tenant, contract_id).bundle.encode(), tenant, at)


def verified(
    text: bytes,
    tenant: Tenant,
    at: datetime,
    *,
    keys: NamedKeys | None = None,
    any_pin: bool = False,
) -> Opened:
    """
    Open a bundle, verify its signer, and check that this engine can honour it now.

    keys: the issuer's; None if the tenant is the issuer.
    """
    try:
        bundle = signing.open_bundle(text)
        signing.verify(bundle, public_keys_of(tenant) if keys is None else keys)
        signing.check_time(bundle.contract, at)
        if not any_pin:
            signing.check_pins(bundle.contract)
    except ContractRefused as refusal:
        raise as_service_error(refusal) from refusal
    return bundle


@dataclass(frozen=True, slots=True)
class Affected:
    """A contract in force, and how another catalog differs from its own."""

    issued: IssuedContract
    changes: tuple[Change, ...]


def impact(tenant: Tenant, version: CatalogVersion, at: datetime) -> list[Affected]:
    """
    Compare a version with the catalog of each contract in force on it. Equal ones are omitted.

    A contract of a customer is compared with the version as that customer would see it.
    """
    compared = (
        Affected(issued, _changes(opened(issued).contract, version))
        for issued in in_force(tenant, version.catalog.key, at)
    )
    return [affected for affected in compared if affected.changes]


def _changes(contract: Contract, version: CatalogVersion) -> tuple[Change, ...]:
    there = seen_by(customer_of(contract.profile.recipe), version)
    return tuple(compare_catalogs(contract.target, there))


def seen_by(customer: Customer, version: CatalogVersion) -> Catalog:
    """Return a catalog as a customer sees it."""
    catalog = version.as_catalog(customer.overlay, customer.context.get("options"))
    region = customer.given.region
    return catalog.model_copy(update={"region": region}) if region else catalog


def catalog_in(text: bytes) -> str:
    """Return a bundle's catalog, as JSON without a key. Raise ContractRefused."""
    bundle = signing.open_bundle(text)
    signing.check_id(bundle)
    contract = bundle.members["contract"]
    catalog = {
        "title": contract["title"],
        "keySeparator": contract.get("keySeparator", "."),
        **({"region": bundle.contract.region} if bundle.contract.region else {}),
        "entries": contract["catalog"],
    }
    return i_json.write(catalog)
