"""Which other applies of a scope are not delivered yet."""

from django.db.models import Exists, OuterRef, Q

from changesets.models import Changeset
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
    unsettled = Delivery.objects.filter(
        tenant=OuterRef("tenant"),
        record_id=OuterRef("record__public_id"),
        changeset_id=OuterRef("public_id"),
        state__in=Delivery.UNSETTLED,
    )
    written = Q(state=State.APPLIED, learned_at=None) & ~Q(prepared="") & Exists(unsettled)
    begun = Q(state=State.APPLYING, record__state=ImportRecord.State.APPLYING)
    others = Changeset.objects.filter(
        written | begun, tenant=record.tenant, record__scope=record.scope
    ).exclude(record=record)
    return list(others.order_by("pk").values_list("public_id", flat=True)[:MOST])
