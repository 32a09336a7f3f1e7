"""Run one tabular job on untrusted bytes in a limited child process."""

from sandbox.run import (
    POLICY,
    JobBroken,
    JobCancelled,
    JobFailed,
    JobKilled,
    more_slots,
    reader_broke,
    reader_killed,
    run_job,
    warm_up,
)

__all__ = [
    "POLICY",
    "JobBroken",
    "JobCancelled",
    "JobFailed",
    "JobKilled",
    "more_slots",
    "reader_broke",
    "reader_killed",
    "run_job",
    "warm_up",
]
