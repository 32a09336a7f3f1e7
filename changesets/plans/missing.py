"""The known entities that no row of a plan names."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from changesets.plans.tally import matched
from references.selectors import known_of

if TYPE_CHECKING:
    import pyarrow as pa

    from changesets.plans.current import CurrentPlan
    from imports.models import ImportRecord
    from tabular.model.catalog import Catalog

FIRST, MOST = 500, 16_000  # known entities read at a time: few for a page, more for all of them


def missing_of(
    record: ImportRecord,
    plan: CurrentPlan,
    entities: Collection[str],
    *,
    after: tuple[str, str] = ("", ""),
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """
    Yield the known entities of exactly the import's scope that no row names: entity, ref, values.

    Without those of entries with ``fullSync`` that no file can name: they have no key. entities:
    those of the plan, in its order. after: the entity and ref of the last item before.
    """
    entity_before, ref = after
    synced = synced_entries(record.target)
    for entity in entities:
        last, size = ref if entity == entity_before else "", FIRST
        named, shared, key = *_named(plan, entity), plan.keys[entity]
        known = known_of(record.tenant, record.scope, entity).order_by("ref")
        while some := list(known.filter(ref__gt=last).values_list("ref", "values")[:size]):
            last, size = some[-1][0], min(2 * size, MOST)
            for (missing, values), text in _not_in(some, named, shared, key):
                if text is not None or entity not in synced:
                    yield entity, missing, values


def synced_entries(catalog: Catalog) -> frozenset[str]:
    """Return the entries of which a full sync may delete entities."""
    return frozenset(entry.id for entry in catalog.entries if entry.full_sync is not None)


def nameable_count(record: ImportRecord, entity: str, key: str) -> int:
    """Return how many known entities of exactly the import's scope have a key, so that rows can."""
    from tabular.resolving.keys import key_text

    known = known_of(record.tenant, record.scope, entity).values_list("values", flat=True)
    return sum(key_text(values.get(key)) is not None for values in known.iterator(chunk_size=MOST))


def _not_in(
    some: list[tuple[str, dict[str, Any]]], named: pa.Array, shared: pa.Array, key: str
) -> Iterator[tuple[tuple[str, dict[str, Any]], str | None]]:
    """Yield those of some entities that no row names, and the text of their key."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from tabular.resolving.keys import key_text

    texts = [key_text(values.get(key)) for _, values in some]
    refs = pa.array([ref for ref, _ in some], pa.string())
    is_named = pc.or_(
        pc.is_in(refs, value_set=named), pc.is_in(pa.array(texts, pa.string()), value_set=shared)
    )
    for item, text, names in zip(some, texts, is_named.to_pylist(), strict=True):
        if not names:
            yield item, text


def _named(plan: CurrentPlan, entity: str) -> tuple[pa.Array, pa.Array]:
    """Return the refs of an entity that rows name, and the keys that several entities share."""
    import pyarrow as pa
    import pyarrow.compute as pc

    refs, keys = [pa.array([], pa.string())], [pa.array([], pa.string())]
    for table in plan.rows.tables():
        mine = matched(table)
        mine = mine.filter(pc.equal(mine["entity"], entity))
        refs.append(mine["ref"].unique().drop_null())
        keys.append(mine["key"].unique().drop_null())
    return pa.concat_arrays(refs), pa.concat_arrays(keys)
