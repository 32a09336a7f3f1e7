"""Reads of catalogs, the tenant first."""

from dataclasses import dataclass

from django.db.models import QuerySet

from catalogs.documents import findings_in, is_key
from catalogs.errors import CatalogKeyRequired, NoCatalogPublished, UnknownCatalog, UnknownVersion
from catalogs.models import Catalog, CatalogVersion
from licensing.models import Tenant
from tabular.model import catalog as nouns
from tabular.model.checking import Finding


@dataclass(frozen=True, slots=True)
class Published:
    """The version of a catalog that new imports use, and what it says."""

    version: CatalogVersion
    catalog: nouns.Catalog


def catalogs(tenant: Tenant) -> QuerySet[Catalog]:
    """Give every catalog of the tenant, by key, those with only a draft included."""
    return Catalog.objects.filter(tenant=tenant).order_by("key").prefetch_related("versions")


def published_catalogs(tenant: Tenant) -> QuerySet[CatalogVersion]:
    """Give the published version of each catalog, by key."""
    return (
        CatalogVersion.objects.filter(catalog__tenant=tenant, state=CatalogVersion.State.PUBLISHED)
        .select_related("catalog")
        .order_by("catalog__key")
    )


def published_version(tenant: Tenant, key: str) -> CatalogVersion:
    """Give the published version under a key; UnknownCatalog."""
    versions = published_catalogs(tenant).filter(catalog__key=key)
    if is_key(key) and (found := versions.first()):
        return found
    raise UnknownCatalog(f"There is no published catalog with the key {key!r}.")


def published(tenant: Tenant, key: str) -> Published:
    """Give the published version under a key with its catalog; UnknownCatalog."""
    return _read(published_version(tenant, key))


def choose(tenant: Tenant, key: str | None) -> Published:
    """
    Give the named catalog, or the only published one when none is named.

    UnknownCatalog (404), NoCatalogPublished (409), CatalogKeyRequired (409, with the keys).
    """
    if key:
        return published(tenant, key)
    found = list(published_catalogs(tenant))
    if not found:
        raise NoCatalogPublished
    if len(found) > 1:
        keys = [version.catalog.key for version in found]
        named = ", ".join(keys)
        raise CatalogKeyRequired(f"Several catalogs are published; name one: {named}.", keys=keys)
    return _read(found[0])


def catalog(tenant: Tenant, key: str) -> Catalog:
    """Give a catalog, published or not; UnknownCatalog."""
    if is_key(key) and (found := Catalog.objects.filter(tenant=tenant, key=key).first()):
        return found
    raise UnknownCatalog(f"There is no catalog with the key {key!r}.")


def versions(tenant: Tenant, key: str) -> QuerySet[CatalogVersion]:
    """Give all versions of a catalog, newest first, the draft included; UnknownCatalog."""
    return (
        CatalogVersion.objects.filter(catalog=catalog(tenant, key))
        .select_related("catalog")
        .order_by("-number")
    )


def version(tenant: Tenant, key: str, number: int) -> CatalogVersion:
    """Give one version of a catalog; UnknownCatalog, UnknownVersion."""
    if found := versions(tenant, key).filter(number=number).first():
        return found
    raise UnknownVersion(f"The catalog {key!r} has no version {number}.")


def draft(tenant: Tenant, key: str) -> CatalogVersion | None:
    """Give the draft of a catalog, if it has one; UnknownCatalog."""
    return versions(tenant, key).filter(state=CatalogVersion.State.DRAFT).first()


def findings(version: CatalogVersion) -> tuple[Finding, ...]:
    """Give what keeps a version from being published, or else what it says in vain."""
    return findings_in(version.document)


def _read(version: CatalogVersion) -> Published:
    return Published(version=version, catalog=version.as_catalog())
