"""Queries for what a tenant may see of its registrations and deliveries."""

from datetime import datetime

from django.db.models import Q, QuerySet

from deliveries.models import Delivery, Registration
from licensing.models import Tenant


def registrations_of(tenant: Tenant) -> QuerySet[Registration]:
    """Return the registrations of a tenant that are not deleted; their secrets are not read."""
    mine = Registration.objects.filter(tenant=tenant, deleted_at=None)
    return mine.select_related("tenant").defer("secret", "previous_secret")


def registrations_for(tenant: Tenant, action: str, *, catalog_key: str) -> list[Registration]:
    """Return the registrations that take this action of imports into a catalog, oldest first."""
    mine = registrations_of(tenant).order_by("pk")
    return [registration for registration in mine if registration.takes(action, catalog_key)]


def all_deliveries_of(tenant: Tenant) -> QuerySet[Delivery]:
    """Return every delivery of a tenant; what hosts report about rows is loaded on demand."""
    mine = Delivery.objects.filter(tenant=tenant)
    unread = ("host_results", "registration__secret", "registration__previous_secret")
    return mine.select_related("registration", "tenant").defer(*unread)


def deliveries_of(tenant: Tenant, record_id: str) -> QuerySet[Delivery]:
    """Return the deliveries of one import, oldest first."""
    return all_deliveries_of(tenant).filter(record_id=record_id).order_by("pk")


def is_under_way(tenant: Tenant, record_id: str, *, until: datetime) -> bool:
    """Return whether a delivery of an import is being sent, or will be tried until a given time."""
    soon = Q(state=Delivery.State.PENDING, due_at__lte=until)
    mine = Delivery.objects.filter(tenant=tenant, record_id=record_id)
    return mine.filter(soon | Q(state=Delivery.State.SENDING)).exists()
