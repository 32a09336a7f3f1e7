"""What a person chooses: which mails, in which language, and when the daily summary comes."""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db import transaction

from licensing.models import Tenant
from mails.models import Kind, Preference
from tabular.model.sentences import LANGUAGES

DIGEST_HOUR = 7  # on the clock of the person
AT_ONCE = 100  # summaries made in one look


def language_names() -> list[tuple[str, str]]:
    """Return the languages of mails, each with its own name."""
    from babel import Locale  # no web process loads it when it starts

    return [(code, str(Locale(code).get_display_name()).capitalize()) for code in LANGUAGES]


def choose(
    *, user: User, kinds: Collection[str], language: str, time_zone: str, at: datetime
) -> Preference:
    """Store what a person chose."""
    chosen = [kind.value for kind in Kind if kind in kinds]
    due_at = next_digest(at, time_zone) if Kind.DIGEST in chosen else None
    choice, _ = Preference.objects.update_or_create(
        user=user,
        defaults={
            "kinds": chosen,
            "language": language,
            "time_zone": time_zone,
            "digest_due_at": due_at,
        },
    )
    return choice


def stop(*, user_id: int, kind: str) -> None:
    """Take one kind from a person's choice."""
    with transaction.atomic():
        choice = Preference.objects.select_for_update().filter(user_id=user_id).first()
        if choice is not None and kind in choice.kinds:
            choice.kinds = [other for other in choice.kinds if other != kind]
            choice.digest_due_at = None if kind == Kind.DIGEST else choice.digest_due_at
            choice.save(update_fields=["kinds", "digest_due_at"])


def next_digest(after: datetime, time_zone: str) -> datetime:
    """
    Return when the next summary is due: at seven on the person's clock, also when clocks change.

    >>> from datetime import UTC
    >>> next_digest(datetime(2026, 3, 28, 12, tzinfo=UTC), "Europe/Berlin").isoformat()
    '2026-03-29T05:00:00+00:00'
    """
    zone = ZoneInfo(time_zone)
    here = after.astimezone(zone)
    day = here.replace(hour=DIGEST_HOUR, minute=0, second=0, microsecond=0, fold=0)
    if day <= here:
        day += timedelta(days=1)  # wall time: the offset is that of the day it leads to
    return day.astimezone(ZoneInfo("UTC"))


def claim_digests(*, at: datetime) -> Iterator[tuple[Preference, list[Tenant]]]:
    """
    Yield each person whose summary is due, with their tenants, in a transaction of each.

    The next one is due a day later; days on which the engine was off are not made up for.
    """
    due = Preference.objects.filter(digest_due_at__lte=at).order_by("digest_due_at")
    for key in list(due.values_list("pk", flat=True)[:AT_ONCE]):
        with transaction.atomic():
            locked = Preference.objects.select_for_update().filter(pk=key, digest_due_at__lte=at)
            choice = locked.select_related("user").first()
            if choice is None:
                continue  # another worker makes it
            choice.digest_due_at = next_digest(at, choice.time_zone)
            choice.save(update_fields=["digest_due_at"])
            tenants = Tenant.objects.filter(memberships__user=choice.user).order_by("pk")
            yield choice, list(tenants)
