"""Keys of known entities: created for a field when it is first searched, and kept from then on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction

from references.models import KnownEntity, KnownKey, KnownSet

if TYPE_CHECKING:
    import pyarrow as pa

Stored = tuple[int, dict[str, Any]]  # the primary key of an entity, and its values

EXACT, BLOCKS = "exact", "blocks"
SLICE = 20_000  # entities per transaction
INSERT = (
    "INSERT INTO references_knownkey (known_set_id, known_id, digest) VALUES (%s, %s, %s) "
    "ON CONFLICT DO NOTHING"
)


def require(known_set: KnownSet, fields: Iterable[str], *, blocks: bool) -> None:
    """
    Ensure that some fields have keys: create missing ones, slice by slice.

    After a crash it starts again: a field counts as indexed once all its keys exist.
    """
    kinds = [EXACT, BLOCKS] if blocks else [EXACT]
    missing = [
        (field, kind)
        for field in fields
        for kind in kinds
        if known_set.indexed.get(field, {}).get(kind) != "whole"
    ]
    if not missing:
        return
    _note(known_set, missing, "begun")  # from here on upserts write these keys too
    last = 0
    while True:
        with transaction.atomic():
            KnownSet.objects.select_for_update().get(pk=known_set.pk)
            known = KnownEntity.objects.filter(known_set=known_set, pk__gt=last).order_by("pk")
            some = list(known.values_list("pk", "values")[:SLICE])
            if not some:
                break
            _insert(known_set, keys_of(some, missing))
            last = some[-1][0]
    _note(known_set, missing, "whole")


def _note(known_set: KnownSet, keys: Sequence[tuple[str, str]], how: str) -> None:
    with transaction.atomic():
        locked = KnownSet.objects.select_for_update().get(pk=known_set.pk)
        for field, kind in keys:
            locked.indexed.setdefault(field, {})[kind] = how
        locked.save(update_fields=["indexed"])
    known_set.indexed = locked.indexed


def refresh(known_set: KnownSet, entities: Sequence[Stored], former: Collection[int]) -> None:
    """Rewrite the keys of entities, inside a transaction that locks the set."""
    if former:
        KnownKey.objects.filter(known__in=former).delete()
    indexed = [(f, kind) for f, kinds in known_set.indexed.items() for kind in kinds]
    if indexed:
        _insert(known_set, keys_of(entities, indexed))


def _insert(known_set: KnownSet, pairs: Iterable[tuple[int, int]]) -> None:
    """Insert millions of keys without model objects; an interrupted indexing left some of them."""
    rows = [(known_set.pk, known, digest) for known, digest in pairs]
    with connection.cursor() as cursor:
        cursor.executemany(INSERT, rows)


def keys_of(entities: Sequence[Stored], keys: Iterable[tuple[str, str]]) -> list[tuple[int, int]]:
    """Return the keys of entities, primary key and number, by number. keys: field and kind."""
    import numpy as np

    from tabular.resolving.keys import block_digests, exact_digests

    pairs: set[tuple[int, int]] = set()
    for field, kind in keys:
        numbers, texts = _texts(entities, field)
        if not len(texts):
            continue
        if kind == EXACT:
            rows, digests = np.arange(len(texts)), exact_digests(field, texts)
        else:
            rows, digests = block_digests(field, texts)
        owners = np.array(numbers, np.int64)[rows]
        pairs.update(zip(owners.tolist(), digests.tolist(), strict=True))
    return sorted(pairs, key=itemgetter(1))  # neighbours in the index are written together


def _texts(entities: Sequence[Stored], field: str) -> tuple[list[int], pa.Array]:
    import pyarrow as pa

    from tabular.resolving.keys import key_text

    pairs: list[tuple[Any, str]] = [
        (pk, text) for pk, values in entities if (text := key_text(values.get(field))) is not None
    ]
    return [pk for pk, _ in pairs], pa.array([text for _, text in pairs], pa.string())
