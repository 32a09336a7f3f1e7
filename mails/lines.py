"""
Note what happened for those who want to hear of it, and gather it into mails.

A line is written in the transaction of its cause and locks nothing. A worker gathers the lines of a
reader into one mail: half a minute after the first, then at most once an hour and three times a day
for a kind.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from common.ids import PREFIXES, new_id
from licensing.models import Tenant
from mails.models import Kind, Line, Mail
from mails.readers import KINDS, address_key, is_on, people_for, wants_none

GATHERED_FOR = timedelta(seconds=30)
QUIET = timedelta(hours=1)  # between two mails of a kind to a reader about a tenant
DAY, MOST_A_DAY = timedelta(days=1), 3  # of these
SAME_AGAIN = timedelta(days=1)  # until the same of the same object is mailed again
AT_ONCE = 200  # readers whose lines are gathered in one look


def note(
    *,
    tenant: Tenant,
    event: str,
    subject: str,
    at: datetime,
    record_id: str = "",
    catalog_key: str = "",
    about: Mapping[str, Any],
) -> int:
    """
    Note an event for each person who chose its kind; return for how many.

    Call it in the transaction of its cause. about: the members of its notice; of them only codes
    are kept.
    """
    readers = [{"user_id": choice.user_id} for choice in people_for(tenant, event, about)]
    what = {"event": event, "subject": subject, "record_id": record_id, "catalog_key": catalog_key}
    return _write(readers, tenant, what, codes_of(about), at)


def note_for_sender(
    *,
    tenant: Tenant,
    address: str,
    language: str,
    event: str,
    subject: str,
    at: datetime,
    scope: str = "",
    record_id: str = "",
    catalog_key: str = "",
    page: str | None = None,
    about: Mapping[str, Any],
) -> int:
    """
    Note an event for the person who sent a file; return 1, or 0 if they hear nothing.

    The caller vouches for the address: a feed's allowed sender, never one that a file names. page:
    the path of a page where they can do something about it.
    """
    if not hears(tenant, address):
        return 0
    what = {"event": event, "subject": subject, "record_id": record_id, "catalog_key": catalog_key}
    reader = {"address": address, "language": language, "scope": scope, "page": page}
    return _write([reader], tenant, what, codes_of(about), at)


def hears(tenant: Tenant, address: str) -> bool:
    """Return whether a sender may get mails about a tenant."""
    return is_on() and not tenant.is_test and not wants_none(tenant, address_key(address))


def codes_of(about: Mapping[str, Any]) -> list[str]:
    """
    Return the codes of a notice: why an import waits, or why something failed.

    >>> codes_of({"for": "staff", "why": ["questions"]}), codes_of({"code": "pdf_broken"})
    (['questions'], ['pdf_broken'])
    """
    return list(about.get("why") or filter(None, [about.get("code")]))


def _write(
    readers: Sequence[Mapping[str, Any]],
    tenant: Tenant,
    what: Mapping[str, str],
    why: list[str],
    at: datetime,
) -> int:
    lines = [
        Line(tenant=tenant, kind=KINDS[what["event"]], why=why, at=at, **what, **reader)
        for reader in readers
        if not _is_known(reader, tenant, what, why, at)
    ]
    Line.objects.bulk_create(lines)
    return len(lines)


def _is_known(
    reader: Mapping[str, Any], tenant: Tenant, what: Mapping[str, str], why: list[str], at: datetime
) -> bool:
    """Return whether the last that a reader heard of an object is the same, and not a day ago."""
    mine = Line.objects.filter(tenant=tenant, subject=what["subject"])
    who = {"user": reader.get("user_id"), "address": reader.get("address", "")}
    last = mine.filter(**who).order_by("-pk").first()
    is_same = last is not None and (last.event, last.why) == (what["event"], why)
    return is_same and last is not None and last.at > at - SAME_AGAIN


def ripe(at: datetime) -> "QuerySet[Line]":
    """Return lines that a mail may take now."""
    mine = Mail.objects.filter(
        Q(user=OuterRef("user")) | Q(user=None, address=OuterRef("address")),
        tenant=OuterRef("tenant"),
        kind=OuterRef("kind"),
    )
    recent = mine.filter(Q(created_at__gt=at - QUIET) | Q(state=Mail.State.QUEUED))
    had_most = Subquery(mine.order_by("-created_at").values("created_at")[MOST_A_DAY - 1 :][:1])
    lines = Line.objects.filter(mail=None, at__lte=at - GATHERED_FOR).annotate(had_most=had_most)
    may_have_more = Q(had_most=None) | Q(had_most__lte=at - DAY)
    return lines.filter(~Exists(recent), may_have_more)


def gather(*, at: datetime) -> None:
    """Make a mail of the lines of each reader, tenant and kind that may have one now."""
    names = ("tenant_id", "user_id", "address", "kind")
    readers = ripe(at).order_by(*names).values(*names).distinct()[:AT_ONCE]
    for reader in list(readers):
        try:
            with transaction.atomic():
                _gather(reader, at)
        except IntegrityError:  # another worker gathered them; the constraint lets one through
            continue


def _gather(reader: Mapping[str, Any], at: datetime) -> None:
    lines = Line.objects.filter(mail=None, **reader)
    first = lines.order_by("pk").first()
    if first is None:
        return
    mail = Mail.objects.create(
        public_id=new_id(PREFIXES["mail"]),
        state=Mail.State.QUEUED,
        scope=first.scope,
        language=first.language,
        created_at=at,
        due_at=at,
        **reader,
    )
    lines.update(mail=mail)


def queue_digest_for_sender(
    *,
    tenant: Tenant,
    address: str,
    language: str,
    scope: str,
    counts: Mapping[str, int],
    at: datetime,
) -> None:
    """Queue the daily summary of a feed for a sender; that of another one takes its counts."""
    if not hears(tenant, address):
        return
    with transaction.atomic():
        mine = Mail.objects.filter(tenant=tenant, user=None, address=address, kind=Kind.DIGEST)
        waiting = mine.select_for_update().filter(state=Mail.State.QUEUED, claimed_until=None)
        mail = waiting.filter(tries=0, created_at__gt=at - QUIET).first()
        if mail is not None:
            names = {*mail.counts, *counts}
            mail.counts = {name: mail.counts.get(name, 0) + counts.get(name, 0) for name in names}
            mail.save(update_fields=["counts"])
        elif not mine.filter(state=Mail.State.QUEUED).exists():
            _queue_digest(
                at=at, tenant=tenant, address=address, language=language, scope=scope,
                counts=dict(counts),
            )  # fmt: skip


def queue_digest(*, tenant: Tenant, user_id: int, counts: Mapping[str, int], at: datetime) -> None:
    """Queue the daily summary of a tenant for a person, unless one of before still waits."""
    waiting = Mail.objects.filter(tenant=tenant, user_id=user_id, kind=Kind.DIGEST)
    if not waiting.filter(state=Mail.State.QUEUED).exists():
        _queue_digest(at=at, tenant=tenant, user_id=user_id, counts=dict(counts))


def _queue_digest(*, at: datetime, **about: Any) -> None:
    Mail.objects.create(
        public_id=new_id(PREFIXES["mail"]),
        state=Mail.State.QUEUED,
        kind=Kind.DIGEST,
        created_at=at,
        due_at=at,
        **about,
    )


def purge(*, before: datetime) -> None:
    """Delete mails that were settled, and lines that were written, before a given time."""
    Mail.objects.filter(settled_at__lt=before).delete()
    Line.objects.filter(mail=None, at__lt=before).delete()
