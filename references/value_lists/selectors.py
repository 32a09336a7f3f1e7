"""Read value lists by key, and versions by digest."""

from collections.abc import Collection, Mapping
from functools import lru_cache

from licensing.models import Tenant
from references.value_lists.errors import UnknownValueList
from references.value_lists.model import ListVersion, ValueList
from tabular.protocol.plan import ValueList as Columns

KEPT = 8  # versions in the memory of a process


def known_digests(tenant: Tenant, digests: Collection[str]) -> frozenset[str]:
    """Return those of some digests that are versions of the tenant's lists."""
    mine = ListVersion.objects.filter(tenant=tenant.owner, digest__in=digests)
    return frozenset(mine.values_list("digest", flat=True))


def list_of(tenant: Tenant, key: str) -> ValueList:
    """Return a list. Raise UnknownValueList."""
    kept = ValueList.objects.filter(tenant=tenant.owner, key=key).select_related("version").first()
    if kept is None:
        raise UnknownValueList
    return kept


def digests_of(tenant: Tenant, keys: Collection[str]) -> dict[str, str]:
    """Return the digests of the newest versions of some lists, by key, without unknown ones."""
    mine = ValueList.objects.filter(tenant=tenant.owner, key__in=keys)
    return dict(mine.values_list("key", "version__digest"))


def columns_by_digest(digests: Collection[str]) -> Mapping[str, Columns]:
    """Return the columns of some versions. A digest names the same content for every tenant."""
    known = {digest: _columns(digest) for digest in digests}
    return {digest: columns for digest, columns in known.items() if columns is not None}


def _columns(digest: str) -> Columns | None:
    try:
        return _kept(digest)
    except ListVersion.DoesNotExist:
        return None


@lru_cache(maxsize=KEPT)
def _kept(digest: str) -> Columns:
    version = ListVersion.objects.filter(digest=digest).first()
    if version is None:
        raise ListVersion.DoesNotExist(digest)
    return version.columns
