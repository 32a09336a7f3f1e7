"""Create, change, delete, pause, resume and run feeds."""

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from catalogs import selectors as catalogs
from common.actors import Actor
from common.errors import InvalidRequest
from common.http.pointers import escaped
from common.ids import PREFIXES, new_id
from common.models import Event, Move
from common.wording.messages import Message
from common.work.wakeups import wake_on_commit
from feeds import transitions
from feeds.applying.senders import forget_sender
from feeds.applying.summaries import due_after
from feeds.connection import Problem, check, connected, kept, problem_of, secret_of
from feeds.errors import FeedPaused, TooManyFeeds
from feeds.events import note
from feeds.models import Feed
from feeds.schedule import WrongSchedule, is_time_zone, next_run
from feeds.sources.protocol import SourceError
from imports.customization import check_profile
from licensing.caller import Caller
from licensing.models import Tenant

State, Why = Feed.State, Feed.Why
MOST_FEEDS = 1_000  # of one tenant
RUN = "feeds.tasks.run_due"  # by name, because the task imports much of this package
SECRETS = ("password", "privateKey", "passphrase", "accessKey", "secretKey", "token", "value")
PLACE = ("host", "port", "url", "endpoint", "bucket", "user", "username")  # of a secret


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFeed:
    """What a host requests for a feed."""

    name: str
    kind: str
    catalog_key: str
    settings: dict[str, Any]
    schedule: str
    time_zone: str = "UTC"
    secret: dict[str, Any] = field(default_factory=dict)
    scope: str = ""
    meta: dict[str, Any] | None = None
    rules: dict[str, Any] = field(default_factory=dict)
    after_taking: dict[str, Any] = field(default_factory=dict)
    profile_id: str = ""
    sender: dict[str, Any] | None = None


def create_feed(*, caller: Caller, wanted: NewFeed, at: datetime) -> Feed:
    """
    Create a feed, which runs at its next scheduled time.

    Raise UnknownCatalog, UnknownProfile, InvalidRequest for a schedule, a time zone or a sender, or
    TooManyFeeds.
    """
    catalogs.published_version(caller.tenant, wanted.catalog_key)
    _check_profile(caller.tenant, wanted.profile_id, wanted.catalog_key, wanted.scope)
    _check_place(wanted.kind, wanted.settings, wanted.secret)
    _check_sender(wanted.kind, wanted.settings, wanted.sender)
    due_at = _first_run(wanted.schedule, wanted.time_zone, at)
    with transaction.atomic():
        Tenant.objects.select_for_update().get(pk=caller.tenant.pk)
        if Feed.objects.filter(tenant=caller.tenant).count() >= MOST_FEEDS:
            raise TooManyFeeds
        feed = Feed(
            public_id=new_id(PREFIXES["feed"]),
            state=State.ACTIVE,
            tenant=caller.tenant,
            name=wanted.name,
            kind=wanted.kind,
            catalog_key=wanted.catalog_key,
            scope=wanted.scope,
            meta=wanted.meta,
            settings=wanted.settings,
            secret=json.dumps(wanted.secret) if wanted.secret else "",
            schedule=wanted.schedule,
            time_zone=wanted.time_zone,
            rules=wanted.rules,
            after_taking=wanted.after_taking,
            profile_id=wanted.profile_id,
            sender=wanted.sender,
            due_at=due_at,
            created_at=at,
            created_by=caller.actor.as_dict(),
        )
        feed.summary_due_at = due_after(feed, at)
        feed.save()
        note(feed, "feed.created", actor=caller.actor, at=at, source=feed.kind)
    return feed


def change_feed(*, feed: Feed, changes: dict[str, Any], actor: Actor, at: datetime) -> Feed:
    """
    Change some columns of a feed; a run that is under way ends without a result.

    A secret is never sent to another place than it was given for: with another host it must be sent
    again, and the pinned host key is forgotten. Raise what ``create_feed`` raises.
    """
    if "catalog_key" in changes:
        catalogs.published_version(feed.tenant, changes["catalog_key"])
    _check_changes(feed, changes)
    columns = dict(changes)
    if "settings" in changes and _is_elsewhere(feed.settings, changes["settings"]):
        if feed.secret and "secret" not in changes:
            wrong = Message("invalid_request.secret_again")
            raise InvalidRequest(wrong, errors=[{"pointer": "/secret", "detail": wrong}])
        columns["host_key"] = ""
    if {"settings", "secret"} & changes.keys():
        secret = changes["secret"] if "secret" in changes else secret_of(feed)
        _check_place(feed.kind, changes.get("settings", feed.settings), secret)
    if "secret" in changes:
        columns["secret"] = json.dumps(changes["secret"]) if changes["secret"] else ""
    with transaction.atomic():
        feed = Feed.objects.select_for_update().select_related("tenant").get(pk=feed.pk)
        schedule = changes.get("schedule", feed.schedule)
        due_at = _first_run(schedule, changes.get("time_zone", feed.time_zone), at)
        if feed.state == State.ACTIVE:
            columns |= {"due_at": due_at, "due_why": Why.SCHEDULE}
        columns |= {"claimed_until": None, "claim_no": feed.claim_no + 1}
        columns |= {"failures": 0, "failing_since": None, "position": ""}
        is_other_sender = changes.get("sender", feed.sender) != feed.sender
        for name, value in columns.items():
            setattr(feed, name, value)
        if {"sender", "time_zone"} & changes.keys():
            feed.summary_due_at = due_after(feed, at)
        feed.save(update_fields=[*columns, "summary_due_at"])
        if is_other_sender:
            forget_sender(feed, actor=actor, at=at)
        note(feed, "feed.changed", actor=actor, at=at, members=sorted(changes))
    return feed


def delete_feed(*, feed: Feed, actor: Actor, at: datetime) -> None:
    """Delete a feed with its runs; its imports stay. A later feed takes the same files again."""
    with transaction.atomic():
        note(feed, "feed.deleted", actor=actor, at=at)
        forget_sender(feed, actor=actor, at=at)
        feed.delete()


def pause_feed(*, feed: Feed, actor: Actor, at: datetime) -> Feed:
    """Let a feed rest. Raise IllegalMove if it is paused."""
    transitions.pause(feed, actor=actor, at=at)
    return feed


def resume_feed(*, feed: Feed, actor: Actor, at: datetime) -> Feed:
    """Let a feed run from its next scheduled time on. Raise IllegalMove if it is active."""
    due_at = next_run(feed.schedule, feed.time_zone, at)
    transitions.resume(feed, due_at=due_at, actor=actor, at=at)
    return feed


def run_now(*, feed: Feed, at: datetime) -> Feed:
    """Make a feed due now; one that runs already just goes on. Raise FeedPaused."""
    with transaction.atomic():
        active = Feed.objects.filter(pk=feed.pk, state=State.ACTIVE)
        if not active.exists():
            raise FeedPaused
        active.exclude(claimed_until__gt=at).update(due_at=at, due_why=Why.REQUEST)
        wake_on_commit(RUN)
    feed.refresh_from_db()
    return feed


def test_feed(*, feed: Feed) -> tuple[list[Problem], str]:
    """
    Connect to the place of a feed; return what is wrong, and the host key that it showed.

    Nothing is taken. A host key that is seen for the first time is pinned.
    """
    try:
        with connected(feed) as place:
            problems = [kept(finding) for finding in place.test()]
            shown = place.fingerprint
    except SourceError as error:
        return [problem_of(error)], ""
    if shown and not feed.host_key:
        Feed.objects.filter(pk=feed.pk, host_key="").update(host_key=shown)
    return problems, shown


def forget_traces(feeds: list[str]) -> None:
    """Delete the history and the audit lines of feeds, for an erasure."""
    Move.objects.filter(subject__in=feeds).delete()
    Event.objects.filter(subject__in=feeds).delete()


def _first_run(schedule: str, time_zone: str, at: datetime) -> datetime:
    """Return the first run. Raise InvalidRequest for a schedule or a time zone that is none."""
    if not is_time_zone(time_zone):
        wrong = Message("invalid_request.time_zone")
        raise InvalidRequest(wrong, errors=[{"pointer": "/timeZone", "detail": wrong}])
    try:
        return next_run(schedule, time_zone, at)
    except WrongSchedule as error:
        wrong = Message("invalid_request.schedule")
        raise InvalidRequest(wrong, errors=[{"pointer": "/schedule", "detail": wrong}]) from error


def _check_changes(feed: Feed, changes: dict[str, Any]) -> None:
    """Check what depends on more than one member, with what the feed keeps of them."""
    names = ("profile_id", "catalog_key", "scope", "settings", "sender")
    profile_id, key, scope, settings, sender = (
        changes.get(name, getattr(feed, name)) for name in names
    )
    if {"profile_id", "catalog_key", "scope"} & changes.keys():
        _check_profile(feed.tenant, profile_id, key, scope)
    if {"sender", "settings"} & changes.keys():
        _check_sender(feed.kind, settings, sender)


def _check_profile(tenant: Tenant, profile_id: str, catalog_key: str, scope: str) -> None:
    if profile_id:
        check_profile(profile_id, tenant, catalog_key, scope)


def _check_sender(kind: str, settings: dict[str, Any], sender: dict[str, Any] | None) -> None:
    """Raise InvalidRequest without an address, unless a mailbox proves who sent each mail."""
    proves = kind == Feed.Kind.IMAP and not settings.get("unprovenSenders")
    if sender is not None and not sender["address"] and not proves:
        wrong = Message("invalid_request.feed_sender")
        raise InvalidRequest(wrong, errors=[{"pointer": "/sender/address", "detail": wrong}])


def _check_place(kind: str, settings: dict[str, Any], secret: dict[str, Any]) -> None:
    """Raise InvalidRequest for settings or a secret that no source of the kind accepts."""
    try:
        check(kind, settings, secret)
    except SourceError as error:
        name = str(error.params.get("setting", ""))
        place = "secret" if name in secret or name in SECRETS else "settings"
        wrong = Message("invalid_request.feed_setting", setting=name)
        at = f"/{place}/{escaped(name)}"
        raise InvalidRequest(wrong, errors=[{"pointer": at, "detail": wrong}]) from error


def _is_elsewhere(former: dict[str, Any], now: dict[str, Any]) -> bool:
    return any(former.get(name) != now.get(name) for name in PLACE)
