"""Wake-ups: the broker carries a hint that work is due; losing one only delays the work."""

import logging

from celery import signature
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


def wake_on_commit(task: str, *args: str) -> None:
    """Send the task once the transaction is committed; failing then never fails the caller."""

    def wake_then() -> None:
        wake(task, *args)

    transaction.on_commit(wake_then, robust=True)


def wake(task: str, *args: str) -> None:
    """Send a task now, without retry; an unreachable broker never fails the caller."""
    try:
        signature(task).apply_async(args=args, retry=False)
    except (OperationalError, OSError) as error:
        logger.warning("wake-up not sent (%s); the sweep will find the work", type(error).__name__)
