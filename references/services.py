"""Change known entities: upsert and delete in bulk. Spec: reference."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from common import events
from common.actors import Actor
from common.rows import the_only
from licensing.models import Tenant
from references import key_index
from references.models import KnownEntity, KnownSet, LearnedText

SLICE = 2_000  # entities per transaction


@dataclass(frozen=True, slots=True)
class Item:
    """One entity to store: its name, and all its values."""

    ref: str
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Upserted:
    """The result of an upsert."""

    created: int = 0
    changed: int = 0
    unchanged: int = 0


def upsert(
    *, tenant: Tenant, scope: str, entity: str, items: Sequence[Item], at: datetime
) -> Upserted:
    """Create or replace known entities: an item replaces all values of its ref."""
    known_set = set_of(tenant=tenant, scope=scope, entity=entity)
    done = [0, 0, 0]
    for start in range(0, len(items), SLICE):
        with transaction.atomic():
            written = write(known_set, items[start : start + SLICE], at=at)
        for place, count in enumerate(written):
            done[place] += count
    return Upserted(*done)


def set_of(*, tenant: Tenant, scope: str, entity: str) -> KnownSet:
    """Return the set of an entity, created if missing."""
    return KnownSet.objects.get_or_create(tenant=tenant, scope=scope, entity=entity)[0]


def write(known_set: KnownSet, items: Sequence[Item], *, at: datetime) -> tuple[int, int, int]:
    """
    Write some entities and their keys, inside the caller's transaction.

    Return how many were created, changed, and left unchanged.
    """
    locked = KnownSet.objects.select_for_update().get(pk=known_set.pk)
    by_ref = {item.ref: item for item in items}
    former = {entity.ref: entity for entity in locked.entities.filter(ref__in=by_ref)}
    same = {ref for ref, entity in former.items() if entity.values == by_ref[ref].values}
    wanted = [
        KnownEntity(known_set=locked, ref=item.ref, values=item.values, changed_at=at)
        for item in by_ref.values()
        if item.ref not in same
    ]
    KnownEntity.objects.bulk_create(
        wanted,
        batch_size=500,
        update_conflicts=True,
        unique_fields=["known_set", "ref"],
        update_fields=["values", "changed_at"],
    )
    changed = [former[ref].pk for ref in former.keys() - same]
    if locked.indexed:
        written = list(locked.entities.filter(ref__in=[entity.ref for entity in wanted]))
        key_index.refresh(locked, written, changed)
    return len(wanted) - len(changed), len(changed), len(same)


def delete(
    *,
    tenant: Tenant,
    scope: str,
    entity: str,
    refs: Sequence[str] | None,
    actor: Actor,
    at: datetime,
) -> int:
    """Forget entities, all of them without ``refs``; return how many there were."""
    known_set = the_only(KnownSet.objects.filter(tenant=tenant, scope=scope, entity=entity))
    if known_set is None:
        return 0
    if refs is not None:
        with transaction.atomic():
            count = remove(known_set, refs)
            if count:
                _note_deleted(known_set, count, actor, at)
            return count
    count = 0
    while some := list(known_set.entities.values_list("ref", flat=True)[:SLICE]):
        with transaction.atomic():
            if not count:
                _note_deleted(known_set, known_set.entities.count(), actor, at)
            count += remove(known_set, some)
    LearnedText.objects.filter(known_set=known_set).delete()
    return count


def _note_deleted(known_set: KnownSet, count: int, actor: Actor, at: datetime) -> None:
    """Write the audit log entry, together with the first deleted slice."""
    events.note(
        tenant=known_set.tenant.public_id,
        kind="references.deleted",
        subject=known_set.entity,
        actor=actor,
        at=at,
        about={"scope": known_set.scope, "entities": count},
    )


def remove(known_set: KnownSet, refs: Sequence[str]) -> int:
    """Delete some entities, inside the caller's transaction; return how many there were."""
    KnownSet.objects.select_for_update().get(pk=known_set.pk)
    gone = KnownEntity.objects.filter(known_set=known_set, ref__in=refs)
    return gone.delete()[1].get("references.KnownEntity", 0)
