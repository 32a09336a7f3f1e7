"""What the log says, where a library would say too much."""

import logging
import time
from typing import Any

from kombu.exceptions import OperationalError

AGAIN_S = 60.0


class OneLineWhileBrokerIsAway(logging.Filter):
    """
    Make beat's stack trace for each wake-up it cannot send one line, once a minute.

    A broker that is away delays work and loses none, so there is nothing to find in a trace.
    """

    def __init__(self) -> None:
        super().__init__()
        self._quiet_until = 0.0  # monotonic

    def filter(self, record: logging.LogRecord) -> bool:
        """Let anything else pass as it is."""
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
    Name the route of a request that failed in the engine, and leave out all others.

    A path may hold a key of the host. A caller's mistake is told to the caller, and a probe that is
    answered 503 says what is missing.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to print the line; its path becomes the route."""
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
    Leave logging as the settings have it, in the workers and beat too.

    Celery would set the level of every logger to that of its own command line, and drop the lines
    that tell what happens to imports and deliveries. Its signal needs a receiver, and no more.
    """


def _is_broker_away(error: BaseException | None) -> bool:
    """Whether an error, or what led to it, is kombu's word for a broker that does not answer."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, (OperationalError, ConnectionError)):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False
