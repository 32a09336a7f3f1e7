"""Workers and beats write down that they are there; ``/readyz`` reads it, on any machine."""

import logging
import socket
import threading
import time
from datetime import timedelta
from typing import Any

from django.db import Error, connections

from common import clock

logger = logging.getLogger(__name__)

EVERY_S = 10.0
FRESH = timedelta(seconds=60)
FORGOTTEN = timedelta(days=1)
QUEUES = ("imports", "deliveries", "beat")


def begin_worker(sender: Any, **_: Any) -> None:
    """Write down a worker that takes messages now."""
    _begin(str(sender.hostname), ",".join(sorted(sender.app.amqp.queues.consume_from)))


def begin_beat(**_: Any) -> None:
    """Write down a beat."""
    _begin(f"beat@{socket.gethostname()}", "beat")


def queues_seen() -> set[str]:
    """Give the queues that somebody serves, ``beat`` among them."""
    from importengine.models import SeenProgram

    fresh = SeenProgram.objects.filter(seen_at__gt=clock.now() - FRESH)
    return {queue for text in fresh.values_list("queues", flat=True) for queue in text.split(",")}


def _begin(name: str, queues: str) -> None:
    threading.Thread(target=_write, args=(name, queues), name="seen", daemon=True).start()


def _write(name: str, queues: str) -> None:
    from importengine.models import SeenProgram

    while True:
        at = clock.now()
        try:
            SeenProgram.objects.update_or_create(
                name=name, defaults={"queues": queues, "seen_at": at}
            )
            SeenProgram.objects.filter(seen_at__lt=at - FORGOTTEN).delete()
        except Error as error:
            logger.warning("not written down as seen: %s", type(error).__name__)
        connections.close_all()
        time.sleep(EVERY_S)
