"""Cleanup tasks of the API."""

from celery import shared_task

from api.models import StoredResponse
from common import clock


@shared_task
def forget_answers() -> None:
    """Delete the answers that are older than 24 hours."""
    StoredResponse.objects.filter(expires_at__lte=clock.now()).delete()
