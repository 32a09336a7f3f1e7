"""
Page sessions: a token that a host's server gets for its page. docs/embedding.md.

Only the digest is stored. The host's server sets the session, so the page that holds the token
cannot change it.
"""

import math
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Q, QuerySet

from common import clock, events
from common.actors import ENGINE, Actor
from common.errors import Conflict, NotFound, TooManyRequests
from common.ids import PREFIXES, new_id
from common.rows import the_only
from common.secrets import new_token, token_digest
from licensing.caller import Caller, PagePolicy
from licensing.models import License, PageSession, Tenant
from licensing.refusals import LicenseRevoked, OriginNotAllowed, SessionEnded
from licensing.rights.model import INVALID_ROWS
from licensing.throttle import WINDOW_S, counter, seconds_left

PREFIX = "imp_ses_"
NAMED_FOR = timedelta(seconds=10)
NAMES_KEPT = 4096
_names: dict[str, tuple[tuple[str, str], datetime]] = {}  # by digest of a token; with expiry
LIFETIME = timedelta(hours=1)
LONGEST = timedelta(hours=24)
KEPT_FOR = timedelta(days=7)  # after its end, for the list
OPENED_A_MINUTE = 300  # with one license; an office of 200 opens a few
OPEN_AT_ONCE = 10_000


class UnknownSession(NotFound):
    """There is no such session."""

    code = "unknown_session"


class TooManySessions(TooManyRequests):
    """Too many sessions are open with this license. Retry later."""

    code = "too_many_sessions"


class WrongEnd(Conflict):
    """A session must end within the next day."""

    code = "wrong_session_end"


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """A new session, and its token, to be shown once."""

    token: str
    session: PageSession


@dataclass(frozen=True, slots=True)
class Wanted:
    """The settings a host requests for a session."""

    scope: str = ""
    own_only: bool = False  # whether it reaches no import that another page of its scope started
    corrects: str = ""  # the one import that it reaches, to correct rows with errors
    meta: dict[str, Any] | None = None
    catalog_key: str = ""
    catalog_number: int | None = None
    region: str = ""
    context: dict[str, Any] | None = None
    overlay: dict[str, Any] | None = None
    keep_unmapped: bool | None = None
    apply_mode: str = PageSession.ApplyMode.WEBHOOK
    invalid_rows: frozenset[str] = field(default_factory=lambda: frozenset(INVALID_ROWS))
    rights: frozenset[str] = frozenset()
    origin: str = ""
    actor_id: str = ""
    actor_label: str = ""
    expires_at: datetime | None = None


def open_session(*, caller: Caller, wanted: Wanted, at: datetime, token: str = "") -> OpenedSession:
    """
    Create a session under the caller's license, which it never outlives. Raise WrongEnd.

    token: one that the caller made; blank: a new one. Raise TooManySessions if a license opened
    too many: in a minute, or that have not ended.
    """
    license = License.objects.get(public_id=caller.license_id)
    ends = wanted.expires_at or at + LIFETIME
    if not at < ends <= at + LONGEST:
        raise WrongEnd(members={"latest": clock.iso(at + LONGEST)})
    _refuse_many(license, at)
    token = token or new_token(PREFIX)
    session = PageSession.objects.create(
        public_id=new_id(PREFIXES["page session"]),
        tenant=caller.tenant,
        license=license,
        token_sha256=token_digest(token),
        scope=wanted.scope,
        own_only=wanted.own_only,
        corrects=wanted.corrects,
        meta=wanted.meta,
        catalog_key=wanted.catalog_key,
        catalog_number=wanted.catalog_number,
        region=wanted.region,
        context=wanted.context,
        overlay=wanted.overlay,
        keep_unmapped=wanted.keep_unmapped,
        apply_mode=wanted.apply_mode,
        invalid_rows=sorted(wanted.invalid_rows),
        rights=sorted(wanted.rights),
        origin=wanted.origin,
        actor_id=wanted.actor_id,
        actor_label=wanted.actor_label,
        created_at=at,
        expires_at=min(ends, license.expires_at),
    )
    return OpenedSession(token=token, session=session)


def _refuse_many(license: License, at: datetime) -> None:
    minute = at.timestamp() // WINDOW_S
    if counter.count(f"sessions:{license.pk}:{minute:.0f}") > OPENED_A_MINUTE:
        raise TooManySessions(members={"retryAfter": math.ceil(seconds_left(at, WINDOW_S))})
    mine = PageSession.objects.filter(license=license, ended_at=None, expires_at__gt=at)
    if mine.count() >= OPEN_AT_ONCE:
        raise TooManySessions(members={"retryAfter": WINDOW_S})


def extend_session(*, session: PageSession, until: datetime) -> bool:
    """Let a session end later, never after its license; return False if it was ended."""
    ends = min(until, session.license.expires_at)
    mine = PageSession.objects.filter(pk=session.pk, ended_at=None)
    return mine.update(expires_at=ends) == 1


def end_session(*, session: PageSession, at: datetime, actor: Actor = ENGINE) -> bool:
    """End a session from the next call on; return False if it was ended before."""
    with transaction.atomic():
        ended = PageSession.objects.filter(pk=session.pk, ended_at=None).update(ended_at=at) == 1
        if ended:
            events.note(
                tenant=session.tenant.public_id,
                kind="session.ended",
                subject=session.public_id,
                actor=actor,
                at=at,
            )
    return ended


def accept_session(*, token: str, at: datetime, origin: str = "", import_token: str = "") -> Caller:
    """
    Authenticate a page by its session's token.

    Raise SessionEnded, LicenseRevoked if its license was revoked, or OriginNotAllowed.
    """
    mine = PageSession.objects.select_related("tenant", "license")
    session = the_only(mine.filter(token_sha256=token_digest(token)))
    if session is None or session.ended_at is not None or session.expires_at <= at:
        raise SessionEnded
    if session.license.revoked_at is not None:
        raise LicenseRevoked
    if origin and session.origin and origin.lower() != session.origin:
        raise OriginNotAllowed
    return Caller(
        tenant=session.tenant,
        license_id=session.license.public_id,
        actor=_actor(session),
        expires_at=int(session.expires_at.timestamp()),
        is_page=True,
        session=_terms(session),
        import_token=import_token,
    )


def named(token: str, *, at: datetime) -> tuple[str, str] | None:
    """
    Return the license and session ids of a valid token; for threads without a request.

    An answer is valid for some seconds: it admits a body, and the view checks again.
    """
    digest = token_digest(token)
    names = _names.get(digest)
    if names is not None and names[1] > at:
        return names[0]
    try:
        mine = PageSession.objects.filter(token_sha256=digest, ended_at=None)
        mine = mine.filter(expires_at__gt=at, license__revoked_at=None)
        name = mine.values_list("license__public_id", "public_id").first()
    finally:
        connection.close()
    if name is not None:
        if len(_names) >= NAMES_KEPT:
            _names.clear()
        _names[digest] = name, at + NAMED_FOR
    return name


def sessions_of(tenant: Tenant) -> "QuerySet[PageSession]":
    """Return a tenant's sessions."""
    return PageSession.objects.filter(tenant=tenant).select_related("tenant")


def session_of(tenant: Tenant, session_id: str) -> PageSession:
    """Return a session of a tenant. Raise UnknownSession if it has no such session."""
    row = the_only(sessions_of(tenant).filter(public_id=session_id))
    if row is None:
        raise UnknownSession
    return row


def forget_ended(*, at: datetime) -> int:
    """Delete sessions that ended a week ago, and the hosts' data in those that are over."""
    over = PageSession.objects.exclude(meta=None)
    over.filter(Q(expires_at__lte=at) | Q(ended_at__isnull=False)).update(meta=None)
    return PageSession.objects.filter(expires_at__lte=at - KEPT_FOR).delete()[0]


def _actor(session: PageSession) -> Actor:
    return Actor(kind="person", id=session.actor_id or session.public_id, label=session.actor_label)


def _terms(session: PageSession) -> PagePolicy:
    return PagePolicy(
        session_id=session.public_id,
        scope=session.scope,
        own_only=session.own_only,
        corrects=session.corrects,
        catalog_key=session.catalog_key,
        region=session.region,
        catalog_number=session.catalog_number,
        context=session.context,
        overlay=session.overlay,
        keep_unmapped=session.keep_unmapped,
        apply_mode=session.apply_mode,
        invalid_rows=frozenset(session.invalid_rows),
        rights=frozenset(session.rights),
        origin=session.origin,
        meta=session.meta,
    )
