"""The usual design to compare with: one Celery task per delivery, each a POST and three queries."""

import os

import django
import requests
from celery import Celery, shared_task

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "importengine.settings")
app = Celery("usual")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_default_queue = "usual"
app.conf.task_routes = {}
app.conf.worker_prefetch_multiplier = 16  # the usual setting for tasks this short
django.setup()

from celery import signals  # noqa: E402 - after setup
from django.db import connections, transaction  # noqa: E402 - after setup

from common import clock  # noqa: E402 - after setup
from deliveries import bodies  # noqa: E402 - after setup
from deliveries.http.signing import signature_header  # noqa: E402 - after setup
from deliveries.models import Attempt, Delivery  # noqa: E402 - after setup
from importengine.processes import heartbeats, required, task_logs  # noqa: E402 - after setup

# The settings load the engine's app, whose signals would refuse this queue and add to each task.
signals.celeryd_init.disconnect(required.refuse_unknown_queues)
signals.worker_ready.disconnect(heartbeats.begin_worker)
signals.task_prerun.disconnect(task_logs.begin)
signals.task_postrun.disconnect(task_logs.end)

connections.settings["default"]["CONN_MAX_AGE"] = 600  # usual where tasks are this short
session = requests.Session()


@shared_task(name="usual.deliver")
def deliver(key: int) -> None:
    """Send one delivery and record the answer."""
    delivery = Delivery.objects.select_related("registration").get(pk=key)
    body = bodies.content(delivery)
    started_at = clock.now()
    t = int(started_at.timestamp())
    headers = {
        "content-type": "application/json",
        "x-import-event": "import.apply",
        "x-import-delivery-id": delivery.public_id,
        "x-import-timestamp": str(t),
        "x-import-signature": signature_header([delivery.registration.secret], t=t, body=[body]),
    }
    answer = session.post(delivery.registration.url, data=body, headers=headers, timeout=30)
    with transaction.atomic():
        Attempt.objects.create(
            delivery=delivery,
            number=1,
            started_at=started_at,
            finished_at=clock.now(),
            http_status=answer.status_code,
            latency_ms=round(answer.elapsed.total_seconds() * 1000),
            response_head=answer.text[:2000],
        )
        delivery.state = Delivery.State.DELIVERED
        delivery.due_at, delivery.settled_at = None, clock.now()
        delivery.save()
