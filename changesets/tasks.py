"""Tasks for changesets: beat triggers them, the database knows what is due."""

from celery import shared_task

from changesets import following, services
from imports import purging


@shared_task
def follow() -> None:
    """Follow up on changesets whose hosts answered."""
    following.follow_due()


@shared_task
def purge() -> None:
    """Delete what retention no longer allows, including unfinished applies, and unnamed files."""
    purging.purge(delete=services.delete)
