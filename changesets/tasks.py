"""Changesets as a task: beat asks, the database says what is due."""

from celery import shared_task

from changesets import following, services
from imports import purging


@shared_task
def follow() -> None:
    """Go on with changesets whose hosts have answered."""
    following.follow_due()


@shared_task
def purge() -> None:
    """Remove what retention no longer allows, with unfinished applies, and files without a row."""
    purging.purge(delete=services.delete)
