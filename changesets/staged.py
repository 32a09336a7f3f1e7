"""Approval: a staged changeset is applied, or discarded."""

from datetime import datetime

from django.db import transaction

from changesets.events import note
from changesets.models import Changeset
from common.actors import Actor
from common.errors import Conflict
from imports import services as imports
from imports.models import ImportRecord
from imports.waking import wake_up


class NotStaged(Conflict):
    """The changeset is not awaiting approval."""

    code = "not_staged"


def apply_staged(*, changeset: Changeset, actor: Actor, at: datetime) -> Changeset:
    """Have the deliveries of a staged changeset written. Raise NotStaged if it is not staged."""
    with transaction.atomic():
        _require_staged(changeset)
        changeset.move_to(
            Changeset.State.APPLYING,
            at=at,
            actor=actor,
            needs_look=False,
            applied_by=actor.as_dict(),
        )
        record = changeset.record
        record.move_to(
            ImportRecord.State.APPLYING, at=at, actor=actor, due_at=at, claimed_until=None
        )
        wake_up(record)
        note(changeset, "import.applied", actor=actor, at=at)
    return changeset


def discard(*, changeset: Changeset, actor: Actor, at: datetime) -> Changeset:
    """Return to review: nothing of a staged changeset leaves the engine."""
    with transaction.atomic():
        _require_staged(changeset)
        changeset.move_to(Changeset.State.DISCARDED, at=at, actor=actor, reason="discarded")
        imports.unfreeze(record=changeset.record, actor=actor, at=at, reason="changeset discarded")
        note(changeset, "import.discarded", actor=actor, at=at)
    return changeset


def _require_staged(changeset: Changeset) -> None:
    if changeset.state != Changeset.State.STAGED:
        raise NotStaged(f"The changeset is {changeset.state}; it is not awaiting approval.")
