"""Entities in applied rows become known, and are forgotten again when the rows are reverted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson
from django.db import transaction
from django.db.models import F, OuterRef, Subquery

from changesets.comparison.outcome import prepared_of
from changesets.full_sync.deleted import forget, refs_taken
from changesets.models import Changeset
from changesets.proof.answers import refusals
from references import services as references
from references.models import KnownChange, KnownSet, LearnedText
from references.selectors import known_of
from references.services import Item

if TYPE_CHECKING:
    from tabular.model.catalog import Field

SLICE = 500  # entities per transaction
Changes = dict[tuple[str, str], KnownChange]  # of one changeset, by entity and ref
Fields = Mapping[str, "Field"]  # of an entity, by key


def learn(*, changeset: Changeset, at: datetime) -> None:
    """
    Store the entities in a confirmed changeset's rows, with a journal of their former values.

    Each slice is one transaction with its journal: after a crash it continues with what the journal
    lacks, and two concurrent workers change nothing twice. What a receiver did not accept stays
    unknown, so that the next import brings it again.
    """
    prepared, record = prepared_of(changeset.prepared), changeset.record
    if prepared is not None and not record.from_page:
        refused = {row for row, _, _ in refusals(changeset)}
        left = prepared.only_in(refused) if refused else set()
        entities, texts = (
            [item for item in items if (item["entity"], item["ref"]) not in left]
            for items in (prepared.table("told").to_pylist(), prepared.texts_outside(refused))
        )
        for entity in sorted({item["entity"] for item in (*entities, *texts)}):
            known_set = references.set_of(tenant=record.tenant, scope=record.scope, entity=entity)
            mine = (item for item in entities if item["entity"] == entity)
            for some in _slices(mine):
                _learn_some(changeset, known_set, some, at)
            _learn_texts(changeset, known_set, texts)
        forget(changeset, prepared, at=at)
    Changeset.objects.filter(pk=changeset.pk, learned_at=None).update(learned_at=at)


def _learn_some(
    changeset: Changeset, known_set: KnownSet, entities: Sequence[dict[str, Any]], at: datetime
) -> None:
    with transaction.atomic():
        KnownSet.objects.select_for_update().get(pk=known_set.pk)
        state = Changeset.objects.filter(pk=changeset.pk).values_list("state", flat=True).first()
        if state != Changeset.State.APPLIED:  # reverted meanwhile: nothing more is learned from it
            return
        refs = [item["ref"] for item in entities]
        journal = _journal(changeset).filter(known_set=known_set, ref__in=refs)
        done = set(journal.values_list("ref", flat=True))
        mine = _stored(known_set, refs)
        now = {**_of_tenant(known_set, refs), **mine}
        fresh = {
            item["ref"]: delivered_item
            for item in entities
            if item["ref"] not in done and (delivered_item := _told(item, now.get(item["ref"])))
        }
        changed = {
            ref: item
            for ref, item in fresh.items()
            if now.get(ref) != item
            and (ref in mine or ref not in now or now[ref].values != item.values)
        }
        KnownChange.objects.bulk_create(
            KnownChange(
                changeset_id=changeset.public_id,
                known_set=known_set,
                ref=ref,
                before=mine[ref].values if ref in mine else None,
                after=item.values,
                delivered=mine[ref].delivered if ref in mine else None,
            )
            for ref, item in changed.items()
        )
        references.write(known_set, list(changed.values()), at=at)
        KnownSet.objects.filter(pk=known_set.pk).update(delivered_at=at)


def _stored(known_set: KnownSet, refs: Sequence[str]) -> dict[str, Item]:
    known = known_set.entities.filter(ref__in=refs).values_list("ref", "values", "delivered")
    return {ref: Item(ref, values, delivered) for ref, values, delivered in known}


def _told(item: dict[str, Any], now: Item | None) -> Item | None:
    """Return an entity after an apply; None if it has another key by now."""
    values = orjson.loads(item["values"])
    stated = orjson.loads(item["said"]) if "said" in item else values  # not in older versions
    former = now or Item(item["ref"], {})
    if not _has_key(former.values, item["key"], values):
        return None
    if "base" in item:  # not in older versions
        values = _without_newer(values, former, orjson.loads(item["base"]))
    return Item(item["ref"], {**former.values, **values}, {**(former.delivered or {}), **stated})


def _without_newer(values: dict[str, Any], now: Item, base: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the delivered values without those that the host changed since they were compared.

    A value is the host's change if it is neither the one of the comparison nor one that an earlier
    import delivered meanwhile.
    """
    delivered = now.delivered or {}
    return {
        field: value
        for field, value in values.items()
        if field not in now.values
        or now.values[field] in (base.get(field), delivered.get(field), value)
    }


def _of_tenant(known_set: KnownSet, refs: Sequence[str]) -> dict[str, Item]:
    """Return the tenant-wide entities of some refs; a scope's own one starts from them."""
    if not known_set.scope:
        return {}
    shared = known_of(known_set.tenant, "", known_set.entity).filter(ref__in=refs)
    known = shared.values_list("ref", "values", "delivered")
    return {ref: Item(ref, values, delivered) for ref, values, delivered in known}


def _has_key(now: dict[str, Any], key: str, file_values: dict[str, Any]) -> bool:
    """Return whether an entity still has the key it was identified by, and not a newer one."""
    from tabular.resolving.keys import key_text

    mine = key_text(now.get(key))
    return mine is None or mine == key_text(file_values.get(key))


def _learn_texts(
    changeset: Changeset, known_set: KnownSet, texts: Iterable[dict[str, Any]]
) -> None:
    LearnedText.objects.bulk_create(
        (
            LearnedText(
                known_set=known_set,
                text=text["text"],
                ref=text["ref"],
                taught_by=changeset.public_id,
            )
            for text in texts
            if text["entity"] == known_set.entity
        ),
        batch_size=SLICE,
        ignore_conflicts=True,
    )


def restore(*, changeset: Changeset, at: datetime) -> list[str]:
    """
    Restore what was known before a changeset, slice by slice; return the refs left unchanged.

    Entities that something else changed since are left unchanged.
    """
    LearnedText.objects.filter(taught_by=changeset.public_id).delete()
    left: list[str] = []
    while some := list(_journal(changeset).filter(is_restored=False).order_by("pk")[:SLICE]):
        for set_id in sorted({item.known_set_id for item in some}):
            mine = [item for item in some if item.known_set_id == set_id]
            left += _restore_some(changeset, mine, at)
    return left


def _followed(known_set: KnownSet, refs: Collection[str], *, after: str) -> set[str]:
    """Return the refs that a changeset after another one delivered, and that was not reverted."""
    mine = KnownChange.objects.filter(known_set=known_set, ref__in=refs)
    first = mine.filter(changeset_id=after, ref=OuterRef("ref"))
    later = mine.filter(is_restored=False, pk__gt=Subquery(first.values("pk")[:1]))
    return set(later.values_list("ref", flat=True))


def _restore_some(changeset: Changeset, changes: Sequence[KnownChange], at: datetime) -> list[str]:
    with transaction.atomic():
        known_set = KnownSet.objects.select_for_update().get(pk=changes[0].known_set_id)
        refs = [change.ref for change in changes]
        now = _stored(known_set, refs)
        as_then = _as_then(changeset, known_set, changes, now)
        still = [change for change in changes if change.ref in as_then]
        others = {change.ref for change in changes} - {change.ref for change in still}
        followed = _followed(known_set, others, after=changes[0].changeset_id)
        references.remove(known_set, [change.ref for change in still if change.before is None])
        items = [
            Item(change.ref, change.before, change.delivered)
            for change in still
            if change.before is not None
        ]
        # Elsewhere the host's values stay, and what it was sent is what it was sent before.
        items += [
            Item(change.ref, now[change.ref].values, change.delivered)
            for change in changes
            if change.ref in (others & now.keys()) - followed
        ]
        references.write(known_set, items, at=at)
        KnownSet.objects.filter(pk=known_set.pk).update(delivered_at=at)
        KnownChange.objects.filter(pk__in=[change.pk for change in changes]).update(
            is_restored=True
        )
        return [change.ref for change in changes if change.ref in others]


def built_on(changeset: Changeset) -> tuple[list[str], list[str]]:
    """Return the later changesets that build on one, and refs that something else changed since."""
    later = Changeset.objects.filter(
        tenant=changeset.tenant, state=Changeset.State.APPLIED, pk__gt=changeset.pk
    ).exclude(prepared="")
    journal = _changing(changeset).select_related("known_set")
    mine = {(item.known_set.entity, item.ref): item for item in journal}
    builders = {
        built.public_id
        for built in later.select_related("record")
        if _builds_on(built, changeset, mine)
    }
    changed = [
        ref
        for known_set in {item.known_set for item in mine.values()}
        for ref in _changed_since(changeset, known_set, mine)
    ]
    return sorted(builders), sorted(changed)


def staying_deleted(changeset: Changeset) -> dict[str, set[str]]:
    """Return the entities that a full sync deleted and a revert leaves as they are, by entity."""
    journal = _journal(changeset).filter(is_restored=False, after=None, before__isnull=False)
    mine = {(item.known_set.entity, item.ref): item for item in journal.select_related("known_set")}
    return {
        known_set.entity: set(_changed_since(changeset, known_set, mine))
        for known_set in {item.known_set for item in mine.values()}
    }


def _builds_on(later: Changeset, former: Changeset, mine: Changes) -> bool:
    """
    Return whether a later changeset changed entities of a former one, or links to them.

    Every scope builds on what was learned for the whole tenant.
    """
    if former.record.scope not in {later.record.scope, ""}:
        return False
    changes = _changing(later).values_list("known_set__entity", "ref")
    if any(pair in mine for pair in changes):
        return True
    made = {ref for (_, ref), change in mine.items() if change.before is None}
    prepared = prepared_of(later.prepared) if later.record.purged_at is None else None
    linked = set(prepared.table("links")["ref"].unique().to_pylist()) if prepared else set()
    return not made.isdisjoint(linked)


def _changed_since(changeset: Changeset, known_set: KnownSet, mine: Changes) -> Iterator[str]:
    wanted = {ref: item for (name, ref), item in mine.items() if name == known_set.entity}
    for refs in _slices(sorted(wanted)):
        changes = [wanted[ref] for ref in refs]
        as_then = _as_then(changeset, known_set, changes, _stored(known_set, refs))
        yield from (ref for ref in refs if ref not in as_then)


def _as_then(
    changeset: Changeset,
    known_set: KnownSet,
    changes: Sequence[KnownChange],
    now: Mapping[str, Item],
) -> set[str]:
    """
    Return the refs that are still as they were after a change, however the host spells them.

    A deleted entity is not if another one has its key by now.
    """
    from tabular.resolving.pointers import key_fields
    from tabular.resolving.spellings import say_the_same

    record = changeset.record
    fields = _fields(changeset, known_set.entity)
    key = key_fields(record.target).get(known_set.entity) if record.catalog_version else None
    taken = refs_taken(known_set, changes, key)
    return {
        change.ref
        for change in changes
        if (
            say_the_same(now[change.ref].values, change.after or {}, fields)
            if change.ref in now
            else change.after is None and change.ref not in taken
        )
    }


def _fields(changeset: Changeset, entity: str) -> Fields:
    """Return the fields of an entity, by key, as the catalog of a changeset has them."""
    from tabular.resolving.pointers import paths_of

    if changeset.record.catalog_version is None:
        return {}
    catalog = changeset.record.target
    paths = paths_of(catalog, entity)
    return {key: catalog.live_fields[path] for key, path in paths.items()}


def _journal(changeset: Changeset) -> Any:
    return KnownChange.objects.filter(changeset_id=changeset.public_id)


def _changing(changeset: Changeset) -> Any:
    """Return what a changeset changed of values; the journal also has what it only confirmed."""
    return _journal(changeset).filter(is_restored=False).exclude(before=F("after"))


def _slices(items: Iterable[Any]) -> Iterator[list[Any]]:
    iterator = iter(items)
    while some := list(islice(iterator, SLICE)):
        yield some
