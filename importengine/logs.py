"""What the log says, where a library would say too much."""

import logging
import time

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


def _is_broker_away(error: BaseException | None) -> bool:
    """Whether an error, or what led to it, is kombu's word for a broker that does not answer."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, (OperationalError, ConnectionError)):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False
