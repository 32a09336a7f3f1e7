"""License keys that expire soon: each is announced 30, 7 and 1 days before."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction

from common import clock, events
from common.actors import ENGINE
from common.models import Event
from licensing.models import License

logger = logging.getLogger(__name__)

ANNOUNCED_DAYS = (1, 7, 30)
Also = Callable[[License, int, datetime], object]  # the license, the step in days, the time


def within_days(expires_at: datetime, *, at: datetime) -> int | None:
    """Return 1, 7 or 30 if a key expires within so many days; else None, also once it expired."""
    left = expires_at - at
    steps = (days for days in ANNOUNCED_DAYS if timedelta() < left <= timedelta(days=days))
    return next(steps, None)


def announce(*, at: datetime, also: Also | None = None) -> None:
    """
    Log each license that came within 30, 7 or 1 days of its end, once for each step.

    The line is in the tenant's audit log too, which tells what was announced before. A key that
    was minted for less time than a step is not announced at it.

    also: what else announces it, called in the transaction of that line. An error with one key does
    not keep the others from being announced; the first one is raised at the end.
    """
    errors: list[Exception] = []
    soon = License.objects.filter(
        revoked_at=None,
        expires_at__gt=at,
        expires_at__lte=at + timedelta(days=ANNOUNCED_DAYS[-1]),
    )
    for license in soon.select_related("tenant").iterator():
        days = within_days(license.expires_at, at=at)
        if days is None or license.expires_at - license.issued_at <= timedelta(days=days):
            continue
        try:
            _announce(license, days, at, also)
        except Exception as error:  # noqa: BLE001 - the other keys end just as soon
            logger.error(  # the text of an error may have values
                "license %s: its end is not announced: %s", license.public_id, type(error).__name__
            )
            errors.append(error)
    if errors:
        raise errors[0]


def _announce(license: License, days: int, at: datetime, also: Also | None) -> None:
    about = {"days": days, "expiresAt": clock.iso(license.expires_at)}
    tenant = license.tenant.public_id
    with transaction.atomic():
        # One worker at a time, or two would both find no line.
        valid = License.objects.select_for_update(no_key=True).filter(revoked_at=None)
        if not valid.filter(pk=license.pk).values_list("pk", flat=True):
            return
        lines = Event.objects.filter(tenant=tenant, kind="license.expires")
        if any(line.about == about for line in lines.filter(subject=license.public_id)):
            return
        events.note(
            tenant=tenant,
            kind="license.expires",
            subject=license.public_id,
            actor=ENGINE,
            at=at,
            about=about,
        )
        if also is not None:
            also(license, days, at)
    logger.warning(
        "license %s: expires within %d days expires_at=%s tenant=%s",
        license.public_id, days, about["expiresAt"], tenant,
    )  # fmt: skip
