"""What stays of an entity whose host has it under another name, or another key, than before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef

from references.models import KnownChange, KnownEntity, KnownSet, LearnedText


def key_of(values: Mapping[str, Any], key: str) -> str | None:
    """Return the text of an entity's key, as rows are compared by it. key: the field."""
    from tabular.resolving.keys import key_text

    return key_text(values.get(key))


def newer_entities(
    known_set: KnownSet, refs: Collection[str], *, than: datetime
) -> dict[str, dict[str, Any]]:
    """Return the values of those of some entities that changed after a moment, by ref."""
    newer = known_set.entities.filter(ref__in=refs, changed_at__gt=than)
    return dict(newer.values_list("ref", "values"))


def keys_of(entities: Mapping[str, Mapping[str, Any]], key: str) -> set[str]:
    """Return the texts of the keys of some entities, whose values are given by ref."""
    return {text for values in entities.values() if (text := key_of(values, key)) is not None}


def restore_delivered(known_set: KnownSet, removed: Mapping[str, Any], refs: Iterable[str]) -> None:
    """Restore what was delivered last of entities that are back, in the caller's transaction."""
    for ref in removed.keys() & set(refs):
        _set_delivered(known_set, ref, removed[ref])


def hand_over(
    known_set: KnownSet, gone: Collection[str], key: str, by_key: Mapping[str | None, str]
) -> dict[str, Any]:
    """
    Give what was delivered last, and the journal, of entities that go to those with their keys.

    by_key: the refs of those, by the text of the key. Changes that could still be reverted, and
    texts that named the old ref, name the new one. Return what was delivered last of the entities
    that nothing replaces, by ref. Inside the caller's transaction, which locks the set.
    """
    left: dict[str, Any] = {}
    former = known_set.entities.filter(ref__in=gone).order_by("-changed_at", "pk")
    for ref, values, delivered in former.values_list("ref", "values", "delivered"):
        text = key_of(values, key)
        heir = None if text is None else by_key.get(text)
        if heir is None:
            left |= {} if delivered is None else {ref: delivered}
            continue
        if delivered is not None:
            _set_delivered(known_set, heir, delivered)
        _rename(known_set, ref, heir)
    return left


def _set_delivered(known_set: KnownSet, ref: str, delivered: Any) -> None:
    mine = KnownEntity.objects.filter(known_set=known_set, ref=ref, delivered__isnull=True)
    mine.update(delivered=delivered)


def _rename(known_set: KnownSet, former: str, ref: str) -> None:
    changes = KnownChange.objects.filter(known_set=known_set)
    same = changes.filter(changeset_id=OuterRef("changeset_id"), ref=ref)
    changes.filter(~Exists(same), ref=former, is_restored=False).update(ref=ref)
    LearnedText.objects.filter(known_set=known_set, ref=former).update(ref=ref)
