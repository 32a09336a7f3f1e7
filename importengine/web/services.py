"""
What programs need besides the database: the broker, the files, and the provider of sign-ins.

A look calls each of them, so a process that is asked often answers with its last look and takes
the next one in the background. Then neither a scrape every second nor a service that hangs costs
the caller anything.
"""

import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

import requests
from django.conf import settings
from kombu.exceptions import OperationalError

from common import storage
from importengine.people import diagnosis, outbound

NEW_S = 10.0  # so long a look is the current state
OLD_S = 30.0  # then it says nothing any more
PATIENCE_S = 3.0  # for all answers of a look
LATE = "no answer in time"


def broker() -> str:
    """Return "ok", or why no wake-up can be sent."""
    from importengine.celery import app

    if not settings.REDIS_URL:
        queue = settings.BROKER_DIR / "queue"
        return "ok" if os.access(queue, os.W_OK) else "its folder cannot be written"
    try:
        with app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
    except (OperationalError, OSError) as error:
        return f"away ({type(error).__name__})"
    return "ok"


def stored_files() -> str:
    """Return "ok", or why no file can be stored."""
    if settings.S3_URL:
        return storage.what_is_wrong_with_bucket() or "ok"
    return "ok" if os.access(data_folder(), os.W_OK) else "the data folder cannot be written"


def data_folder() -> Path:
    """Return the data folder, or the closest one above it while it is not there yet."""
    folders = (settings.DATA_DIR, *settings.DATA_DIR.parents)
    return next(path for path in folders if path.exists())


def provider() -> str:
    """Return "ok", or why no person can sign in with the provider."""
    try:
        with outbound.session() as session:
            session.get(f"{settings.OIDC_URL}{diagnosis.WELL_KNOWN}").raise_for_status()
    except requests.RequestException as error:
        return f"away ({type(error).__name__})"
    return "ok"


def looks() -> dict[str, Callable[[], str]]:
    """Return how each service that this engine uses is looked at."""
    used = {"broker": broker, "storage": stored_files}
    return used | ({"provider": provider} if settings.OIDC_URL else {})


def look() -> dict[str, str]:
    """Look at all services at once; return "ok" or what is wrong, by service."""
    answers: SimpleQueue[tuple[str, str]] = SimpleQueue()
    used = looks()
    for name, asks in used.items():
        threading.Thread(
            target=lambda name=name, asks=asks: answers.put((name, asks())), daemon=True
        ).start()
    seen, end = dict.fromkeys(used, LATE), time.monotonic() + PATIENCE_S
    with suppress(Empty):
        for _ in used:
            name, answer = answers.get(timeout=max(0.0, end - time.monotonic()))
            seen[name] = answer
    return seen


class LastLook:
    """The last look of this process."""

    def __init__(self) -> None:
        self._seen: Mapping[str, str] = {}
        self._at = float("-inf")
        self._looking = threading.Lock()

    def __call__(self) -> Mapping[str, str]:
        """Return what was seen lately; look now if nothing was."""
        age = time.monotonic() - self._at
        if age > OLD_S:
            with self._looking:
                if time.monotonic() - self._at > OLD_S:
                    self._look()
        elif age > NEW_S and self._looking.acquire(blocking=False):
            threading.Thread(target=self._look_and_release, daemon=True).start()
        return self._seen

    def _look_and_release(self) -> None:
        try:
            self._look()
        finally:
            self._looking.release()

    def _look(self) -> None:
        self._seen, self._at = look(), time.monotonic()


last_look = LastLook()
