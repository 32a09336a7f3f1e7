"""Fetch only the known entities that the texts of an import may name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import orjson
from django.db import connection

from references import heavy_blocks, key_index
from references.models import KnownSet, LearnedText
from references.selectors import Sets

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from licensing.models import Tenant
    from tabular.resolving.resolution import Known, Wanted

Stored = tuple[str, str | None]  # the JSON texts of an entity: its values, and those delivered last
CHUNK = 5_000  # values per query
MOST_OTHERS = 100  # scopes searched for a hint
FEW = 10_000  # entities whose keys are created for a hint
UNDER = (
    'SELECT e.ref, e."values", e.delivered, k.digest FROM references_knownkey k '
    "JOIN references_knownentity e ON e.id = k.known_id "
    "WHERE k.known_set_id = %s AND k.digest IN (...)"
)
NAMED = (
    'SELECT e.ref, e."values", e.delivered FROM references_knownentity e '
    "WHERE e.known_set_id = %s AND e.ref IN (...)"
)
COUNTED = (
    "SELECT k.digest, count(*) FROM references_knownkey k "
    "WHERE k.known_set_id = %s AND k.digest IN (...) GROUP BY k.digest"
)


@dataclass(slots=True)
class _Found:
    """
    Entities of one set, by ref: JSON texts of values, and of those delivered last.

    keys: digests of the keys that equal the texts.
    """

    known_set: KnownSet
    values: dict[str, Stored] = field(default_factory=dict)
    keys: list[tuple[str, int]] = field(default_factory=list)


def known_for(sets: Mapping[str, Sets], wanted: Mapping[str, Wanted]) -> Known:
    """
    Return what is known about some texts.

    sets: what a scope sees, by entity. wanted: as ``wanted_of`` lists it.
    """
    import pyarrow as pa

    from tabular.resolving.entities import KNOWN, LEARNED
    from tabular.resolving.resolution import Known

    entities, learned = [KNOWN.empty_table()], [LEARNED.empty_table()]
    for entity, item in wanted.items():
        texts: dict[str, str] = {}
        for known_set in reversed(sets.get(entity, ())):  # what the scope itself learned counts
            texts |= _learned(known_set, item.learned) if item.learned is not None else {}
        entities += _entities(sets.get(entity, ()), item, item.refs.union(texts.values()))
        rows = [[entity] * len(texts), list(texts), list(texts.values())]
        learned.append(pa.table(rows, schema=LEARNED))
    return Known(pa.concat_tables(entities), pa.concat_tables(learned))


def _entities(sets: Sets, wanted: Wanted, refs: Collection[str]) -> Iterator[pa.Table]:
    import pyarrow as pa

    from tabular.resolving.entities import KNOWN

    matches = [_found_in(known_set, wanted, refs) for known_set in sets]
    for own, shared in pairwise(matches):
        own.values.update(_named(own.known_set, shared.values))  # own refs hide the tenant's
    hidden = {ref for item in matches[:-1] for ref in item.values}
    keys = {
        digest
        for item in matches
        for ref, digest in item.keys
        if item is matches[0] or ref not in hidden
    }
    _add_owners_of_refs(matches, wanted, keys)
    for own, shared in pairwise(matches):
        _add_hiding(own, shared, wanted.key)
    for item in matches:
        named = sorted(item.values)
        columns: list[Any] = [
            [item.known_set.entity] * len(named),
            named,
            [item.values[ref][0] for ref in named],
            [not item.known_set.scope] * len(named),
            [item.values[ref][1] for ref in named],
        ]
        yield pa.table(columns, schema=KNOWN)


def _found_in(known_set: KnownSet, wanted: Wanted, refs: Iterable[str]) -> _Found:
    """Return the entities of a set that have some refs, or that texts may name."""
    from tabular.resolving.keys import exact_digests

    key_index.require(known_set, wanted.exact, blocks=False)
    matches = _Found(known_set, dict(_named(known_set, refs)))
    for path, texts in wanted.exact.items():
        for ref, stored, digest in _under(known_set, exact_digests(path, texts)):
            matches.values[ref] = stored
            if path == wanted.key:
                matches.keys.append((ref, digest))
    for path, texts in wanted.alike.items():
        key_index.require(known_set, [path], blocks=True)
        under = _under(known_set, _light_keys(known_set, path, texts))
        matches.values.update((ref, stored) for ref, stored, _ in under)
    return matches


def _add_hiding(own: _Found, shared: _Found, key: str) -> None:
    """Add the scope's entities that have a key of a tenant-wide one, because they hide it."""
    import pyarrow as pa

    from tabular.resolving.keys import exact_digests, key_text

    values = (orjson.loads(text) for text, _ in shared.values.values())
    texts = {text for value in values if (text := key_text(value.get(key))) is not None}
    if texts:
        key_index.require(own.known_set, [key], blocks=False)
        digests = exact_digests(key, pa.array(sorted(texts), pa.string()))
        own.values.update((ref, stored) for ref, stored, _ in _under(own.known_set, digests))


def _add_owners_of_refs(matches: Sequence[_Found], wanted: Wanted, known: Collection[int]) -> None:
    """
    Add the entities whose ref is one that would be created for a key.

    known: the exact digests of keys that some entity has; no entity is created for these.
    """
    from tabular.resolving.keys import created_ref, exact_digests

    if wanted.made is None or not matches:
        return
    entity = matches[0].known_set.entity
    digests = exact_digests(wanted.key, wanted.made).tolist()
    texts = wanted.made.to_pylist()
    keys = [text for text, digest in zip(texts, digests, strict=True) if digest not in known]
    taken = 0
    while keys:
        refs = {created_ref(entity, key, taken): key for key in keys}
        there = [dict(_named(item.known_set, refs)) for item in matches]
        for match, values in zip(matches, there, strict=True):
            match.values.update(values)
        keys, taken = [refs[ref] for ref in dict.fromkeys(chain(*there))], taken + 1


def _under(known_set: KnownSet, digests: NDArray[np.int64]) -> Iterator[tuple[str, Stored, int]]:
    """Yield ref, stored texts and digest of every entity with one of some keys."""
    import numpy as np

    for chunk in _chunks(np.unique(digests)):
        for ref, values, delivered, digest in _fetched(UNDER, known_set, chunk.tolist()):
            yield ref, (values, delivered), digest


def _fetched(sql: str, known_set: KnownSet, values: list[Any]) -> list[tuple[Any, ...]]:
    """Run a query over some values; returns raw rows, because a model for each costs seconds."""
    marks = ",".join(["%s"] * len(values))
    with connection.cursor() as cursor:
        cursor.execute(sql.replace("(...)", f"({marks})"), [known_set.pk, *values])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _light_keys(known_set: KnownSet, field: str, texts: pa.Array) -> NDArray[np.int64]:
    """Return the light blocking keys of some texts; as many as in the scoring."""
    import numpy as np

    from tabular.resolving.keys import block_digests
    from tabular.resolving.likeness import light_blocks

    owners, digests = block_digests(field, texts)
    is_heavy = np.isin(digests, heavy_blocks.digests_of(known_set))
    owners, digests = owners[~is_heavy], digests[~is_heavy]
    unique, which = np.unique(digests, return_inverse=True)
    sizes = np.zeros(len(unique), np.int64)
    for chunk in _chunks(unique):
        for digest, count in _fetched(COUNTED, known_set, chunk.tolist()):
            sizes[np.searchsorted(unique, digest)] = count
    return np.unique(digests[light_blocks(owners, sizes[which])])


def _named(known_set: KnownSet, refs: Iterable[str]) -> Iterator[tuple[str, Stored]]:
    for chunk in _parts(sorted(set(refs))):
        for ref, values, delivered in _fetched(NAMED, known_set, chunk):
            yield ref, (values, delivered)


def _learned(known_set: KnownSet, texts: pa.Array) -> dict[str, str]:
    """Return which entities texts were resolved to before; the newest counts."""
    mine = LearnedText.objects.filter(known_set=known_set)
    refs_by_text: dict[str, str] = {}
    for chunk in _parts(texts.to_pylist()):
        refs_by_text.update(mine.filter(text__in=chunk).order_by("pk").values_list("text", "ref"))
    return refs_by_text


def refs_under(known_set: KnownSet, key: str, texts: Collection[str]) -> set[str]:
    """Return the entities of a set, by ref, that have one of some keys. key: the field."""
    import pyarrow as pa

    from tabular.resolving.keys import exact_digests, key_text

    if not texts:
        return set()
    digests = exact_digests(key, pa.array(sorted(texts), pa.string()))
    return {
        ref
        for ref, (values, _), _ in _under(known_set, digests)
        if key_text(orjson.loads(values).get(key)) in texts
    }


def known_elsewhere(
    tenant: Tenant, scope: str, entity: str, *, fields: Iterable[str], texts: pa.Array
) -> set[str]:
    """
    Return the texts that name an entity in a scope which this one does not see.

    fields: the keys of the fields to look at. Some may be missed: large sets that were never
    searched have no keys, and a hint does not justify creating them.
    """
    from tabular.resolving.keys import exact_digests

    others = KnownSet.objects.filter(tenant=tenant, entity=entity).exclude(scope__in={scope, ""})
    names: set[str] = set()
    for known_set in others.order_by("pk")[:MOST_OTHERS]:
        if known_set.entities.all()[: FEW + 1].count() <= FEW:
            key_index.require(known_set, fields, blocks=False)
        for path in fields:
            digests = exact_digests(path, texts)
            there = {digest for _, _, digest in _under(known_set, digests)}
            named = zip(texts.to_pylist(), digests.tolist(), strict=True)
            names.update(text for text, digest in named if digest in there)
    return names


def refs_of(sets: Sets, refs: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the values of the refs that are known; the scope's own have priority."""
    by_ref: dict[str, dict[str, Any]] = {}
    wanted = sorted(set(refs))
    for known_set in reversed(sets):
        for chunk in _parts(wanted):
            by_ref.update(known_set.entities.filter(ref__in=chunk).values_list("ref", "values"))
    return by_ref


def _chunks(numbers: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    for start in range(0, len(numbers), CHUNK):
        yield numbers[start : start + CHUNK]


def _parts(items: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(items), CHUNK):
        yield items[start : start + CHUNK]
