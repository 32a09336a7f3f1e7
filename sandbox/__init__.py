"""Runs one tabular step on foreign bytes in a limited child process."""

from sandbox.run import POLICY, StepCancelled, StepFailed, more_places, run_step, warm_up

__all__ = ["POLICY", "StepCancelled", "StepFailed", "more_places", "run_step", "warm_up"]
