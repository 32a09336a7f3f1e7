"""Delete expired bodies; what was sent, when, and with which answer is kept."""

from datetime import datetime

from django.db import transaction

from common.actors import Actor
from deliveries import bodies, transitions
from deliveries.models import Delivery
from licensing.models import Tenant

PURGED = "Its import was deleted."


def purge_import(*, tenant: Tenant, record_id: str, actor: Actor, at: datetime) -> None:
    """Cancel the unsent deliveries of an import, and delete the bytes of all its deliveries."""
    mine = Delivery.objects.filter(tenant=tenant, record_id=record_id)
    with transaction.atomic():
        waiting = list(mine.filter(state__in=Delivery.UNSETTLED).select_for_update())
        transitions.cancel(waiting, actor=actor, at=at, reason=PURGED)
    while bodies.forget_some(mine):
        pass


def purge_finished(*, before: datetime) -> None:
    """Delete the bytes of every delivery that was finished before a given time."""
    while bodies.forget_some(Delivery.objects.filter(settled_at__lt=before)):
        pass
