"""Runs one tabular step on foreign bytes in a limited child process."""

from sandbox.run import StepCancelled, StepFailed, run_step

__all__ = ["StepCancelled", "StepFailed", "run_step"]
