"""What happens between the comparison and the commit of an apply, seen while it cannot change."""

from django.db.models import QuerySet

from changesets.comparison import compare
from changesets.comparison.differences import sets_of
from changesets.full_sync import admission
from changesets.models import FULL, Changeset
from changesets.plans.under_way import overlapping
from deliveries import services as deliveries
from deliveries.models import Delivery
from deliveries.services.registrations import DELETE
from imports.models import ImportRecord
from references.models import KnownSet


def is_current(changeset: Changeset) -> bool:
    """
    Return whether an apply may be committed as it was compared; call it in that transaction.

    What it depends on stays locked, and deletions before it are not sent again from then on.
    """
    record = changeset.record
    if changeset.is_full and _has_changed(changeset):
        return False
    before = _deletions_of(record)
    if not before.exists():
        return True
    deliveries.mark_outdated(before.filter(is_outdated=False))
    return not admission.why_not_now(record, changeset)


def _has_changed(changeset: Changeset) -> bool:
    sets = [item.pk for seen in sets_of(changeset.record).values() for item in seen]
    list(KnownSet.objects.select_for_update().filter(pk__in=sets).order_by("pk"))
    return compare.is_outdated(changeset)


def _deletions_of(record: ImportRecord) -> QuerySet[Delivery]:
    """Return the deletions that other imports sent, of scopes that see the same entities."""
    syncs = Changeset.objects.filter(overlapping(record.scope), tenant=record.tenant, mode=FULL)
    return Delivery.objects.filter(
        tenant=record.tenant,
        action=DELETE,
        record_id__in=syncs.values("record__public_id"),
        changeset_id__in=syncs.values("public_id"),
    )
