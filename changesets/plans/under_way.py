"""Which other applies of a scope are not delivered yet."""

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q, QuerySet

from changesets.models import FULL, Changeset
from deliveries.models import Delivery
from imports.models import ImportRecord

MOST = 20
State = Changeset.State


def applies_under_way(record: ImportRecord) -> list[str]:
    """
    Return the changesets of the import's scope whose rows are still on their way, oldest first.

    At most 20. What such an apply changes becomes known once its deliveries arrived, so another
    import is not compared with it before.
    """
    return list(_under_way(record).values_list("public_id", flat=True)[:MOST])


def applies_of_entities(record: ImportRecord, entities: Collection[str]) -> list[str]:
    """Return those of the applies under way whose catalogs have some of these entries."""
    others = _under_way(record).select_related("record__catalog_version")
    return [
        other.public_id for other in others if not _entries_of(other.record).isdisjoint(entities)
    ][:MOST]


def full_syncs_under_way(record: ImportRecord) -> list[str]:
    """Return the full syncs of the scope that delete entities which this import may name."""
    others = list(_under_way(record).filter(mode=FULL, deletes__isnull=False))
    mine = _entries_of(record) if others else set()
    return [other.public_id for other in others if not mine.isdisjoint(other.deletes or ())][:MOST]


def _under_way(record: ImportRecord) -> QuerySet[Changeset]:
    sent = Delivery.objects.filter(
        tenant=OuterRef("tenant"),
        record_id=OuterRef("record__public_id"),
        changeset_id=OuterRef("public_id"),
    )
    unsettled = Exists(sent.filter(state__in=Delivery.UNSETTLED))
    failed = Exists(sent.filter(state__in=(Delivery.State.REJECTED, Delivery.State.EXHAUSTED)))
    # What a full sync deleted is forgotten a moment after the last host confirmed it.
    is_full = Q(mode=FULL, record__purged_at=None) & Exists(sent) & ~failed
    written = Q(state=State.APPLIED, learned_at=None) & ~Q(prepared="") & (unsettled | is_full)
    begun = Q(state=State.APPLYING, record__state=ImportRecord.State.APPLYING)
    others = Changeset.objects.filter(
        written | begun, tenant=record.tenant, record__scope=record.scope
    )
    return others.exclude(record=record).order_by("pk")


def _entries_of(record: ImportRecord) -> set[str]:
    return {entry.id for entry in record.target.entries}
