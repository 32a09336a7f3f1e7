"""The tasks that keep the counts current."""

from celery import shared_task

from analytics import days, history_counts
from common import clock


@shared_task
def fold() -> None:
    """Add what happened since the last run to the counts; safe to run twice or late."""
    history_counts.fold()


@shared_task
def measure_storage() -> None:
    """Measure what is stored for each tenant; safe to run twice or late."""
    days.measure_storage(clock.now())
