"""
Every move of a workbook from one state to another: ready, failed.

No other module moves a workbook. See docs/states.md.
"""

from datetime import datetime

from django.db import transaction

from imports.models import Workbook

State = Workbook.State


def finish(workbook: Workbook, *, file: str, at: datetime) -> None:
    """Offer a workbook that is written. file: its name in the storage."""
    with transaction.atomic():
        workbook.write(file=file, done=workbook.total)
        workbook.move_to(State.READY, at=at)


def fail(workbook: Workbook, *, at: datetime) -> None:
    """Give up writing a workbook; a new request tries again."""
    workbook.move_to(State.FAILED, at=at)
