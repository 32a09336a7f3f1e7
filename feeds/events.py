"""The audit log of feeds, and the one place where a failing feed is announced."""

from datetime import datetime
from typing import Any

from common import events
from common.actors import Actor
from deliveries import services as deliveries
from feeds.models import Feed, FeedRun


def note(feed: Feed, kind: events.Kind, *, actor: Actor, at: datetime, **about: Any) -> None:
    """Record an event of a feed, in the transaction in which it happens."""
    events.note(
        tenant=feed.tenant.public_id,
        kind=kind,
        subject=feed.public_id,
        actor=actor,
        at=at,
        about=about,
    )


def announce_failed(feed: Feed, run: FeedRun, *, at: datetime) -> None:
    """
    Announce that a feed began to fail, in the transaction that records it.

    Called once for each time its health turns, so a place that is down for a week says so once.
    """
    code = (run.problem or {}).get("code", "")
    note(feed, "feed.failed", actor=actor_of(feed), at=at, run=run.public_id, code=code)
    deliveries.announce_failed_feed(
        tenant=feed.tenant,
        feed_id=feed.public_id,
        catalog_key=feed.catalog_key,
        code=code,
        at=at,
    )


def actor_of(feed: Feed) -> Actor:
    """Return the actor of what a feed does by itself."""
    return Actor("system", feed.public_id, feed.name)
