"""
Every move of a rehearsal from one state to another: done, failed.

No other module moves a rehearsal. See docs/states.md.
"""

from datetime import datetime

from django.db import transaction

from deliveries.models import Rehearsal

State = Rehearsal.State


def finish(rehearsal: Rehearsal, *, at: datetime) -> None:
    """End a rehearsal whose scenes were all played."""
    with transaction.atomic():
        rehearsal.write(ended_at=at)
        rehearsal.move_to(State.DONE, at=at)


def fail(rehearsal: Rehearsal, *, problem: str, at: datetime) -> None:
    """End a rehearsal that could not be played. problem: a sentence for the person."""
    with transaction.atomic():
        rehearsal.write(ended_at=at, problem=problem)
        rehearsal.move_to(State.FAILED, at=at)
