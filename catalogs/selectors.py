"""Queries for catalogs, with the tenant as the first argument."""

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
from catalogs.models import Catalog, CatalogVersion, RegressionFile
from common.rows import the_only
from licensing.caller import Caller
from licensing.models import Tenant
from tabular.model import catalog as nouns
from tabular.model.catalog_findings import Finding, is_blocking


@dataclass(frozen=True, slots=True)
class Published:
    """The catalog version that new imports use, and its content."""

    version: CatalogVersion
    catalog: nouns.Catalog


def catalogs(tenant: Tenant) -> QuerySet[Catalog]:
    """Return every catalog of the tenant, by key, including those with only a draft."""
    return Catalog.objects.filter(tenant=tenant.owner).order_by("key").prefetch_related("versions")


def published_catalogs(tenant: Tenant) -> QuerySet[CatalogVersion]:
    """Return the published version of each catalog, by key."""
    return (
        CatalogVersion.objects.filter(
            catalog__tenant=tenant.owner, state=CatalogVersion.State.PUBLISHED
        )
        .select_related("catalog")
        .order_by("catalog__key")
    )


def catalogs_for(caller: Caller) -> QuerySet[CatalogVersion]:
    """
    Return the published versions that a caller may import into; a page session may name one.

    A session with an overlay keeps the version that the overlay was checked against.
    """
    current, session = published_catalogs(caller.tenant), caller.session
    if session is None or not session.catalog_key:
        return current
    current = current.filter(catalog__key=session.catalog_key)
    if session.catalog_number is None:
        return current
    versions = CatalogVersion.objects.filter(
        catalog__in=current.values("catalog"), number=session.catalog_number
    )
    return versions.select_related("catalog").order_by("catalog__key")


def version_for(caller: Caller, key: str) -> CatalogVersion:
    """Return the published version of a key that a caller may see. Raise UnknownCatalog."""
    if is_key(key) and (row := the_only(catalogs_for(caller).filter(catalog__key=key))):
        return row
    raise UnknownCatalog("unknown_catalog.unpublished", key=key)


def published_version(tenant: Tenant, key: str) -> CatalogVersion:
    """Return the published version of a key. Raise UnknownCatalog."""
    versions = published_catalogs(tenant).filter(catalog__key=key)
    if is_key(key) and (row := the_only(versions)):
        return row
    raise UnknownCatalog("unknown_catalog.unpublished", key=key)


def published(tenant: Tenant, key: str) -> Published:
    """Return the published version of a key with its catalog. Raise UnknownCatalog."""
    return _read(published_version(tenant, key))


def choose(tenant: Tenant, key: str | None) -> Published:
    """
    Return the named catalog, or the only published one if none is named.

    Raise UnknownCatalog (404), NoCatalogPublished (409) or CatalogKeyRequired (409, with the keys).
    """
    if key:
        return published(tenant, key)
    candidates = list(published_catalogs(tenant))
    if not candidates:
        raise NoCatalogPublished
    if len(candidates) > 1:
        keys = [version.catalog.key for version in candidates]
        raise CatalogKeyRequired(
            "catalog_key_required.of", keys=", ".join(keys), members={"keys": keys}
        )
    return _read(candidates[0])


def catalog(tenant: Tenant, key: str) -> Catalog:
    """Return a catalog, published or not. Raise UnknownCatalog."""
    if is_key(key) and (row := the_only(Catalog.objects.filter(tenant=tenant.owner, key=key))):
        return row
    raise UnknownCatalog("unknown_catalog.key", key=key)


def versions(tenant: Tenant, key: str) -> QuerySet[CatalogVersion]:
    """
    Return all versions of a catalog, newest first, including the draft. Raise UnknownCatalog.

    Test keys see no draft: what they share is what was published.
    """
    rows = CatalogVersion.objects.filter(catalog=catalog(tenant, key))
    if tenant.is_test:
        rows = rows.exclude(state=CatalogVersion.State.DRAFT)
    return rows.select_related("catalog").order_by("-number")


def version(tenant: Tenant, key: str, number: int) -> CatalogVersion:
    """Return one version of a catalog. Raise UnknownCatalog or UnknownVersion."""
    if row := the_only(versions(tenant, key).filter(number=number)):
        return row
    raise UnknownVersion("unknown_version.of", key=key, number=number)


def draft(tenant: Tenant, key: str) -> CatalogVersion | None:
    """Return the draft of a catalog, if any. Raise UnknownCatalog."""
    return the_only(versions(tenant, key).filter(state=CatalogVersion.State.DRAFT))


def newest_usable(tenant: Tenant, key: str) -> CatalogVersion:
    """Return a publishable draft, else the newest published version. Raise UnknownCatalog."""
    for version in versions(tenant, key)[:2]:
        if not any(map(is_blocking, findings(version))):
            return version
    raise UnknownCatalog("unknown_catalog.unpublished", key=key)


def published_or(tenant: Tenant, key: str, number: int | None) -> CatalogVersion:
    """Return a version by its number, or the published one. Raise UnknownCatalog."""
    return published_version(tenant, key) if number is None else version(tenant, key, number)


def edition(tenant: Tenant, key: str, number: int | None) -> CatalogVersion:
    """Return a version by its number; without a number, the published or else the newest one."""
    if number is not None:
        return version(tenant, key, number)
    there = the_only(published_catalogs(tenant).filter(catalog__key=key))
    chosen = there or versions(tenant, key).first()
    if chosen is None:
        raise UnknownCatalog("unknown_catalog.key", key=key)
    return chosen


@dataclass(frozen=True, slots=True)
class Compared:
    """The differences of a version from another, or from an empty catalog."""

    old: CatalogVersion | None
    new: CatalogVersion
    changes: tuple[Change, ...]


def usable_draft(tenant: Tenant, key: str) -> CatalogVersion:
    """Return a draft that can be published. Raise NoDraft, or DraftInvalid with every error."""
    version = draft(tenant, key)
    if version is None:
        raise NoDraft
    if wrong := [finding for finding in findings(version) if is_blocking(finding)]:
        raise DraftInvalid(wrong)
    return version


def compared(tenant: Tenant, key: str, *, old: int | None, new: int | None) -> Compared:
    """
    Compare two versions of a catalog; without a number, the published one with the draft.

    Raise UnknownVersion, NoDraft or DraftInvalid.
    """
    after = usable_draft(tenant, key) if new is None else usable(version(tenant, key, new))
    if old is None:
        before = the_only(published_catalogs(tenant).filter(catalog__key=key))
    else:
        before = usable(version(tenant, key, old))
    return Compared(before, after, changes_between(before, after))


def changes_between(old: CatalogVersion | None, new: CatalogVersion) -> tuple[Change, ...]:
    """Return the differences of a version from another, or from an empty catalog."""
    after = new.as_catalog()
    before = after.model_copy(update={"entries": ()}) if old is None else old.as_catalog()
    return compare(before, after)


def usable(version: CatalogVersion) -> CatalogVersion:
    """Return a version that is a valid catalog. Raise DraftInvalid with every error."""
    if wrong := [finding for finding in findings(version) if is_blocking(finding)]:
        raise DraftInvalid(wrong)
    return version


def findings(version: CatalogVersion) -> tuple[Finding, ...]:
    """Return what prevents publishing a version, or else which settings have no effect."""
    return findings_in(version.document)


def _read(version: CatalogVersion) -> Published:
    return Published(version=version, catalog=version.as_catalog())


def tests_of(catalog: Catalog) -> "QuerySet[RegressionFile]":
    """Return the test files of a catalog, by name."""
    return RegressionFile.objects.filter(catalog=catalog).order_by("name")


def retaining_versions() -> "QuerySet[CatalogVersion]":
    """Return the versions of all tenants that say how long their imports are kept."""
    limited = CatalogVersion.objects.filter(document__contains='"retentionDays"')
    return limited.exclude(state=CatalogVersion.State.DRAFT)
