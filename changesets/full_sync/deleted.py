"""The entities that a full sync deletes: gathered before, and forgotten once hosts deleted them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson
from django.db import transaction

from changesets.comparison.differences import versions_of
from changesets.comparison.outcome import DELETED, Prepared
from changesets.features import sets_of
from changesets.full_sync import admission
from changesets.full_sync.referred import without_referred
from changesets.full_sync.rules import rules_of
from changesets.models import Changeset
from changesets.plans.current import plan_of
from changesets.plans.missing import missing_of
from deliveries.models import Delivery
from deliveries.services.registrations import DELETE
from references import services as references
from references.models import KnownChange, KnownSet

if TYPE_CHECKING:
    import pyarrow as pa

    from imports.models import ImportRecord
    from staging.columns import StagedTable

SLICE = 500  # entities per transaction
AT_ONCE = 10_000  # entities gathered at a time


@dataclass(frozen=True, slots=True)
class Deleted:
    """
    The entities that a full sync deletes (``outcome.DELETED``), in order.

    known: by entity, how many are known. seen: the known sets and versions before they were
    gathered (``versions_of``).
    """

    table: pa.Table
    known: dict[str, int]
    seen: dict[str, Any]

    def without(self, named: pa.Table, record: ImportRecord, rows: StagedTable) -> Deleted:
        """
        Return the others than those that rows name, and than what something still refers to.

        named: entity and ref of each entity that a row is or refers to, chosen to be applied or
        not.
        """
        import pyarrow.compute as pc

        is_named = pc.is_in(_pairs(self.table), value_set=_pairs(named).combine_chunks())
        missing = self.table.filter(pc.invert(is_named))
        return replace(self, table=without_referred(missing, record, rows))

    @property
    def counts(self) -> admission.Counts:
        """How many are deleted, of how many known, by entity."""
        counted = Counter(self.table["entity"].to_pylist())
        return {name: [counted[name], known] for name, known in self.known.items()}


def gathered(changeset: Changeset) -> Deleted:
    """
    Return the known entities that no row of a full sync names, as they are known now.

    What is known may change meanwhile; then it is ``compare.is_outdated``.
    """
    import pyarrow as pa

    record = changeset.record
    seen = versions_of(sets_of(record))
    plan, rules = plan_of(record), rules_of(record)
    schema = pa.schema([(name, pa.string()) for name in DELETED])
    parts = [schema.empty_table()]
    entities = [name for name in plan.known if name in rules]
    for some in _slices(missing_of(record, plan, entities), AT_ONCE):
        lines = [
            (entity, ref, _json({plan.keys[entity]: values.get(plan.keys[entity])}), _json(values))
            for entity, ref, values in some
        ]
        parts.append(pa.table(list(map(list, zip(*lines, strict=True))), schema=schema))
    return Deleted(pa.concat_tables(parts), {name: plan.known[name] for name in entities}, seen)


def _pairs(table: pa.Table) -> pa.ChunkedArray:
    """Return entity and ref of each line as one text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    joined = pc.binary_join_element_wise(table["entity"], table["ref"], "\x1f")
    return joined if isinstance(joined, pa.ChunkedArray) else pa.chunked_array([joined])


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


def forget(changeset: Changeset, prepared: Prepared, *, at: datetime) -> None:
    """
    Forget the entities that hosts deleted, with a journal of their values; safe to run twice.

    Those of a delivery that did not arrive stay known: a registration may be gone since. What a
    host said of an entity since it was compared stays known, too.
    """
    if not changeset.is_full:
        return
    record, table = changeset.record, _arrived(changeset, prepared.deleted)
    for entity in sorted(set(table["entity"].to_pylist())):
        known_set = references.set_of(tenant=record.tenant, scope=record.scope, entity=entity)
        mine = (item for item in _items(table) if item["entity"] == entity)
        for some in _slices(mine, SLICE):
            _forget_some(changeset, known_set, some, at)


def _slices(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    iterator = iter(items)
    while some := list(islice(iterator, size)):
        yield some


def _items(table: pa.Table) -> Iterator[dict[str, Any]]:
    for batch in table.to_batches(max_chunksize=SLICE):
        yield from batch.to_pylist()


def _arrived(changeset: Changeset, table: pa.Table) -> pa.Table:
    """Return the entities of the deliveries that a host took, each as a whole or in parts."""
    import numpy as np
    import pyarrow as pa

    sent = Delivery.objects.filter(
        tenant=changeset.tenant,
        record_id=changeset.record.public_id,
        changeset_id=changeset.public_id,
        action=DELETE,
    )
    parts: dict[int | None, list[tuple[int, str]]] = {}  # by the delivery that was resent in them
    names: list[str] = []
    for pk, whole, state in sent.exclude(part_of=None).values_list("pk", "part_of", "state"):
        parts.setdefault(whole, []).append((pk, state))
    for pk, state, name in sent.filter(part_of=None).values_list("pk", "state", "public_id"):
        if _is_taken(pk, state, parts):
            names.append(name)
    chosen = np.zeros(table.num_rows, dtype=bool)
    slices = changeset.parts.filter(action=DELETE, delivery_id__in=names)
    for first, count in slices.values_list("first", "row_count"):
        chosen[first : first + count] = True
    return table.filter(pa.array(chosen))


def _is_taken(pk: int, state: str, parts: Mapping[int | None, Sequence[tuple[int, str]]]) -> bool:
    """Return whether a host took a delivery, or all that it was resent in."""
    if state == Delivery.State.DELIVERED:
        return True
    mine = parts.get(pk, ())
    return bool(mine) and all(_is_taken(key, its, parts) for key, its in mine)


def _forget_some(
    changeset: Changeset, known_set: KnownSet, entities: Sequence[dict[str, Any]], at: datetime
) -> None:
    compared = {item["ref"]: orjson.loads(item["values"]) for item in entities}
    with transaction.atomic():
        KnownSet.objects.select_for_update().get(pk=known_set.pk)
        state = Changeset.objects.filter(pk=changeset.pk).values_list("state", flat=True).first()
        if state != Changeset.State.APPLIED:  # reverted meanwhile
            return
        journal = KnownChange.objects.filter(changeset_id=changeset.public_id, known_set=known_set)
        done = journal.filter(ref__in=compared).values("ref")
        now = known_set.entities.filter(ref__in=compared).exclude(ref__in=done)
        gone = [item for item in now if item.values == compared[item.ref]]
        KnownChange.objects.bulk_create(
            KnownChange(
                changeset_id=changeset.public_id,
                known_set=known_set,
                ref=item.ref,
                before=item.values,
                after=None,
                delivered=item.delivered,
            )
            for item in gone
        )
        references.remove(known_set, [item.ref for item in gone])
        KnownSet.objects.filter(pk=known_set.pk).update(delivered_at=at)


def refs_taken(known_set: KnownSet, changes: Collection[KnownChange], key: str | None) -> set[str]:
    """Return the deleted entities whose key another known entity has by now."""
    from references import key_index
    from references.lookup import refs_under
    from tabular.resolving.keys import key_text

    deleted = [change for change in changes if change.after is None and change.before is not None]
    if key is None or not deleted:
        return set()
    key_index.require(known_set, [key], blocks=False)
    texts = {change.ref: key_text(change.before.get(key)) for change in deleted}
    others = refs_under(known_set, key, {text for text in texts.values() if text is not None})
    now = known_set.entities.filter(ref__in=others).values_list("ref", "values")
    owners = {key_text(values.get(key)): ref for ref, values in now}
    return {ref for ref, text in texts.items() if text and owners.get(text, ref) != ref}
