"""
When a feed runs: a cron expression of five fields in a time zone, or a wait after a failure. Pure.

Where clocks are set forward, a run in the hour that is missing takes place right after it. Where
they are set back, a run at a fixed time takes place once, in the first of the two hours.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError

FIELDS = 5  # minute, hour, day of the month, month, day of the week
FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(hours=6)
MOST_DOUBLINGS = 10  # so that the power stays small


class WrongSchedule(ValueError):
    """The expression names no moment, or is not a cron expression."""


def is_time_zone(name: str) -> bool:
    """
    Return whether a name is one of the IANA database.

    >>> is_time_zone("Europe/Berlin"), is_time_zone("Berlin")
    (True, False)
    """
    return name in available_timezones()


def next_run(expression: str, time_zone: str, after: datetime) -> datetime:
    """
    Return the first moment after another one, in UTC. Raise WrongSchedule.

    >>> next_run("0 6 * * 1", "Europe/Berlin", datetime(2026, 11, 28, tzinfo=UTC)).isoformat()
    '2026-11-30T05:00:00+00:00'
    """
    if len(expression.split()) != FIELDS:
        raise WrongSchedule(expression)
    local = after.astimezone(ZoneInfo(time_zone))
    try:
        # Of two equal moments on a clock that is set back, the first may lie behind ``after``.
        moments = (moment.astimezone(UTC) for moment in CronSim(expression, local))
        return next(moment for moment in moments if moment > after)
    except (CronSimError, StopIteration) as error:
        raise WrongSchedule(expression) from error


def wait_after(failures: int) -> timedelta:
    """
    Return the wait after so many failures in a row.

    >>> [wait_after(n).total_seconds() / 60 for n in (1, 2, 3, 9, 50)]
    [1.0, 2.0, 4.0, 256.0, 360.0]
    """
    doublings: int = 2 ** min(failures - 1, MOST_DOUBLINGS)
    return min(FIRST_WAIT * doublings, LONGEST_WAIT)
