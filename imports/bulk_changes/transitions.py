"""
Every move of a bulk change from one state to another: done, failed, cancelled.

No other module moves a bulk change. See docs/states.md.
"""

from contextlib import suppress
from datetime import datetime
from typing import Any

from django.db import transaction

from common.actors import ENGINE, Actor
from common.errors import StaleState
from imports.bulk_changes.model import BulkChange
from imports.models import ImportRecord

State = BulkChange.State


def finish(
    *, change: BulkChange, revision: int, cells: int, actor: Actor, at: datetime
) -> BulkChange:
    """Complete a change; inside the transaction that commits the revision that it made."""
    made = {"done": change.total, "revision": revision, "cells": cells}
    return _end(change, State.DONE, made, actor=actor, at=at)


def fail(*, change: BulkChange, problem: dict[str, object], at: datetime) -> BulkChange:
    """Stop a change, with nothing changed. problem: the reason."""
    return _end(change, State.FAILED, {"problem": problem}, at=at)


def cancel(*, change: BulkChange, actor: Actor, at: datetime) -> BulkChange:
    """Cancel a running change, with nothing changed; a worker that holds it loses its claim."""
    return _end(change, State.CANCELLED, {}, actor=actor, at=at)


def cancel_all(*, record: ImportRecord, actor: Actor, at: datetime) -> None:
    """Cancel the running changes of an import."""
    for change in record.bulk_changes.filter(state=State.RUNNING):
        with suppress(StaleState):  # it was completed at this moment
            cancel(change=change, actor=actor, at=at)


def _end(
    change: BulkChange, state: str, result: dict[str, Any], *, actor: Actor = ENGINE, at: datetime
) -> BulkChange:
    with transaction.atomic():
        change.write(**result, request=None)
        return change.move_to(state, at=at, actor=actor)
