"""
A worker that is asked to stop hands its imports over, so that another continues at once.

Without it, the next worker would wait until the lease of each import expires.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from celery.signals import worker_shutting_down
from django.conf import settings

from common.work.claims import ClaimLost
from common.work.life import tell
from common.work.wakeups import wake
from imports.models import ImportRecord
from imports.progress import Reporter
from imports.transitions import ADVANCE


class Handover:
    """What the jobs of this process are to do once it is asked to stop."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reporters: set[Reporter] = set()
        self.has_begun = False  # no further job starts here

    def begin(self, grace_s: float) -> None:
        """Let the jobs under way go on for so many seconds, then end them."""
        self.has_begun = True
        timer = threading.Timer(grace_s, self._end_jobs)
        timer.daemon = True
        timer.start()

    @contextmanager
    def covers(self, reporter: Reporter) -> Iterator[None]:
        """End the job that reports here, if it is still under way when the time is over."""
        with self._lock:
            self._reporters.add(reporter)
        try:
            yield
        finally:
            with self._lock:
                self._reporters.discard(reporter)

    def _end_jobs(self) -> None:
        with self._lock:
            for reporter in self._reporters:
                reporter.stop()


HANDOVER = Handover()  # of this process


def hand_over(record: ImportRecord) -> None:
    """Release the claim on due work, and wake another worker; do nothing if the claim is lost."""
    with suppress(ClaimLost):
        record.update_as_claimed(claimed_until=None)
        about = {**record.log_members(), "claim": record.claim_no, "cause": "handed_over"}
        kind = record._meta.verbose_name_raw
        tell(kind, record.public_id, before=record.state, after=record.state, about=about)
        wake(ADVANCE, record.public_id)


@worker_shutting_down.connect
def begin(**_: Any) -> None:
    """Have a stopping worker of Celery hand over within IMPORT_GRACE_SECONDS."""
    HANDOVER.begin(settings.GRACE_S)
