"""Entities in applied rows become known, and are forgotten again when the rows are reverted."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

import orjson
from django.db import transaction

from changesets.comparison.outcome import prepared_of
from changesets.models import Changeset
from references import services as references
from references.models import KnownChange, KnownSet, LearnedText
from references.selectors import known_of
from references.services import Item

SLICE = 500  # entities per transaction
Changes = dict[tuple[str, str], KnownChange]  # of one changeset, by entity and ref


def learn(*, changeset: Changeset, at: datetime) -> None:
    """
    Store the entities in a confirmed changeset's rows, with a journal of their former values.

    Each slice is one transaction with its journal: after a crash it continues with what the journal
    lacks, and two concurrent workers change nothing twice.
    """
    prepared, record = prepared_of(changeset), changeset.record
    if prepared is not None and not record.from_page:
        entities, texts = prepared.table("told").to_pylist(), prepared.table("texts").to_pylist()
        for entity in sorted({item["entity"] for item in (*entities, *texts)}):
            known_set = references.set_of(tenant=record.tenant, scope=record.scope, entity=entity)
            mine = (item for item in entities if item["entity"] == entity)
            for some in _slices(mine):
                _learn_some(changeset, known_set, some, at)
            _learn_texts(changeset, known_set, texts)
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
        mine = dict(known_set.entities.filter(ref__in=refs).values_list("ref", "values"))
        now = {**_of_tenant(known_set, refs), **mine}
        by_ref = {item["ref"]: (item["key"], orjson.loads(item["values"])) for item in entities}
        fresh = {
            ref: {**now.get(ref, {}), **values}
            for ref, (key, values) in by_ref.items()
            if ref not in done and _has_key(now.get(ref, {}), key, values)
        }
        changed = {ref: values for ref, values in fresh.items() if now.get(ref) != values}
        KnownChange.objects.bulk_create(
            KnownChange(
                changeset_id=changeset.public_id,
                known_set=known_set,
                ref=ref,
                before=mine.get(ref),
                after=values,
            )
            for ref, values in changed.items()
        )
        items = [Item(ref, values) for ref, values in changed.items()]
        references.write(known_set, items, at=at)


def _of_tenant(known_set: KnownSet, refs: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the tenant-wide values of some refs; a scope's own entity starts from them."""
    if not known_set.scope:
        return {}
    shared = known_of(known_set.tenant, "", known_set.entity).filter(ref__in=refs)
    return dict(shared.values_list("ref", "values"))


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
            left += _restore_some([item for item in some if item.known_set_id == set_id], at)
    return left


def _restore_some(changes: Sequence[KnownChange], at: datetime) -> list[str]:
    with transaction.atomic():
        known_set = KnownSet.objects.select_for_update().get(pk=changes[0].known_set_id)
        refs = [change.ref for change in changes]
        now = dict(known_set.entities.filter(ref__in=refs).values_list("ref", "values"))
        still = [change for change in changes if now.get(change.ref) == change.after]
        references.remove(known_set, [change.ref for change in still if change.before is None])
        items = [Item(change.ref, change.before) for change in still if change.before is not None]
        references.write(known_set, items, at=at)
        KnownChange.objects.filter(pk__in=[change.pk for change in changes]).update(
            is_restored=True
        )
        return [change.ref for change in changes if change not in still]


def built_on(changeset: Changeset) -> tuple[list[str], list[str]]:
    """Return the later changesets that build on one, and refs that something else changed since."""
    later = Changeset.objects.filter(
        tenant=changeset.tenant, state=Changeset.State.APPLIED, pk__gt=changeset.pk
    ).exclude(prepared="")
    journal = _journal(changeset).filter(is_restored=False).select_related("known_set")
    mine = {(item.known_set.entity, item.ref): item for item in journal}
    builders = {
        built.public_id
        for built in later.select_related("record")
        if _builds_on(built, changeset, mine)
    }
    changed = [
        ref
        for known_set in {item.known_set for item in mine.values()}
        for ref in _changed_since(known_set, mine)
    ]
    return sorted(builders), sorted(changed)


def _builds_on(later: Changeset, former: Changeset, mine: Changes) -> bool:
    """
    Return whether a later changeset changed entities of a former one, or links to them.

    Every scope builds on what was learned for the whole tenant.
    """
    if former.record.scope not in {later.record.scope, ""}:
        return False
    changes = _journal(later).filter(is_restored=False).values_list("known_set__entity", "ref")
    if any(pair in mine for pair in changes):
        return True
    made = {ref for (_, ref), change in mine.items() if change.before is None}
    prepared = prepared_of(later) if later.record.purged_at is None else None
    linked = set(prepared.table("links")["ref"].unique().to_pylist()) if prepared else set()
    return not made.isdisjoint(linked)


def _changed_since(known_set: KnownSet, mine: Changes) -> Iterator[str]:
    wanted = {ref: item for (name, ref), item in mine.items() if name == known_set.entity}
    for refs in _slices(sorted(wanted)):
        now = dict(known_set.entities.filter(ref__in=refs).values_list("ref", "values"))
        yield from (ref for ref in refs if now.get(ref) != wanted[ref].after)


def _journal(changeset: Changeset) -> Any:
    return KnownChange.objects.filter(changeset_id=changeset.public_id)


def _slices(items: Iterable[Any]) -> Iterator[list[Any]]:
    iterator = iter(items)
    while some := list(islice(iterator, SLICE)):
        yield some
