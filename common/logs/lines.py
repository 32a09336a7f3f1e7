"""
Log lines as JSON objects, one a line.

Written with the standard library: the members are few and fixed, and granian's own process, which
knows no settings, uses this class too.
"""

import io
import json
import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime

from common.logs import context


class JsonLine(logging.Formatter):
    """Formats a record as JSON: what every line has, then what the work is about."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line; breaks in the message are escaped."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        members: dict[str, object] = {
            "at": at.replace("+00:00", "Z"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **context.current(),
            **getattr(record, "about", {}),
        }
        if record.exc_info:
            members["error"] = self.formatException(record.exc_info)
        return json.dumps(members, ensure_ascii=False, default=str)


class PlainText(io.TextIOBase):
    """
    Takes the place of ``sys.stderr`` and logs each line of it.

    Python itself prints there, past every logger: why a process or a thread ended. What logging
    prints about a log that cannot be written is dropped: to log it would fail again, without end.
    """

    def __init__(self, log: Callable[[str], object]) -> None:
        self._log = log
        self._rest = ""
        self._thread = threading.local()

    def writable(self) -> bool:
        """Return true: it is written to."""
        return True

    def write(self, text: str) -> int:
        """Log the lines that are complete; keep the rest until its end comes."""
        if getattr(self._thread, "is_logging", False):
            return len(text)
        *lines, self._rest = f"{self._rest}{text}".split("\n")
        self._thread.is_logging = True
        try:
            for line in lines:
                if line:
                    self._log(line)
        finally:
            self._thread.is_logging = False
        return len(text)
