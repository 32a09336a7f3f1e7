"""Change known entities: upsert and delete in bulk. Spec: reference."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import F

from common import clock, events
from common.actors import Actor
from common.errors import Conflict
from common.rows import the_only
from licensing.models import Tenant
from references import key_index, replacing
from references.lookup import refs_under
from references.models import KnownEntity, KnownSet, LearnedText

SLICE = 2_000  # entities per statement, and per transaction where they are deleted
PUT = (
    'INSERT INTO references_knownentity (known_set_id, ref, "values", delivered, changed_at) '
    "VALUES (%s, %s, %s, %s, %s) ON CONFLICT (known_set_id, ref) DO UPDATE "
    'SET "values" = excluded."values", changed_at = excluded.changed_at'
)
AS_DELIVERED = ", delivered = excluded.delivered"


class SnapshotOutdated(Conflict):
    """The values are older than the last delivered import. Read them again, and send those."""

    code = "snapshot_outdated"


@dataclass(frozen=True, slots=True)
class Item:
    """One entity to store: its name, all its values, and those that were delivered last."""

    ref: str
    values: dict[str, Any]
    delivered: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Upserted:
    """The result of an upsert."""

    created: int = 0
    changed: int = 0
    unchanged: int = 0


def upsert(
    *,
    tenant: Tenant,
    scope: str,
    entity: str,
    items: Sequence[Item],
    as_of: datetime | None = None,
    at: datetime,
) -> Upserted:
    """
    Create or replace known entities, as the host has them: an item replaces all values of its ref.

    as_of: when the host read them. Raise SnapshotOutdated if an import was delivered later. Whole
    numbers that a double does not hold become strings, as they are delivered.
    """
    from tabular.model.i_json import exact

    items = [replace(item, values=exact(item.values)) for item in items]
    known_set = set_of(tenant=tenant, scope=scope, entity=entity)
    done = [0, 0, 0]
    with transaction.atomic():  # all of it or nothing: half a snapshot would look like changes
        _refuse_outdated(known_set, as_of)
        KnownSet.objects.filter(pk=known_set.pk).update(told_at=at)
        for start in range(0, len(items), SLICE):
            written = write(known_set, items[start : start + SLICE], at=at, is_of_host=True)
            done = [count + more for count, more in zip(done, written, strict=True)]
    return Upserted(*done)


def replace_under_keys(
    known_set: KnownSet,
    items: Sequence[Item],
    *,
    key: str,
    requested: Collection[str],
    as_of: datetime,
    at: datetime,
    removed: dict[str, Any] | None = None,
) -> None:
    """
    Make known what the host has under some keys, as an upsert does, and forget what it lacks.

    key: the field that identifies an entity; its keys are indexed. requested: the texts of the
    keys. Entities that changed after ``as_of`` stay as they are. removed: what was delivered last
    of entities that earlier calls removed, by ref; an entity that comes back under another key has
    it again. Raise SnapshotOutdated if an import was delivered after ``as_of``.
    """
    from tabular.model.i_json import exact

    removed = {} if removed is None else removed
    with transaction.atomic():
        _refuse_outdated(known_set, as_of)
        KnownSet.objects.filter(pk=known_set.pk).update(told_at=at)
        under = refs_under(known_set, key, requested)
        newer = replacing.newer_entities(
            known_set, under | {item.ref for item in items}, than=as_of
        )
        taken = replacing.keys_of(newer, key)
        items = [
            replace(item, values=exact(item.values))
            for item in items
            if item.ref not in newer and replacing.key_of(item.values, key) not in taken
        ]
        # As of the answer, so that a later question is not taken for an older one.
        write(known_set, items, at=min(as_of, at), is_of_host=True)
        gone = under - newer.keys() - {item.ref for item in items}
        by_key = {replacing.key_of(item.values, key): item.ref for item in items}
        replacing.restore_delivered(known_set, removed, [item.ref for item in items])
        if gone:
            removed |= replacing.hand_over(known_set, gone, key, by_key)
            remove(known_set, sorted(gone))


def _refuse_outdated(known_set: KnownSet, as_of: datetime | None) -> None:
    locked = KnownSet.objects.select_for_update().get(pk=known_set.pk)
    delivered_at = locked.delivered_at
    if as_of is not None and delivered_at is not None and as_of < delivered_at:
        raise SnapshotOutdated(members={"deliveredAt": clock.iso(delivered_at)})


def set_of(*, tenant: Tenant, scope: str, entity: str) -> KnownSet:
    """Return the set of an entity, created if missing."""
    return KnownSet.objects.get_or_create(tenant=tenant, scope=scope, entity=entity)[0]


def write(
    known_set: KnownSet, items: Sequence[Item], *, at: datetime, is_of_host: bool = False
) -> tuple[int, int, int]:
    """
    Write some entities and their keys, inside the caller's transaction.

    is_of_host: what was delivered last stays as it is. Return how many were created, changed, and
    left unchanged.
    """
    locked = KnownSet.objects.select_for_update().get(pk=known_set.pk)
    by_ref = {item.ref: item for item in items}
    there = locked.entities.filter(ref__in=by_ref)  # as values: a row object each takes longer
    former = {row[0]: row[1:] for row in there.values_list("ref", "pk", "values", "delivered")}
    same = {
        ref
        for ref, (_, values, delivered) in former.items()
        if values == by_ref[ref].values and (is_of_host or delivered == by_ref[ref].delivered)
    }
    wanted = [item for item in by_ref.values() if item.ref not in same]
    _put(locked, wanted, at=at, is_of_host=is_of_host)
    if wanted:
        _raise_version(locked)
    changed = [former[ref][:2] for ref in former.keys() - same]
    if locked.indexed:
        written = locked.entities.filter(ref__in=[item.ref for item in wanted])
        key_index.refresh(locked, list(written.values_list("pk", "values")), changed)
    return len(wanted) - len(changed), len(changed), len(same)


def _put(known_set: KnownSet, items: Sequence[Item], *, at: datetime, is_of_host: bool) -> None:
    """Insert or overwrite entities without model objects, which take most of the time."""
    text = KnownEntity._meta.get_field("values").get_prep_value
    changed_at = connection.ops.adapt_datetimefield_value(at)
    rows = [
        (known_set.pk, item.ref, text(item.values), text(item.delivered), changed_at)
        for item in items
    ]
    with connection.cursor() as cursor:
        cursor.executemany(PUT if is_of_host else PUT + AS_DELIVERED, rows)


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
                _note_forgotten(known_set, at)
                _note_deleted(known_set, count, actor, at)
            return count
    count = 0
    while some := list(known_set.entities.values_list("ref", flat=True)[:SLICE]):
        with transaction.atomic():
            _note_forgotten(known_set, at)
            if not count:
                _note_deleted(known_set, known_set.entities.count(), actor, at)
            count += remove(known_set, some)
    LearnedText.objects.filter(known_set=known_set).delete()
    return count


def _note_forgotten(known_set: KnownSet, at: datetime) -> None:
    """Note when entities were deleted: what a host answered before no longer tells of them."""
    KnownSet.objects.filter(pk=known_set.pk).update(forgotten_at=at)


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
    locked = KnownSet.objects.select_for_update().get(pk=known_set.pk)
    gone = KnownEntity.objects.filter(known_set=known_set, ref__in=refs)
    if locked.heavy_blocks.exists():
        key_index.lose_heavy(locked, list(gone.values_list("pk", "values")))
    count = gone.delete()[1].get("references.KnownEntity", 0)
    if count:
        _raise_version(locked)
    return count


def _raise_version(locked: KnownSet) -> None:
    """Raise the version of a set whose entities changed; stored plans compare it with theirs."""
    KnownSet.objects.filter(pk=locked.pk).update(version=F("version") + 1)
