"""Regular tasks of licensing."""

from celery import current_app, shared_task

from common import clock
from licensing import sessions


@shared_task
def forget_sessions() -> None:
    """Delete the page sessions that ended a week ago."""
    sessions.forget_ended(at=clock.now())


@shared_task
def announce_expiry() -> None:
    """Pass on what a beat of the release before sends; it moved to deliveries."""
    current_app.send_task("deliveries.tasks.announce_expiry")
