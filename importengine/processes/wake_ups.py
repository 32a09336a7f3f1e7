"""When beat sends its wake-ups."""

from datetime import UTC, datetime
from typing import Any

from celery.schedules import schedstate, schedule

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class Every(schedule):
    """
    A fixed interval, also if the clock was set back.

    In that case Celery's own schedule waits until the clock has passed the last run again.
    """

    def is_due(self, last_run_at: datetime) -> schedstate:
        """Return whether to send now, and the seconds until the next check."""
        if self.maybe_make_aware(last_run_at) > self.now():
            return schedstate(is_due=True, next=self.seconds)
        due: schedstate = super().is_due(last_run_at)
        return due


def beat_schedule(sweep_s: int) -> dict[str, dict[str, Any]]:
    """Return what is sent, and how often. sweep_s: seconds between two sweeps."""
    looks = {
        "sweep-imports": "workflow.tasks.sweep",
        "sweep-deliveries": "deliveries.tasks.dispatch_due",
        "follow-changesets": "changesets.tasks.follow",
        "follow-checks": "workflow.tasks.follow_checks",
    }
    counting_s = 10
    hourly = {
        "purge": "workflow.tasks.purge",
        "forget-answers": "api.tasks.forget_answers",
        "forget-sessions": "licensing.tasks.forget_sessions",
        "announce-expiry": "deliveries.tasks.announce_expiry",
        "forget-links": "links.tasks.forget_links",
        "forget-feed-runs": "feeds.tasks.forget_runs",
        "measure-storage": "analytics.tasks.measure_storage",
    }
    return (
        {
            name: {"task": task, "schedule": Every(sweep_s), "options": {"expires": sweep_s}}
            for name, task in looks.items()
        }
        | {
            "count-histories": {
                "task": "analytics.tasks.fold",
                "schedule": Every(counting_s),
                "options": {"expires": counting_s},
            }
        }
        | {
            name: {
                "task": task,
                "schedule": Every(3600),
                "last_run_at": LONG_AGO,  # runs at each start too: some engines run an hour a day
                "options": {"expires": 3600},
            }
            for name, task in hourly.items()
        }
    )
