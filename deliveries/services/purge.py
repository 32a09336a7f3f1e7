"""Delete expired bodies; what was sent, when, and with which answer is kept."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from common.actors import Actor
from deliveries import bodies, transitions
from deliveries.models import Delivery, Registration
from deliveries.services.registrations import delete_registration
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


def purge_tests(*, before: datetime, at: datetime) -> None:
    """Delete the same of test keys, and the receivers that they have not used since then."""
    finished = Delivery.objects.filter(tenant__test_of__isnull=False, settled_at__lt=before)
    while bodies.forget_some(finished):
        pass
    used = Delivery.objects.filter(registration=OuterRef("pk"))
    used = used.filter(Q(created_at__gte=before) | Q(state__in=Delivery.UNSETTLED))
    receivers = Registration.objects.filter(
        ~Exists(used), tenant__test_of__isnull=False, created_at__lt=before, deleted_at=None
    )
    for registration in receivers.select_related("tenant").defer("secret", "previous_secret"):
        delete_registration(registration=registration, at=at)
