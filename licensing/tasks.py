"""Regular tasks of licensing."""

from celery import shared_task

from common import clock
from licensing import sessions


@shared_task
def forget_sessions() -> None:
    """Delete the page sessions that ended a week ago."""
    sessions.forget_ended(at=clock.now())
