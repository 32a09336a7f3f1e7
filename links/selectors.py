"""Queries for links."""

from dataclasses import replace
from datetime import datetime

from django.db.models import Count, Q, QuerySet

from common.errors import NotFound
from common.models import Event
from common.rows import the_only
from common.secrets import token_digest
from imports.models import ImportRecord
from licensing.models import Tenant
from links.models import Link, LinkedImport, Visit
from links.standing import Seen, Standing, standing

State = ImportRecord.State
GIVEN_UP = (State.CANCELLED, State.FAILED)  # they do not count: a wrong file may be replaced
OVER = (*GIVEN_UP, State.APPLIED, State.REVERTING, State.REVERTED, State.CHECKED)
MOST_EVENTS = 100
CORRECTABLE = (State.READING, State.TRANSFORMING, State.MAPPING, State.REVIEW)


class UnknownLink(NotFound):
    """There is no such link."""

    code = "unknown_link"


def links_of(tenant: Tenant) -> "QuerySet[Link]":
    """Return a tenant's links, with the number of imports that count for each."""
    counts = Count(
        "linked_imports", filter=~Q(linked_imports__record__state__in=GIVEN_UP), distinct=True
    )
    mine = Link.objects.filter(tenant=tenant).select_related("tenant", "corrects")
    return mine.defer("logo").annotate(imports_made=counts)


def link_of(tenant: Tenant, link_id: str) -> Link:
    """Return a link of a tenant. Raise UnknownLink if it has no such link."""
    link = the_only(links_of(tenant).filter(public_id=link_id))
    if link is None:
        raise UnknownLink
    return link


def link_at(token: str) -> Link | None:
    """Return the link with an address, or None; the time does not depend on the token."""
    mine = Link.objects.select_related("tenant", "license", "corrects")
    return the_only(mine.filter(token_sha256=token_digest(token)))


def visit_of(link: Link, browser: str) -> Visit | None:
    """Return what is known of a browser that opened a link; browser: its cookie."""
    return the_only(link.visits.filter(browser_sha256=token_digest(browser)))


def imports_of(link: Link) -> "QuerySet[ImportRecord]":
    """Return the imports that were started from a link, newest first."""
    linked = LinkedImport.objects.filter(link=link).values("record")
    return ImportRecord.objects.filter(pk__in=linked).order_by("-public_id")


def events_of(link: Link) -> "QuerySet[Event]":
    """Return what happened to a link, newest first."""
    mine = Event.objects.filter(tenant=link.tenant.public_id, subject=link.public_id)
    return mine.order_by("-public_id")[:MOST_EVENTS]


def imports_left(link: Link) -> int:
    """Return how many imports may still be started from a link."""
    return max(0, link.most_imports - imports_of(link).exclude(state__in=GIVEN_UP).count())


def unfinished(visit: Visit) -> ImportRecord | None:
    """Return the latest import of a browser that its session reaches and that is not over."""
    mine = _started_by(visit).filter(session_id=visit.session_id or "-", purged_at=None)
    return mine.exclude(state__in=OVER).order_by("-public_id").first()


def standing_for(link: Link, visit: Visit | None, *, at: datetime) -> Standing:
    """Return what a link is to a browser."""
    license = link.license
    seen = Seen(
        left=imports_left(link),
        license_is_valid=license.revoked_at is None and license.expires_at > at,
        is_awaited=link.corrects is None or is_correctable(link.corrects),
    )
    if visit is not None:
        has_sent = _started_by(visit).exclude(state__in=GIVEN_UP).exists()
        is_busy = has_sent and unfinished(visit) is not None
        seen = replace(seen, is_known=True, has_sent=has_sent, is_busy=is_busy)
    return standing(link, seen, at=at)


def is_correctable(record: ImportRecord) -> bool:
    """Return whether the rows of an import can be corrected, now or after its present job."""
    return record.purged_at is None and record.state in CORRECTABLE


def _started_by(visit: Visit) -> "QuerySet[ImportRecord]":
    linked = LinkedImport.objects.filter(visit=visit).values("record")
    return ImportRecord.objects.filter(pk__in=linked)
