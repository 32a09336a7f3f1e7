"""What is known, always of one tenant and scope."""

from django.db.models import QuerySet

from licensing.models import Tenant
from references.models import KnownEntity, KnownSet


def known_of(tenant: Tenant, scope: str, entity: str) -> QuerySet[KnownEntity]:
    """List the known entities of a name."""
    return KnownEntity.objects.filter(
        known_set__tenant=tenant, known_set__scope=scope, known_set__entity=entity
    )


def sets_of(tenant: Tenant, scope: str) -> dict[str, KnownSet]:
    """Give what sets there are, by entity."""
    return {one.entity: one for one in KnownSet.objects.filter(tenant=tenant, scope=scope)}
