"""
Log lines as JSON objects, one a line.

Written with the standard library: the members are few and fixed, and granian's own process, which
knows no settings, uses this class too.
"""

import json
import logging
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
