"""Runs one tabular job on foreign bytes in a limited child process."""

from sandbox.run import POLICY, JobCancelled, JobFailed, more_places, run_job, warm_up

__all__ = ["POLICY", "JobCancelled", "JobFailed", "more_places", "run_job", "warm_up"]
