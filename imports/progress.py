"""The progress of a job, written under the claim twice a second."""

import time
from dataclasses import replace

from common import clock
from common.work.claims import ClaimLost
from imports.models import ImportRecord

EVERY_S = 0.5


class Reporter:
    """Writes progress, and knows whether the work is still wanted."""

    def __init__(self, record: ImportRecord) -> None:
        self._record = record
        self._stopped = False
        self._written_at = 0.0
        self._looked_at = time.monotonic()
        self._latest: tuple[str, int, int | None] | None = None
        self._stage_at = clock.now()

    def stop(self) -> None:
        """Record that the claim is lost."""
        self._stopped = True

    def progress(self, stage: str, done: int, total: int | None) -> None:
        """Store a report; called from the thread that follows the child."""
        if self._latest is not None and self._latest[0] != stage:
            self._stage_at = clock.now()
        self._latest = (stage, done, total)

    def cancelled(self) -> bool:
        """Write the latest report and return whether to stop; called from the worker's thread."""
        at = time.monotonic()
        if self._latest is not None and at - self._written_at >= EVERY_S:
            self._written_at = at
            self._write(*self._latest)
        elif at - self._looked_at >= EVERY_S:
            self._looked_at = at
            self._stopped = self._stopped or self._record.is_claim_lost()
        return self._stopped

    def _write(self, stage: str, done: int, total: int | None) -> None:
        try:
            since = clock.iso(self._stage_at)
            now = replace(self._record.progress, stage=stage, done=done, total=total, since=since)
            self._record.update_as_claimed(progress=now)
        except ClaimLost:
            self._stopped = True
