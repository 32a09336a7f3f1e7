"""Remove bodies whose time is over; what was sent, when and with which answer stays."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from common import storage
from common.actors import Actor
from deliveries.models import Delivery
from deliveries.services.registrations import cancel
from licensing.models import Tenant

PURGED = "Its import was deleted."
SLICE = 500


def purge_import(*, tenant: Tenant, record_id: str, actor: Actor, at: datetime) -> None:
    """Cancel what is still unsent of an import, and remove the bytes of all its deliveries."""
    mine = Delivery.objects.filter(tenant=tenant, record_id=record_id)
    with transaction.atomic():
        waiting = list(mine.filter(state__in=Delivery.UNSETTLED).select_for_update())
        cancel(waiting, actor=actor, at=at, reason=PURGED)
    while _remove_some(mine):
        pass


def purge_settled(*, before: datetime) -> None:
    """Remove the bytes of every delivery that was settled before a moment."""
    while _remove_some(Delivery.objects.filter(settled_at__lt=before)):
        pass


def _remove_some(deliveries: "QuerySet[Delivery]") -> int:
    """Forget names first, remove files afterwards; give how many."""
    rows = list(deliveries.exclude(body_name="").values_list("pk", "body_name")[:SLICE])
    Delivery.objects.filter(pk__in=[key for key, _ in rows]).update(body_name="", host_results=None)
    for _, name in rows:
        storage.delete(name)
    return len(rows)
