"""What the HTTP surface tidies up."""

from celery import shared_task

from api.models import KeptAnswer
from common import clock


@shared_task
def forget_answers() -> None:
    """Remove the answers whose 24 hours are over."""
    KeptAnswer.objects.filter(expires_at__lte=clock.now()).delete()
