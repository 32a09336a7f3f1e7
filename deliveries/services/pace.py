"""Limits per minute for a tenant's new webhooks and test deliveries."""

import math
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet

from common.errors import TooManyRequests
from deliveries.models import Delivery, Registration
from licensing.models import Tenant

WINDOW = timedelta(minutes=1)


class TooManyTests(TooManyRequests):
    """Too many test deliveries; wait and retry."""

    code = "too_many_tests"


class RegisteredTooOften(TooManyRequests):
    """Too many webhooks were registered; wait and retry."""

    code = "registered_too_often"


def refuse_tests_beyond(tenant: Tenant, *, at: datetime) -> None:
    """Raise if a tenant sent its maximum of test deliveries within the minute."""
    tests = Delivery.objects.filter(tenant=tenant, is_test=True)
    if wait_s := _seconds_to_wait(tests, at):
        raise TooManyTests(
            "too_many_tests.pace",
            most=settings.WEBHOOK_CALLS_PER_MINUTE,
            members={"retryAfter": wait_s},
        )


def refuse_registrations_beyond(tenant: Tenant, *, at: datetime) -> None:
    """Raise if a tenant reached its maximum of registrations, including deleted ones."""
    if wait_s := _seconds_to_wait(Registration.objects.filter(tenant=tenant), at):
        raise RegisteredTooOften(
            "registered_too_often.pace",
            most=settings.WEBHOOK_CALLS_PER_MINUTE,
            members={"retryAfter": wait_s},
        )


def _seconds_to_wait(made: "QuerySet[Delivery] | QuerySet[Registration]", at: datetime) -> int:
    """Return 0 if another fits into the minute, else the seconds until the oldest leaves it."""
    most = settings.WEBHOOK_CALLS_PER_MINUTE
    within = made.filter(created_at__gt=at - WINDOW, created_at__lte=at)
    moments = within.order_by("-created_at").values_list("created_at", flat=True)
    oldest = list(moments[most - 1 : most])
    return math.ceil((oldest[0] + WINDOW - at).total_seconds()) if oldest else 0
