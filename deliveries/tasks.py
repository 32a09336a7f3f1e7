"""The dispatcher as a task. Waiting is a column, never a countdown."""

import threading
from typing import Any

from celery import shared_task
from celery.signals import worker_shutting_down

from common import clock
from deliveries.http.client import Client
from deliveries.services import expiring
from deliveries.services.attempt import new_client
from deliveries.services.dispatch import Dispatcher

_lock = threading.Lock()
_client: Client | None = None
_running: Dispatcher | None = None


@shared_task(ignore_result=True)
def dispatch_due() -> None:
    """Send until nothing is due; a second call in this process only wakes the first."""
    global _running
    with _lock:
        if _running is not None:
            _running.look_again()
            return
        dispatcher = _running = Dispatcher(client=_shared())
    try:
        dispatcher.run()
    finally:
        with _lock:
            _running = None


@shared_task
def announce_expiry() -> None:
    """Announce the license keys that expire soon; safe to run twice or late."""
    expiring.announce_expiring(at=clock.now())


def shared_client() -> Client:
    """Return the client of this process, whose connections are kept."""
    with _lock:
        return _shared()


def _shared() -> Client:
    global _client
    _client = _client or new_client()
    return _client


@worker_shutting_down.connect
def wind_down(**_: Any) -> None:
    """Have a stopping worker finish what it started, and start nothing more."""
    with _lock:
        if _running is not None:
            _running.wind_down()
