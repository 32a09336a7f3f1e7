"""The task that keeps the counts current."""

from celery import shared_task

from analytics import history_counts


@shared_task
def fold() -> None:
    """Add what happened since the last run to the counts; safe to run twice or late."""
    history_counts.fold()
