"""When beat rings."""

from datetime import datetime

from celery.schedules import schedstate, schedule


class Every(schedule):
    """
    Every so many seconds, also when the clock was set back.

    Celery's own schedule then waits until the clock has passed the last run again.
    """

    def is_due(self, last_run_at: datetime) -> schedstate:
        """Say whether to ring now, and in how many seconds to ask again."""
        if self.maybe_make_aware(last_run_at) > self.now():
            return schedstate(is_due=True, next=self.seconds)
        due: schedstate = super().is_due(last_run_at)
        return due
