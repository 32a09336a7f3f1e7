"""What a job used is noted, however it ends."""

import pytest

from sandbox import JobCancelled, JobFailed, forks
from sandbox.usage import MOST, USES, JobUses
from tabular.model.problem import LimitExceeded, Limits

MIB = 1024**2
pytestmark = pytest.mark.skipif(not forks.is_possible(), reason="no server forks here")


@pytest.fixture(autouse=True)
def nothing_noted():
    list(USES.take())


def test_the_peak_of_memory_is_noted_also_when_it_was_freed(serve, take_over):
    serve()
    take_over("answer = 0")
    (small,) = USES.take()
    take_over(f"held = bytearray(b'x') * (200 * {MIB}); del held; answer = 0")
    (large,) = USES.take()

    assert large.peak_bytes - small.peak_bytes > 150 * MIB
    assert (large.job, large.rows, large.limit, large.has_failed) == ("read", 0, "", False)
    assert 0 < large.seconds < 60


def test_a_limit_that_stops_a_job_is_noted_with_the_memory_until_then(serve, take_over):
    serve()
    with pytest.raises(LimitExceeded):
        take_over("import time; time.sleep(60)", limits=Limits(seconds=1))
    (use,) = USES.take()

    assert (use.limit, use.has_failed) == ("seconds", False)
    assert use.peak_bytes > 0


def test_a_crash_is_a_failure_and_a_cancelled_job_is_none(serve, take_over):
    serve()
    with pytest.raises(JobFailed):
        take_over("import os; os._exit(7)")
    with pytest.raises(JobCancelled):
        take_over("import time; time.sleep(60)", cancelled=lambda: True)
    failed, cancelled = USES.take()

    assert (failed.has_failed, cancelled.has_failed) == (True, False)


def test_a_command_that_counts_no_jobs_keeps_few():
    uses = JobUses()
    for _ in range(MOST + 5):
        with uses.noted("read"):
            pass

    assert len(list(uses.take())) == MOST
