"""Reads of catalogs, the tenant first."""

from dataclasses import dataclass

from django.db.models import QuerySet

from catalogs.changes import Change, compare
from catalogs.documents import findings_in, is_key
from catalogs.errors import (
    CatalogKeyRequired,
    DraftInvalid,
    NoCatalogPublished,
    NoDraft,
    UnknownCatalog,
    UnknownVersion,
)
from catalogs.models import Catalog, CatalogVersion
from common.rows import the_only
from licensing.caller import Caller
from licensing.models import Tenant
from tabular.model import catalog as nouns
from tabular.model.catalog_findings import Finding, is_blocking


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


def catalogs_for(caller: Caller) -> QuerySet[CatalogVersion]:
    """Give the published versions that a caller may import into; a page's session may name one."""
    found = published_catalogs(caller.tenant)
    if caller.session and caller.session.catalog_key:
        found = found.filter(catalog__key=caller.session.catalog_key)
    return found


def version_for(caller: Caller, key: str) -> CatalogVersion:
    """Give the published version under a key, as far as a caller may see it; UnknownCatalog."""
    if is_key(key) and (found := the_only(catalogs_for(caller).filter(catalog__key=key))):
        return found
    raise UnknownCatalog(f"There is no published catalog with the key {key!r}.")


def published_version(tenant: Tenant, key: str) -> CatalogVersion:
    """Give the published version under a key; UnknownCatalog."""
    versions = published_catalogs(tenant).filter(catalog__key=key)
    if is_key(key) and (found := the_only(versions)):
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
    if is_key(key) and (found := the_only(Catalog.objects.filter(tenant=tenant, key=key))):
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
    if found := the_only(versions(tenant, key).filter(number=number)):
        return found
    raise UnknownVersion(f"The catalog {key!r} has no version {number}.")


def draft(tenant: Tenant, key: str) -> CatalogVersion | None:
    """Give the draft of a catalog, if it has one; UnknownCatalog."""
    return the_only(versions(tenant, key).filter(state=CatalogVersion.State.DRAFT))


def newest_usable(tenant: Tenant, key: str) -> CatalogVersion:
    """Give the draft if it could be published, else the newest version that was; UnknownCatalog."""
    for found in versions(tenant, key)[:2]:
        if not any(map(is_blocking, findings(found))):
            return found
    raise UnknownCatalog(f"There is no published catalog with the key {key!r}.")


def edition(tenant: Tenant, key: str, number: int | None) -> CatalogVersion:
    """Give a version by its number; without one what is published, or else the newest."""
    if number is not None:
        return version(tenant, key, number)
    there = the_only(published_catalogs(tenant).filter(catalog__key=key))
    found = there or versions(tenant, key).first()
    if found is None:
        raise UnknownCatalog(f"There is no catalog with the key {key!r}.")
    return found


@dataclass(frozen=True, slots=True)
class Compared:
    """What an edition says otherwise than another; than nothing, where there is no other."""

    old: CatalogVersion | None
    new: CatalogVersion
    changes: tuple[Change, ...]


def usable_draft(tenant: Tenant, key: str) -> CatalogVersion:
    """Give a draft that could be published; NoDraft, DraftInvalid with every error."""
    found = draft(tenant, key)
    if found is None:
        raise NoDraft
    if wrong := [one for one in findings(found) if is_blocking(one)]:
        raise DraftInvalid(wrong)
    return found


def compared(tenant: Tenant, key: str, *, old: int | None, new: int | None) -> Compared:
    """
    Compare two versions of a catalog; without a number, the published one with the draft.

    UnknownVersion, NoDraft, DraftInvalid.
    """
    after = usable_draft(tenant, key) if new is None else usable(version(tenant, key, new))
    if old is None:
        before = the_only(published_catalogs(tenant).filter(catalog__key=key))
    else:
        before = usable(version(tenant, key, old))
    return Compared(before, after, changes_between(before, after))


def changes_between(old: CatalogVersion | None, new: CatalogVersion) -> tuple[Change, ...]:
    """List what a version says otherwise than another, or than an empty catalog."""
    after = new.as_catalog()
    before = after.model_copy(update={"entries": ()}) if old is None else old.as_catalog()
    return compare(before, after)


def usable(found: CatalogVersion) -> CatalogVersion:
    """Give a version that fits the field model; DraftInvalid with every error."""
    if wrong := [one for one in findings(found) if is_blocking(one)]:
        raise DraftInvalid(wrong)
    return found


def findings(version: CatalogVersion) -> tuple[Finding, ...]:
    """Give what keeps a version from being published, or else what it says in vain."""
    return findings_in(version.document)


def _read(version: CatalogVersion) -> Published:
    return Published(version=version, catalog=version.as_catalog())
