"""Fetch the known entities that the texts of an import may mean, and no others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from django.db import connection

from references import indexing
from references.models import KnownSet, LearnedText

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from tabular.resolving.resolution import Known, Wanted

CHUNK = 5_000  # values of one query
UNDER = (
    'SELECT e.ref, e."values", k.digest FROM references_knownkey k '
    "JOIN references_knownentity e ON e.id = k.known_id "
    "WHERE k.known_set_id = %s AND k.digest IN (...)"
)
NAMED = (
    'SELECT e.ref, e."values" FROM references_knownentity e '
    "WHERE e.known_set_id = %s AND e.ref IN (...)"
)
COUNTED = (
    "SELECT k.digest, count(*) FROM references_knownkey k "
    "WHERE k.known_set_id = %s AND k.digest IN (...) GROUP BY k.digest"
)


def known_for(sets: Mapping[str, KnownSet], wanted: Mapping[str, Wanted]) -> Known:
    """
    Give what is known about some texts.

    sets: by entity, of one tenant and scope. wanted: as ``wanted_of`` lists it.
    """
    import pyarrow as pa

    from tabular.resolving.entities import KNOWN, LEARNED
    from tabular.resolving.resolution import Known

    entities, learned = [KNOWN.empty_table()], [LEARNED.empty_table()]
    for entity, one in wanted.items():
        if entity not in sets:
            continue
        texts = _learned(sets[entity], one.learned) if one.learned is not None else {}
        entities.append(_entities(sets[entity], one, texts.values()))
        rows = [[entity] * len(texts), list(texts), list(texts.values())]
        learned.append(pa.table(rows, schema=LEARNED))
    return Known(pa.concat_tables(entities), pa.concat_tables(learned))


def _entities(known_set: KnownSet, wanted: Wanted, refs: Iterable[str]) -> pa.Table:
    import pyarrow as pa

    from tabular.resolving.entities import KNOWN
    from tabular.resolving.keys import exact_digests

    indexing.require(known_set, wanted.exact, blocks=False)
    found = dict(_named(known_set, refs))
    keys: set[int] = set()
    for field, texts in wanted.exact.items():
        for ref, values, digest in _under(known_set, exact_digests(field, texts)):
            found[ref] = values
            if field == wanted.key:
                keys.add(digest)
    found.update(_owners_of_refs(known_set, wanted, keys))
    for field, texts in wanted.alike.items():
        indexing.require(known_set, [field], blocks=True)
        under = _under(known_set, _light_keys(known_set, field, texts))
        found.update((ref, values) for ref, values, _ in under)
    named = sorted(found)
    columns = [[known_set.entity] * len(named), named, [found[ref] for ref in named]]
    return pa.table(columns, schema=KNOWN)


def _owners_of_refs(
    known_set: KnownSet, wanted: Wanted, known: Collection[int]
) -> Iterator[tuple[str, str]]:
    """
    Give ref and values of whoever has a ref that would be made for a key.

    known: the exact digests of keys that somebody has; nobody is made for these.
    """
    from tabular.resolving.keys import created_ref, exact_digests

    if wanted.made is None:
        return
    digests = exact_digests(wanted.key, wanted.made).tolist()
    texts = wanted.made.to_pylist()
    keys = [text for text, one in zip(texts, digests, strict=True) if one not in known]
    taken = 0
    while keys:
        refs = {created_ref(known_set.entity, key, taken): key for key in keys}
        there = dict(_named(known_set, refs))
        yield from there.items()
        keys, taken = [refs[ref] for ref in there], taken + 1


def _under(known_set: KnownSet, digests: NDArray[np.int64]) -> Iterator[tuple[str, str, int]]:
    """Give ref, values as they are stored, and digest, of everybody who has one of some keys."""
    import numpy as np

    for chunk in _chunks(np.unique(digests)):
        yield from _fetched(UNDER, known_set, chunk.tolist())


def _fetched(sql: str, known_set: KnownSet, values: list[Any]) -> list[tuple[Any, ...]]:
    """Run a query over some values; rows as they come, because a model for each costs seconds."""
    marks = ",".join(["%s"] * len(values))
    with connection.cursor() as cursor:
        cursor.execute(sql.replace("(...)", f"({marks})"), [known_set.pk, *values])
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def _light_keys(known_set: KnownSet, field: str, texts: pa.Array) -> NDArray[np.int64]:
    """Give the light blocking keys of some texts; the same count as in the scoring."""
    import numpy as np

    from tabular.resolving.keys import block_digests
    from tabular.resolving.likeness import light_blocks

    owners, digests = block_digests(field, texts)
    unique, which = np.unique(digests, return_inverse=True)
    sizes = np.zeros(len(unique), np.int64)
    for chunk in _chunks(unique):
        for digest, count in _fetched(COUNTED, known_set, chunk.tolist()):
            sizes[np.searchsorted(unique, digest)] = count
    return np.unique(digests[light_blocks(owners, sizes[which])])


def _named(known_set: KnownSet, refs: Iterable[str]) -> Iterator[tuple[str, str]]:
    for chunk in _parts(sorted(set(refs))):
        yield from _fetched(NAMED, known_set, chunk)


def _learned(known_set: KnownSet, texts: pa.Array) -> dict[str, str]:
    """Give whom texts were taken for before; the newest counts."""
    mine = LearnedText.objects.filter(known_set=known_set)
    found: dict[str, str] = {}
    for chunk in _parts(texts.to_pylist()):
        found.update(mine.filter(text__in=chunk).order_by("pk").values_list("text", "ref"))
    return found


def refs_of(known_set: KnownSet, refs: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Give the values of those of some refs that are known."""
    found: dict[str, dict[str, Any]] = {}
    for chunk in _parts(sorted(set(refs))):
        found.update(known_set.entities.filter(ref__in=chunk).values_list("ref", "values"))
    return found


def _chunks(numbers: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    for start in range(0, len(numbers), CHUNK):
        yield numbers[start : start + CHUNK]


def _parts(items: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(items), CHUNK):
        yield items[start : start + CHUNK]
