"""The bulk changes of imports: which ones run, how they end, and what they block."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import Any

from common.actors import Actor
from common.errors import Conflict, NotFound, StaleState
from common.rows import the_only
from imports.bulk_changes.model import BulkChange
from imports.models import ImportRecord

State = BulkChange.State


class UnknownChange(NotFound):
    """There is no such bulk change of this import."""

    code = "unknown_change"


class RowsChanging(Conflict):
    """A bulk change of these rows is running. Wait for it, or cancel it."""

    code = "rows_changing"


def refuse_while_changing(record: ImportRecord) -> None:
    """Raise RowsChanging, with the id of the change, if a worker is changing the rows."""
    if running := the_only(record.bulk_changes.filter(state=State.RUNNING)):
        raise RowsChanging(changeId=running.public_id)


def change_of(record: ImportRecord, change_id: str) -> BulkChange:
    """Return a bulk change of an import. Raise UnknownChange if it has no such change."""
    change = the_only(record.bulk_changes.filter(public_id=change_id))
    if change is None:
        raise UnknownChange
    return change


def running_changes(records: Iterable[ImportRecord]) -> dict[int, BulkChange]:
    """Return the running bulk changes, by the key of their import."""
    keys = [record.pk for record in records if record.state == ImportRecord.State.REVIEW]
    running = BulkChange.objects.filter(record__in=keys, state=State.RUNNING)
    running = running.select_related("record")
    return {change.record_id: change for change in running} if keys else {}


OVER: dict[str, Any] = {"request": None, "due_at": None, "claimed_until": None}


def finish_change(
    *, change: BulkChange, revision: int, cells: int, actor: Actor, at: datetime
) -> BulkChange:
    """Complete a change; inside the transaction that commits the revision that it made."""
    made: dict[str, Any] = {"done": change.total, "revision": revision, "cells": cells}
    return change.move_to(State.DONE, at=at, actor=actor, **made, **OVER)


def fail_change(*, change: BulkChange, problem: dict[str, object], at: datetime) -> BulkChange:
    """Stop a change, with nothing changed. problem: the reason."""
    return change.move_to(State.FAILED, at=at, problem=problem, **OVER)


def cancel_change(*, change: BulkChange, actor: Actor, at: datetime) -> BulkChange:
    """Cancel a running change, with nothing changed; a worker that holds it loses its claim."""
    return change.move_to(State.CANCELLED, at=at, actor=actor, claim_no=change.claim_no + 1, **OVER)


def cancel_changes(*, record: ImportRecord, actor: Actor, at: datetime) -> None:
    """Cancel the running changes of an import."""
    for change in record.bulk_changes.filter(state=State.RUNNING):
        with suppress(StaleState):  # it was completed at this moment
            cancel_change(change=change, actor=actor, at=at)
