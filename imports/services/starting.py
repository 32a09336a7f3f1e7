"""Move an import to a state in which a worker has work to do."""

from datetime import datetime
from typing import Any

from django.db import transaction

from common.actors import Actor
from common.errors import Conflict
from imports.bulk_changes.state import refuse_while_changing
from imports.models import ImportRecord
from imports.services.allowances import refuse_another_revision
from imports.waking import wake_up

State = ImportRecord.State
FRESH: dict[str, Any] = {"problem": None, "tries": 0, "stage": "", "done": 0, "total": None}
MAKING_ROWS = frozenset({State.READING, State.TRANSFORMING})
WAITING = frozenset({State.MAPPING, State.REVIEW})  # a person must act, and nothing is frozen


class NotWaiting(Conflict):
    """The import is not waiting for this; read its state first."""

    code = "not_waiting"


def start(
    record: ImportRecord, state: str, *, actor: Actor, at: datetime, **changes: Any
) -> ImportRecord:
    """
    Move to a working state and wake a worker.

    Raise RowsChanging while a worker changes the rows. Raise TooMuchStored if rows were made
    before.
    """
    refuse_while_changing(record)
    if state in MAKING_ROWS:
        refuse_another_revision(record)
    with transaction.atomic():
        record.move_to(state, at=at, actor=actor, due_at=at, claimed_until=None, **changes)
        wake_up(record)
    return record
