"""
What a program counts in memory: its calls, and the jobs that it ran.

A thread adds the counts to the database every ten seconds, so that neither a call nor a job costs a
query. A program that is killed loses the counts of its last ten seconds.
"""

import logging
import threading
import time
from typing import Any

from django.db import Error, connections

from analytics.tally import Tally
from common.work.ending import at_end
from sandbox.usage import USES

logger = logging.getLogger(__name__)

EVERY_S = 10.0


class Counts:
    """The counts of one program since they were last stored."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tally = Tally()

    def add(self, tally: Tally) -> None:
        """Add counts to those that will be stored."""
        with self._lock:
            self._tally.add(tally)

    def store(self) -> None:
        """Add the counts to the database; keep them for the next time if it does not answer."""
        from analytics import series  # once Django is set up
        from analytics.job_counts import of_jobs

        with self._lock:
            tally, self._tally = self._tally, Tally()
        tally.add(of_jobs(USES.take()))
        try:
            series.add(tally)
        except Error as error:
            logger.warning("counts not stored yet: %s", type(error).__name__)
            self.add(tally)


counts = Counts()


def begin(**_: Any) -> None:
    """Store the counts of this program from a thread, from now on, and when it ends."""
    threading.Thread(target=_run, name="counts", daemon=True).start()
    at_end(counts.store)


def _run() -> None:
    while True:
        time.sleep(EVERY_S)
        counts.store()
        connections.close_all()
