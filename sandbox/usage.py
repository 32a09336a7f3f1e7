"""What the jobs of this process used, kept until it is counted."""

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from tabular.model.problem import TabularProblem

MOST = 10_000  # jobs that are kept, the newest: a command that counts none ends before


@dataclass(slots=True)
class JobUse:
    """
    What one job used, from the start of its child to its end.

    peak_bytes: the largest resident memory of the child, as the kernel counted it; None where a
    job is a new process instead of a forked one. rows: of the result; None for none. limit: the
    name of the limit that was exceeded. has_failed: it ended without a result or a problem.
    """

    job: str
    seconds: float = 0.0
    peak_bytes: int | None = None
    rows: int | None = None
    limit: str = ""
    has_failed: bool = False


class JobUses:
    """The uses of ended jobs that are not counted yet."""

    def __init__(self) -> None:
        self._ended: deque[JobUse] = deque(maxlen=MOST)

    @contextmanager
    def noted(self, job: str) -> Iterator[JobUse]:
        """Yield the use of a job that runs in this block, and keep it however the block ends."""
        use, began = JobUse(job), time.monotonic()
        try:
            yield use
        except TabularProblem as problem:
            use.limit = str(problem.details.get("limit", ""))
            raise
        finally:
            use.seconds = time.monotonic() - began
            self._ended.append(use)

    def take(self) -> Iterator[JobUse]:
        """Yield the uses, each once."""
        with suppress(IndexError):
            while True:
                yield self._ended.popleft()


USES = JobUses()
