"""The only place that reads the clock; services take the time as an argument."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the current time, aware, in UTC."""
    return datetime.now(UTC)


def iso(moment: datetime) -> str:
    """
    Format a time as ISO 8601 in UTC, to the millisecond.

    >>> iso(datetime(2026, 11, 20, 9, 30, tzinfo=UTC))
    '2026-11-20T09:30:00.000Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
