"""
Counts and histograms in memory, before they are added to the stored ones. Pure.

A series has a name and labels from a closed list (states, codes, routes). Names of tenants,
receivers, files or people are never labels.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field

Labels = tuple[tuple[str, str], ...]

MOVES = "import_moves"
FAILURES = "import_failures"
STATE_SECONDS = "import_state_seconds"
ROWS = "import_rows"
DELIVERY_MOVES = "delivery_moves"
ATTEMPTS = "delivery_attempts"
ATTEMPT_SECONDS = "delivery_attempt_seconds"
QUESTION_MOVES = "question_moves"
FEED_FILES = "feed_files"
MAIL_MOVES = "mail_moves"
REQUEST_SECONDS = "request_seconds"
REFUSALS = "request_refusals"
JOB_SECONDS = "job_seconds"
JOB_ROWS = "job_rows"
JOB_PEAK = "job_peak_bytes"
JOB_FAILURES = "job_failures"
LIMITS_HIT = "limits_hit"

MIB = 1024**2
# Upper bounds of the buckets. A series that is not named here is only counted.
BOUNDS: Mapping[str, tuple[float, ...]] = {
    STATE_SECONDS: (1, 5, 15, 60, 300, 1_800, 3_600, 86_400),
    ATTEMPT_SECONDS: (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
    REQUEST_SECONDS: (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
    JOB_SECONDS: (0.1, 0.25, 0.5, 1, 2.5, 10, 30, 120, 600),
    JOB_ROWS: (100, 1_000, 10_000, 100_000, 1_000_000, 5_000_000),
    JOB_PEAK: tuple(n * MIB for n in (128, 256, 384, 512, 768, 1_024, 1_536, 2_048, 4_096)),
}


@dataclass(slots=True)
class Sum:
    """How often something happened, its sum, and its counts by bucket (the last: above all)."""

    count: int = 0
    total: float = 0.0
    buckets: list[int] = field(default_factory=list)

    def add(self, other: "Sum") -> None:
        """Add another sum of the same series."""
        self.count += other.count
        self.total += other.total
        self.buckets = [
            mine + theirs
            for mine, theirs in zip(
                self.buckets or [0] * len(other.buckets),
                other.buckets or [0] * len(self.buckets),
                strict=True,
            )
        ]


class Tally:
    """Sums by series."""

    def __init__(self) -> None:
        self.sums: dict[tuple[str, Labels], Sum] = {}

    def count(self, name: str, times: int = 1, /, **labels: str) -> None:
        """
        Count an event.

        >>> tally = Tally()
        >>> tally.count(MOVES, state="review")
        >>> tally.count(MOVES, state="review")
        >>> tally.sums[MOVES, (("state", "review"),)].count
        2
        """
        self._add(name, labels, Sum(count=times, total=float(times)))

    def measure(self, name: str, value: float, /, **labels: str) -> None:
        """
        Count an event with its seconds, rows or bytes.

        >>> tally = Tally()
        >>> tally.measure(ATTEMPT_SECONDS, 0.2)
        >>> tally.sums[ATTEMPT_SECONDS, ()].buckets
        [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
        """
        bounds = BOUNDS[name]
        buckets = [0] * (len(bounds) + 1)
        buckets[bisect_left(bounds, value)] = 1
        self._add(name, labels, Sum(count=1, total=value, buckets=buckets))

    def add(self, other: "Tally") -> None:
        """Add the sums of another tally."""
        for (name, labels), sums in other.sums.items():
            self._add(name, dict(labels), sums)

    def _add(self, name: str, labels: Mapping[str, str], sum_: Sum) -> None:
        self.sums.setdefault((name, tuple(sorted(labels.items()))), Sum()).add(sum_)
