"""The known entities that no row of a plan names."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from changesets.plans.tally import matched
from references.selectors import known_of

if TYPE_CHECKING:
    from changesets.plans.current import CurrentPlan
    from imports.models import ImportRecord

AT_ONCE = 2_000  # known entities read at a time


def missing_of(
    record: ImportRecord,
    plan: CurrentPlan,
    entities: Collection[str],
    *,
    after: tuple[str, str] = ("", ""),
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """
    Yield the known entities of exactly the import's scope that no row names: entity, ref, values.

    entities: those of the plan, in its order. after: the entity and ref of the last item before.
    """
    from tabular.resolving.keys import key_text

    entity_before, ref = after
    for entity in entities:
        last = ref if entity == entity_before else ""
        named, keys = _named(plan, entity, "ref"), _named(plan, entity, "key")
        known = known_of(record.tenant, record.scope, entity).order_by("ref")
        while some := list(known.filter(ref__gt=last).values_list("ref", "values")[:AT_ONCE]):
            for last, values in some:
                if last not in named and key_text(values.get(plan.keys[entity])) not in keys:
                    yield entity, last, values


def _named(plan: CurrentPlan, entity: str, by: str) -> set[str]:
    """Return the refs of an entity that rows name, or the keys that several entities share."""
    import pyarrow.compute as pc

    named: set[str] = set()
    for table in plan.rows.tables():
        mine = matched(table)
        names = mine.filter(pc.equal(mine["entity"], entity))[by]
        named.update(names.drop_null().to_pylist())
    return named
