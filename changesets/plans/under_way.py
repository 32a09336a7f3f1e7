"""Which other applies of a scope are not delivered yet."""

from collections.abc import Collection, Mapping, Sequence
from itertools import islice

from django.db.models import Exists, OuterRef, Q, QuerySet

from changesets.models import FULL, Changeset
from deliveries.models import Delivery
from imports.models import ImportRecord

MOST = 20
AT_ONCE = 100  # changesets read at a time
State = Changeset.State


def applies_under_way(record: ImportRecord) -> list[str]:
    """
    Return the changesets of the import's scope whose rows are still on their way, oldest first.

    At most 20. What such an apply changes becomes known once its deliveries arrived, so another
    import is not compared with it before.
    """
    mine = _under_way(record).filter(record__scope=record.scope)
    return list(mine.values_list("public_id", flat=True)[:MOST])


def applies_of_entities(record: ImportRecord, entities: Collection[str]) -> list[str]:
    """
    Return those of the applies under way whose catalogs have some of these entries.

    At most 20, also of scopes that see the same entities.
    """
    others = _under_way(record).filter(overlapping(record.scope))
    others = others.select_related("record__catalog_version")
    entries: dict[int | None, frozenset[str]] = {}  # by catalog version
    some = (
        other.public_id
        for other in others.iterator(chunk_size=AT_ONCE)
        if not _entries_of(other.record, entries).isdisjoint(entities)
    )
    return list(islice(some, MOST))


def full_syncs_under_way(record: ImportRecord) -> list[str]:
    """
    Return the full syncs, or reverts of them, of entities which this import may name.

    At most 20, also of scopes that see the same entities.
    """
    others = _under_way(record).filter(overlapping(record.scope), mode=FULL, deletes__isnull=False)
    mine: dict[int | None, frozenset[str]] = {}
    columns = others.values_list("public_id", "state", "deletes")
    some = (
        public_id
        for public_id, state, deletes in columns.iterator(chunk_size=AT_ONCE)
        if not _entries_of(record, mine).isdisjoint(_deleted(deletes, state))
    )
    return list(islice(some, MOST))


def _deleted(deletes: Mapping[str, Sequence[int]] | None, state: str) -> set[str]:
    """Return the entries of which a full sync deletes any, or may while it begins."""
    counts = (deletes or {}).items()
    return {name for name, (count, _) in counts if count or state == State.APPLYING}


def overlapping(scope: str) -> Q:
    """Return which changesets are of scopes that see some of the entities of this scope."""
    return Q(record__scope__in=(scope, "")) if scope else Q()


def _under_way(record: ImportRecord) -> QuerySet[Changeset]:
    sent = Delivery.objects.filter(
        tenant=OuterRef("tenant"),
        record_id=OuterRef("record__public_id"),
        changeset_id=OuterRef("public_id"),
    )
    unsettled = Exists(sent.filter(state__in=Delivery.UNSETTLED))
    failed = Exists(sent.filter(state__in=(Delivery.State.REJECTED, Delivery.State.EXHAUSTED)))
    # What a full sync deleted is forgotten a moment after the last host confirmed it.
    kept = Exists(sent.exclude(state=Delivery.State.CANCELLED))
    is_full = Q(mode=FULL, record__purged_at=None) & kept & ~failed
    written = Q(state=State.APPLIED, learned_at=None) & ~Q(prepared="") & (unsettled | is_full)
    begun = Q(state=State.APPLYING, record__state=ImportRecord.State.APPLYING)
    back = Q(state=State.REVERTING, mode=FULL)  # hosts store again what was deleted
    others = Changeset.objects.filter(written | begun | back, tenant=record.tenant)
    return others.exclude(record=record).order_by("pk")


def _entries_of(record: ImportRecord, entries: dict[int | None, frozenset[str]]) -> frozenset[str]:
    """Return the entries of an import's catalog. entries: those that were read before."""
    version = record.catalog_version_id
    if version not in entries:
        entries[version] = frozenset(entry.id for entry in record.target.entries)
    return entries[version]
