"""Keys of known entities: created for a field when it is first searched, and kept from then on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

import orjson
from django.db import connection, transaction

from references import heavy_blocks
from references.models import KnownKey, KnownSet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

Stored = tuple[int, dict[str, Any]]  # the primary key of an entity, and its values
FieldKey = tuple[str, str]  # a field, and the kind of its keys

EXACT, BLOCKS = "exact", "blocks"
WHOLE = "whole"  # said of a kind once all its keys exist
SLICE = 20_000  # entities per transaction
TRIES = 3  # at counting what a set has; entities may change meanwhile
READ = (
    'SELECT id, "values" FROM references_knownentity '
    "WHERE known_set_id = %s AND id > %s ORDER BY id LIMIT %s"
)
INSERT = (
    "INSERT INTO references_knownkey (known_set_id, known_id, digest) VALUES (%s, %s, %s) "
    "ON CONFLICT DO NOTHING"
)
INSERT_ARRAYS = (
    "INSERT INTO references_knownkey (known_set_id, known_id, digest) "
    "SELECT %s, known_id, digest FROM unnest(%s::bigint[], %s::bigint[]) AS pair(known_id, digest) "
    "ON CONFLICT DO NOTHING"
)


def require(known_set: KnownSet, fields: Iterable[str], *, blocks: bool) -> None:
    """
    Ensure that some fields have keys: create missing ones, slice by slice.

    After a crash it starts again: a field counts as indexed once all its keys exist.
    """
    kinds = [EXACT, BLOCKS] if blocks else [EXACT]
    wanted = [(field, kind) for field in fields for kind in kinds]
    while missing := [key for key in wanted if _state(known_set, key) != WHOLE]:
        begun = _begin(known_set, missing)
        _create(known_set, missing)
        _finish(known_set, missing, begun)


def _state(known_set: KnownSet, key: FieldKey) -> str | None:
    field, kind = key
    state: str | None = known_set.indexed.get(field, {}).get(kind)
    return state


def _begin(known_set: KnownSet, keys: Sequence[FieldKey]) -> str:
    """
    Note that keys are being created: from here on upserts write these, too.

    Blocking keys that too many entities have are noted as heavy instead, unless the entities change
    each time while they are counted. Return the state of the keys.
    """
    fields = [field for field, kind in keys if kind == BLOCKS]
    for attempt in range(1, TRIES + 1):
        version = KnownSet.objects.values_list("version", flat=True).get(pk=known_set.pk)
        counted = _counted(known_set, fields)
        with transaction.atomic():
            locked = KnownSet.objects.select_for_update().get(pk=known_set.pk)
            if locked.version == version:
                for field, counts in counted.items():
                    heavy_blocks.note(locked, field, counts)
            elif counted and attempt < TRIES:
                continue
            begun = f"begun {locked.version}"
            for field, kind in keys:
                locked.indexed.setdefault(field, {})[kind] = begun
            locked.save(update_fields=["indexed"])
            return begun
    raise AssertionError("the last attempt always begins")


def _counted(known_set: KnownSet, fields: Sequence[str]) -> dict[str, heavy_blocks.Counts]:
    """Return how many entities have each blocking key, by field; none of a small set."""
    if not fields or not heavy_blocks.may_be_in(known_set):
        return {}
    counted = {field: heavy_blocks.Counts() for field in fields}
    for some in _slices(known_set):
        for field, counts in counted.items():
            counts.add(keys_of(some, [(field, BLOCKS)])[1])
    return counted


def _create(known_set: KnownSet, keys: Sequence[FieldKey]) -> None:
    last = 0
    while True:
        with transaction.atomic():
            KnownSet.objects.select_for_update().get(pk=known_set.pk)
            some = _read(known_set, last)
            if not some:
                break
            _insert(known_set, *_stored(known_set, _parsed(some), keys))
            last = some[-1][0]


def _finish(known_set: KnownSet, keys: Sequence[FieldKey], begun: str) -> None:
    """Note that all keys exist, except those that are created again since."""
    with transaction.atomic():
        locked = KnownSet.objects.select_for_update().get(pk=known_set.pk)
        for field, kind in keys:
            if _state(locked, (field, kind)) == begun:
                locked.indexed[field][kind] = WHOLE
        locked.save(update_fields=["indexed"])
    known_set.indexed = locked.indexed


def _slices(known_set: KnownSet) -> Iterator[Iterator[Stored]]:
    last = 0
    while some := _read(known_set, last):
        yield _parsed(some)
        last = some[-1][0]


def _read(known_set: KnownSet, last: int) -> list[tuple[int, str]]:
    """Return the entities that follow one, as raw rows, because a model for each costs seconds."""
    with connection.cursor() as cursor:
        cursor.execute(READ, [known_set.pk, last, SLICE])
        rows: list[tuple[int, str]] = cursor.fetchall()
    return rows


def _parsed(rows: Iterable[tuple[int, str]]) -> Iterator[Stored]:
    """Yield entities one after the other: thousands of values at once are slow to collect."""
    return ((pk, orjson.loads(values)) for pk, values in rows)


def refresh(known_set: KnownSet, entities: Sequence[Stored], former: Sequence[Stored]) -> None:
    """
    Rewrite the keys of entities, inside a transaction that locks the set.

    former: those of them that were known before, with the values they had.
    """
    if former:
        KnownKey.objects.filter(known__in=[pk for pk, _ in former]).delete()
    indexed = _indexed(known_set)
    if indexed:
        _insert(known_set, *_stored(known_set, entities, indexed))
        lose_heavy(known_set, former, entities)


def lose_heavy(
    known_set: KnownSet, former: Sequence[Stored], entities: Sequence[Stored] = ()
) -> None:
    """
    Note which heavy keys entities no longer have, inside a transaction that locks the set.

    former, entities: with the values they had, and with those they have; none if they are deleted.
    """
    import numpy as np

    heavy = heavy_blocks.digests_of(known_set)
    if not len(heavy) or not former:
        return
    blocks = [key for key in _indexed(known_set) if key[1] == BLOCKS]
    had, has = (_pairs(*keys_of(some, blocks), among=heavy) for some in (former, entities))
    lost = np.array([digest for _, digest in had - has], np.int64)
    for field in heavy_blocks.lose(known_set, lost) if len(lost) else ():
        known_set.indexed[field].pop(BLOCKS, None)
        known_set.save(update_fields=["indexed"])


def _indexed(known_set: KnownSet) -> list[FieldKey]:
    return [(field, kind) for field, kinds in known_set.indexed.items() for kind in kinds]


def _pairs(owners: Numbers, digests: Numbers, *, among: Numbers) -> set[tuple[int, int]]:
    import numpy as np

    kept = np.isin(digests, among)
    return set(zip(owners[kept].tolist(), digests[kept].tolist(), strict=True))


def _stored(
    known_set: KnownSet, entities: Iterable[Stored], keys: Iterable[FieldKey]
) -> tuple[Numbers, Numbers]:
    """Return the keys of entities that are stored, as ``keys_of`` does: all except heavy ones."""
    import numpy as np

    owners, digests = keys_of(entities, keys)
    kept = ~np.isin(digests, heavy_blocks.digests_of(known_set))
    return owners[kept], digests[kept]


def _insert(known_set: KnownSet, owners: Numbers, digests: Numbers) -> None:
    """Insert millions of keys without model objects; an interrupted indexing left some of them."""
    lists = owners.tolist(), digests.tolist()
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(INSERT_ARRAYS, [known_set.pk, *lists])
        else:
            cursor.executemany(INSERT, list(zip(repeat(known_set.pk), *lists, strict=False)))


def keys_of(entities: Iterable[Stored], keys: Iterable[FieldKey]) -> tuple[Numbers, Numbers]:
    """Return the keys of entities, primary key and number, by number and each once."""
    import numpy as np

    keys = list(keys)
    texts = _texts(entities, {field for field, _ in keys})
    owners, digests = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for field, kind in keys:
        numbers, numbered = _keys_of_texts(field, kind, *texts[field])
        owners.append(numbers)
        digests.append(numbered)
    owner, digest = np.concatenate(owners), np.concatenate(digests)
    order = np.lexsort((owner, digest))  # neighbours in the index are written together
    owner, digest = owner[order], digest[order]
    again = (np.diff(owner, prepend=-1) == 0) & (digest == np.roll(digest, 1))
    return owner[~again], digest[~again]


def _texts(
    entities: Iterable[Stored], fields: Collection[str]
) -> dict[str, tuple[list[int], list[str]]]:
    """Return the texts of some fields, and whose they are."""
    from tabular.resolving.keys import key_text

    texts: dict[str, tuple[list[int], list[str]]] = {field: ([], []) for field in fields}
    for pk, values in entities:
        for field, (owners, words) in texts.items():
            text = key_text(values.get(field))
            if text is not None:
                owners.append(pk)
                words.append(text)
    return texts


def _keys_of_texts(
    field: str, kind: str, numbers: list[int], words: list[str]
) -> tuple[Numbers, Numbers]:
    import numpy as np
    import pyarrow as pa

    from tabular.resolving.keys import block_digests, exact_digests

    owners, texts = np.array(numbers, np.int64), pa.array(words, pa.string())
    if not len(texts):
        return owners, np.zeros(0, np.int64)
    if kind == EXACT:
        return owners, exact_digests(field, texts)
    rows, digests = block_digests(field, texts)
    return owners[rows], digests
