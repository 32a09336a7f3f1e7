"""What happens between the comparison and the commit of an apply, seen while it cannot change."""

from django.db.models import QuerySet

from changesets.comparison import compare
from changesets.features import sets_of
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
    deliveries.mark_outdated(before)
    return not admission.why_not_now(record, changeset)


def _has_changed(changeset: Changeset) -> bool:
    sets = [item.pk for seen in sets_of(changeset.record).values() for item in seen]
    list(KnownSet.objects.select_for_update().filter(pk__in=sets).order_by("pk"))
    return compare.is_outdated(changeset)


def _deletions_of(record: ImportRecord) -> QuerySet[Delivery]:
    """Return the deletions that may still be sent, of entities that this import may name."""
    unsent = Delivery.objects.filter(tenant=record.tenant, action=DELETE, is_outdated=False)
    syncs = Changeset.objects.filter(
        overlapping(record.scope),
        tenant=record.tenant,
        mode=FULL,
        public_id__in=unsent.values("changeset_id"),
    ).exclude(record=record)
    deletes = dict(syncs.values_list("public_id", "deletes"))
    mine = {entry.id for entry in record.target.entries} if deletes else set()
    same = [name for name, entries in deletes.items() if not mine.isdisjoint(entries or ())]
    return unsent.filter(changeset_id__in=same)
