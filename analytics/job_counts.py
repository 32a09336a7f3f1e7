"""Counts of jobs: how long they took, how many rows they made, and what they met. Pure."""

from collections.abc import Iterable
from dataclasses import fields

from analytics.tally import JOB_FAILURES, JOB_PEAK, JOB_ROWS, JOB_SECONDS, LIMITS_HIT, Tally
from sandbox.usage import JobUse
from tabular.model.problem import Limits
from tabular.protocol.requests import RESULT_OF

JOBS = tuple(RESULT_OF)
LEVELS, OTHER = "levels", "other"
LIMITS = (*(field.name for field in fields(Limits)), LEVELS, OTHER)


def of_jobs(uses: Iterable[JobUse]) -> Tally:
    """
    Return the counts of jobs that ended.

    >>> tally = of_jobs([JobUse("read", 0.2, rows=9), JobUse("read", 900, limit="seconds")])
    >>> tally.sums[LIMITS_HIT, (("limit", "seconds"),)].count
    1
    """
    tally = Tally()
    for use in uses:
        tally.measure(JOB_SECONDS, use.seconds, job=use.job)
        if use.peak_bytes is not None:
            tally.measure(JOB_PEAK, use.peak_bytes, job=use.job)
        if use.rows is not None:
            tally.measure(JOB_ROWS, use.rows, job=use.job)
        if use.has_failed:
            tally.count(JOB_FAILURES, job=use.job)
        if use.limit:  # a child said it, whose file may have taken it over
            tally.count(LIMITS_HIT, limit=use.limit if use.limit in LIMITS else OTHER)
    return tally
