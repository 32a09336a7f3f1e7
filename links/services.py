"""
Create, open and revoke links; count what is imported from them. docs/how-to/send-a-link.md.

A link's token and code are shown once, and only their digests are stored. A page works with the
token of a page session, which is derived from the browser's cookie: the same browser gets the same
session again, and no other browser can.
"""

import base64
import hashlib
import hmac
import math
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.db.models import F, Q

from common import clock
from common.actors import Actor
from common.errors import Conflict, IllegalMove, StaleState, TooManyRequests
from common.ids import PREFIXES, new_id
from common.rows import the_only
from common.secrets import new_token, token_digest
from imports.models import ImportRecord
from imports.services.new_import import Started
from licensing import sessions
from licensing.caller import Caller
from licensing.models import License, PageSession
from licensing.refusals import SessionEnded
from licensing.sessions import Wanted
from licensing.throttle import WINDOW_S, counter, seconds_left
from links import transitions
from links.models import Link, LinkedImport, Visit
from links.notes import note
from links.selectors import imports_left, standing_for, visit_of
from links.standing import Standing
from links.terms import as_json, for_page

State = Link.State
LIFETIME = timedelta(days=7)
LONGEST = timedelta(days=90)
KEPT_FOR = timedelta(days=30)  # after its end, for the list
PAGE_LIFETIME = timedelta(minutes=30)  # of a page's session; the page asks for it again
CREATED_A_MINUTE = 300  # with one license
OPEN_AT_ONCE = 10_000  # of one tenant
MOST_IMPORTS = 1_000
MOST_VISITS = 1_000  # browsers that may open a dated link
TRIES_AN_IMPORT = 20  # files that may be started for each import that counts
CODE_DIGITS = 6
CODE_TRIES = 5


class TooManyLinks(TooManyRequests):
    """Too many links are open. Revoke some, or retry later."""

    code = "too_many_links"


class WrongLinkEnd(Conflict):
    """A link must expire within the next 90 days."""

    code = "wrong_link_end"


class LinkUsedUp(Conflict):
    """This link has no imports left. Ask its sender for a new one."""

    code = "link_used_up"


@dataclass(frozen=True, slots=True)
class NewLink:
    """What a host requests for a link. settings: those of its sessions."""

    settings: Wanted
    page: dict[str, Any]
    logo: str = ""
    kind: str = Link.Kind.SINGLE
    most_imports: int = 1
    has_code: bool = False
    expires_at: datetime | None = None
    corrects: ImportRecord | None = None  # the import that its page corrects instead


@dataclass(frozen=True, slots=True)
class CreatedLink:
    """A new link, with its token and its code, which are shown once."""

    link: Link
    token: str
    code: str  # blank: none


def create_link(*, caller: Caller, wanted: NewLink, at: datetime) -> CreatedLink:
    """
    Create a link under the caller's license, which it never outlives.

    Raise WrongLinkEnd, or TooManyLinks if too many were created in a minute or are open.
    """
    license = License.objects.get(public_id=caller.license_id)
    ends = wanted.expires_at or at + LIFETIME
    if not at < ends <= at + LONGEST:
        raise WrongLinkEnd(members={"latest": clock.iso(at + LONGEST)})
    _refuse_many(license, at)
    token = new_token("")
    code = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}" if wanted.has_code else ""
    code_hash = make_password(code) if code else ""  # slow, so outside of the transaction
    with transaction.atomic():
        link = Link.objects.create(
            public_id=new_id(PREFIXES["link"]),
            state=State.OPEN,
            tenant=caller.tenant,
            license=license,
            token_sha256=token_digest(token),
            kind=wanted.kind,
            scope=wanted.settings.scope,
            catalog_key=wanted.settings.catalog_key,
            corrects=wanted.corrects,
            terms=as_json(wanted.settings),
            page=wanted.page,
            logo=wanted.logo,
            most_imports=wanted.most_imports,
            code_hash=code_hash,
            created_at=at,
            expires_at=min(ends, license.expires_at),
        )
        note(link, "link.created", actor=caller.actor, at=at, catalogKey=link.catalog_key)
    return CreatedLink(link, token, code)


def _refuse_many(license: License, at: datetime) -> None:
    minute = at.timestamp() // WINDOW_S
    if counter.count(f"links:{license.pk}:{minute:.0f}") > CREATED_A_MINUTE:
        raise TooManyLinks(members={"retryAfter": math.ceil(seconds_left(at, WINDOW_S))})
    mine = Link.objects.filter(tenant=license.tenant_id, state=State.OPEN, expires_at__gt=at)
    if mine.count() >= OPEN_AT_ONCE:
        raise TooManyLinks(members={"retryAfter": WINDOW_S})


def open_link(*, link: Link, browser: str, code: str, at: datetime) -> Standing:
    """
    Let a browser open a link, and return what the link is to it then.

    browser: its cookie. code: as the person typed it. ``START`` is the answer to a wrong code.
    """
    before = standing_for(link, visit_of(link, browser), at=at)
    if before is not Standing.START:
        return before
    if link.code_hash and not _is_right(link, code, at):
        link.refresh_from_db()
        return standing_for(link, None, at=at)
    with transaction.atomic():
        # The lock, which is held to the end: of two browsers at once, the first one opens it.
        link = Link.objects.select_for_update().get(pk=link.pk)
        now = standing_for(link, visit_of(link, browser), at=at)
        if now is not Standing.START:
            return now
        if link.visits.count() >= MOST_VISITS:
            return Standing.USED
        visit = Visit(link=link, browser_sha256=token_digest(browser), opened_at=at)
        visit.save()
        actor = _visitor(link)
        note(link, "link.opened", actor=actor, at=at)
        if link.kind == Link.Kind.SINGLE:
            transitions.use_up(link, "a browser opened it", actor=actor, at=at)
    return Standing.GO_ON


def _is_right(link: Link, code: str, at: datetime) -> bool:
    """Return whether a code is right. It is counted first, so that no two calls share a try."""
    mine = Link.objects.filter(pk=link.pk)
    if not mine.filter(code_tries__lt=CODE_TRIES).update(code_tries=F("code_tries") + 1):
        return False
    if check_password("".join(code.split()), link.code_hash):
        return True
    with transaction.atomic():
        spent = mine.filter(code_tries__gte=CODE_TRIES, locked_at=None, state=State.OPEN)
        if spent.update(locked_at=at):
            note(link, "link.locked", actor=_visitor(link), at=at)
    return False


def tries_left(link: Link) -> int:
    """Return how many codes may still be typed."""
    return max(0, CODE_TRIES - link.code_tries)


def open_page_session(*, link: Link, browser: str, origin: str, at: datetime) -> str:
    """
    Return the token of a browser's page session, which it lets go on for half an hour.

    Raise SessionEnded for a browser that did not open the link, and once the link or the session
    is over; TooManySessions as for every session.
    """
    until = min(at + PAGE_LIFETIME, link.expires_at)
    with transaction.atomic():
        link = Link.objects.select_for_update().get(pk=link.pk)
        visit = visit_of(link, browser)
        if visit is None or standing_for(link, visit, at=at) in {
            Standing.EXPIRED,
            Standing.REVOKED,
            Standing.CLOSED,
        }:
            raise SessionEnded
        token = _page_token(browser, visit)
        session = the_only(PageSession.objects.filter(public_id=visit.session_id or ""))
        if session is None:
            corrects = link.corrects.public_id if link.corrects else ""
            wanted = for_page(link.terms, origin=origin, expires_at=until, corrects=corrects)
            caller = Caller(link.tenant, link.license.public_id, _visitor(link))
            opened = sessions.open_session(caller=caller, wanted=wanted, at=at, token=token)
            Visit.objects.filter(pk=visit.pk).update(session_id=opened.session.public_id)
        elif not sessions.extend_session(session=session, until=until):
            raise SessionEnded
    return token


def _page_token(browser: str, visit: Visit) -> str:
    """Return the token of a browser's session; it cannot be derived from what is stored."""
    about = f"page session of a link\0{visit.pk}".encode()
    digest = hmac.new(browser.encode(), about, hashlib.sha256).digest()
    return sessions.PREFIX + base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def start_import(*, caller: Caller, start: Callable[[], Started], at: datetime) -> Started:
    """
    Start an import, and count it for the link that the caller's session came from, if any.

    Raise LinkUsedUp if the link has no imports left.
    """
    visit = caller.session and the_only(Visit.objects.filter(session_id=caller.session.session_id))
    if not visit:
        return start()
    with transaction.atomic():
        link = Link.objects.select_for_update().get(pk=visit.link_id)
        left = imports_left(link)
        if not left or link.linked_imports.count() >= TRIES_AN_IMPORT * link.most_imports:
            raise LinkUsedUp
        started = start()
        LinkedImport.objects.create(link=link, visit=visit, record=started.record)
        record = started.record.public_id
        note(link, "link.import-started", actor=caller.actor, at=at, record=record)
        if left == 1 and link.state == State.OPEN:
            transitions.use_up(link, "its imports are started", actor=caller.actor, at=at)
    return started


def revoke_link(*, link: Link, actor: Actor, at: datetime) -> bool:
    """Withdraw a link, and end the sessions of its pages; return False if it was over before."""
    with transaction.atomic():
        link = Link.objects.select_for_update().get(pk=link.pk)
        try:
            transitions.revoke(link, actor=actor, at=at)
        except IllegalMove:
            return False
        names = link.visits.exclude(session_id=None).values("session_id")
        for session in PageSession.objects.filter(public_id__in=names).select_related("tenant"):
            sessions.end_session(session=session, actor=actor, at=at)
    return True


def expire_due(*, at: datetime) -> int:
    """Note each link whose time is over; return how many there are."""
    due = Link.objects.filter(state__in=(State.OPEN, State.USED), expires_at__lte=at)
    links = due.select_related("tenant").order_by("pk")
    count = 0
    for link in links.iterator():
        with suppress(StaleState, IllegalMove):  # it was revoked meanwhile
            transitions.expire(link, at=at)
            count += 1
    return count


def forget_ended(*, at: datetime) -> int:
    """Delete the links that ended a month ago; what happened to them stays in the audit log."""
    before = at - KEPT_FOR
    over = Link.objects.filter(Q(ended_at__lte=before) | Q(expires_at__lte=before))
    return over.delete()[0]


def _visitor(link: Link) -> Actor:
    """Return the person who opened a link, as far as the host named one."""
    terms = link.terms
    return Actor("person", terms["actor_id"] or link.public_id, terms["actor_label"])
