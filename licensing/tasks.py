"""Regular tasks of licensing."""

from celery import shared_task

from common import clock
from licensing import sessions
from licensing.tokens import expiry


@shared_task
def forget_sessions() -> None:
    """Delete the page sessions that ended a week ago."""
    sessions.forget_ended(at=clock.now())


@shared_task
def announce_expiry() -> None:
    """Announce the license keys that expire soon; safe to run twice or late."""
    expiry.announce(at=clock.now())
