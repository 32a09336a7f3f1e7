"""Queries for known entities, always of one tenant: of one scope, or all that a scope sees."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet

from licensing.models import Tenant
from references.models import KnownEntity, KnownSet

Sets = tuple[KnownSet, ...]  # that a scope sees of one name: its own first, then the tenant's


def known_of(tenant: Tenant, scope: str, entity: str) -> QuerySet[KnownEntity]:
    """Return the entities of a name that belong to exactly this scope."""
    return _of(tenant, [scope], entity)


def seen_by(tenant: Tenant, scope: str, entity: str) -> QuerySet[KnownEntity]:
    """Return the entities of a name that a scope sees: its own and those of the whole tenant."""
    return _of(tenant, {scope, ""}, entity)


def names_of(tenant: Tenant) -> QuerySet[Any, Any]:
    """Return the names of known entities, with their number in all scopes together."""
    known = KnownSet.objects.filter(tenant=tenant, entities__isnull=False)
    return known.values("entity").annotate(count=Count("entities"))


def _of(tenant: Tenant, scopes: Iterable[str], entity: str) -> QuerySet[KnownEntity]:
    return KnownEntity.objects.filter(
        known_set__tenant=tenant, known_set__scope__in=scopes, known_set__entity=entity
    )


def sets_of(tenant: Tenant | int, scope: str) -> dict[str, Sets]:
    """Return the sets that a scope sees, by entity. tenant: the row or its primary key."""
    by_name: dict[str, Sets] = {}
    seen = KnownSet.objects.filter(tenant=tenant, scope__in={scope, ""})
    for set_ in seen.order_by("-scope"):  # the empty scope of the tenant comes last
        by_name[set_.entity] = (*by_name.get(set_.entity, ()), set_)
    return by_name


def changed_since(
    moment: datetime, *, tenant: Tenant | int, scope: str, names: Iterable[str]
) -> bool:
    """Return whether an import of a scope was delivered, or entities forgotten, after a moment."""
    mine = KnownSet.objects.filter(tenant=tenant, scope=scope, entity__in=names)
    return mine.filter(Q(delivered_at__gt=moment) | Q(forgotten_at__gt=moment)).exists()
