"""Send an import into a state in which a worker has something to do."""

from datetime import datetime
from typing import Any

from django.db import transaction

from common.actors import Actor
from common.errors import Conflict
from imports.models import ImportRecord
from imports.waking import wake_up

State = ImportRecord.State
FRESH: dict[str, Any] = {"problem": None, "tries": 0, "stage": "", "done": 0, "total": None}
WAITING = frozenset({State.MAPPING, State.REVIEW})  # somebody must act, and nothing is frozen


class NotWaiting(Conflict):
    """The import is not waiting for this; read its state first."""

    code = "not_waiting"


def start(
    record: ImportRecord, state: str, *, actor: Actor, at: datetime, **changes: Any
) -> ImportRecord:
    """Move to a working state and wake a worker."""
    with transaction.atomic():
        record.move_to(state, at=at, actor=actor, due_at=at, claimed_until=None, **changes)
        wake_up(record)
    return record
