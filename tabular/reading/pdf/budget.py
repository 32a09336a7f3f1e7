"""The processor time one document may take."""

from __future__ import annotations

from time import process_time

from tabular.model.limits import Limits
from tabular.model.problem import LimitExceeded
from tabular.model.wording import counted


class Budget:
    """Counts from when it is made; looked at between pages, where work can stop cleanly."""

    def __init__(self, limits: Limits) -> None:
        self._allowed = limits.seconds
        self._end = process_time() + limits.seconds

    def check(self) -> None:
        """Raise LimitExceeded (timeout) once the time is used up."""
        if process_time() > self._end:
            raise LimitExceeded(
                f"Reading the PDF takes more than {counted(round(self._allowed), 'second')}.",
                limit="seconds",
                allowed=self._allowed,
                code="timeout",
            )
