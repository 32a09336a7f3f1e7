"""Log filters for libraries that log too much."""

import logging
import time
from typing import Any

from kombu.exceptions import OperationalError

AGAIN_S = 60.0


class OneLineWhileBrokerIsAway(logging.Filter):
    """
    Reduces beat's stack traces for wake-ups it cannot send to one line a minute.

    An unavailable broker delays work and loses none, so the trace is of no use.
    """

    def __init__(self) -> None:
        super().__init__()
        self._quiet_until = 0.0  # monotonic

    def filter(self, record: logging.LogRecord) -> bool:
        """Let all other records pass unchanged."""
        error = record.exc_info[1] if record.exc_info else None
        cause = getattr(error, "__cause__", None) or error
        if not _is_broker_away(error):
            return True
        if (now := time.monotonic()) < self._quiet_until:
            return False
        self._quiet_until = now + AGAIN_S
        record.msg, record.args = "broker away (%s); work waits until it is back", (cause,)
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.exc_info = record.exc_text = None
        return True


class RequestsWithoutPaths(logging.Filter):
    """
    Logs the route of a request that failed in the engine, and drops all others.

    A path may contain a host's key. A caller's mistake is returned to the caller, and a probe with
    status 503 has the reason in its body.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to print the record; its path is replaced by the route."""
        request = getattr(record, "request", None)
        if request is None:
            return True
        path = getattr(request, "path", "")
        if path == "/readyz" or getattr(record, "status_code", 500) < 500:
            return False
        match = getattr(request, "resolver_match", None)
        route = f"/{match.route}" if match else "an unknown route"
        if isinstance(record.args, tuple):
            record.args = tuple(route if argument == path else argument for argument in record.args)
        return True


def keep_to_settings(**_about: Any) -> None:
    """
    Keep the logging of the settings, in the workers and beat too.

    Celery would set the level of every logger to that of its own command line, and drop the lines
    about imports and deliveries. Its signal only needs a receiver.
    """


def _is_broker_away(error: BaseException | None) -> bool:
    """Return whether an error, or its cause, is kombu's error for a broker that does not answer."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, (OperationalError, ConnectionError)):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False
