"""The one place that asks for the time; services take it as an argument."""

from datetime import UTC, datetime


def now() -> datetime:
    """Give the current time, aware, in UTC."""
    return datetime.now(UTC)


def iso(moment: datetime) -> str:
    """
    Write a moment as ISO 8601 in UTC, to the millisecond.

    >>> iso(datetime(2026, 11, 20, 9, 30, tzinfo=UTC))
    '2026-11-20T09:30:00.000Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
