"""
Every move of a feed from one state to another. No other module moves a feed. See docs/states.md.
"""

from datetime import datetime

from django.db import transaction

from common.actors import Actor
from feeds.events import note
from feeds.models import Feed

State = Feed.State


def pause(feed: Feed, *, actor: Actor, at: datetime) -> None:
    """Let a feed rest; a worker that runs it loses it."""
    with transaction.atomic():
        feed.move_to(State.PAUSED, at=at, actor=actor)
        note(feed, "feed.paused", actor=actor, at=at)


def resume(feed: Feed, *, due_at: datetime, actor: Actor, at: datetime) -> None:
    """Let a feed run again, from its next scheduled time on; what it missed is not made up."""
    with transaction.atomic():
        feed.move_to(State.ACTIVE, at=at, actor=actor)
        feed.write(due_at=due_at, due_why=Feed.Why.SCHEDULE)
        note(feed, "feed.resumed", actor=actor, at=at)
