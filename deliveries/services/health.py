"""The health of receivers: how many attempts failed since the last that succeeded."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import DateTimeField, F, Value
from django.db.models.functions import Coalesce

from deliveries.models import Registration


def note_healthy(keys: Collection[int]) -> None:
    """Clear the flag of registrations whose last attempt succeeded. keys: primary keys."""
    Registration.objects.filter(pk__in=keys, consecutive_failures__gt=0).update(
        consecutive_failures=0, failing_since=None, refusing_since=None
    )


def note_refusing(keys: Collection[int], *, at: datetime) -> None:
    """Flag registrations that refused a delivery, until they accept one. keys: primary keys."""
    Registration.objects.filter(pk__in=keys, refusing_since=None).update(refusing_since=at)


def note_failing(key: int, *, failures: int, at: datetime) -> None:
    """Flag a registration whose last attempt failed. failures: how many are new."""
    Registration.objects.filter(pk=key).update(
        consecutive_failures=F("consecutive_failures") + failures,
        failing_since=Coalesce("failing_since", Value(at, DateTimeField())),
    )
