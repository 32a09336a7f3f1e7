"""Cleanup tasks of links."""

from celery import shared_task

from common import clock
from links import services


@shared_task
def forget_links() -> None:
    """Note the links that expired, and delete those that ended a month ago."""
    services.expire_due(at=clock.now())
    services.forget_ended(at=clock.now())
