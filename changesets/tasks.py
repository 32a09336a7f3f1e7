"""Changesets as a task: beat asks, the database says what is due."""

from celery import shared_task

from changesets import following


@shared_task
def follow() -> None:
    """Go on with changesets whose hosts have answered."""
    following.follow_due()
