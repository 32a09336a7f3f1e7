"""Tasks for changesets: beat triggers them, the database knows what is due."""

from celery import shared_task

from changesets import follow_up


@shared_task
def follow() -> None:
    """Follow up on changesets whose hosts answered."""
    follow_up.follow_due()
