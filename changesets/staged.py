"""Approval: a staged changeset is applied, or discarded."""

from datetime import datetime

from django.db import transaction

from changesets import transitions
from changesets.approval.persons import refuse_same
from changesets.events import note
from changesets.models import Changeset
from common.actors import Actor
from common.errors import Conflict


class NotStaged(Conflict):
    """The changeset is not awaiting approval."""

    code = "not_staged"


def apply_staged(*, changeset: Changeset, actor: Actor, at: datetime) -> Changeset:
    """
    Have the deliveries of a staged changeset written.

    Raise NotStaged, or SecondPersonNeeded if it needs another person than the actor.
    """
    with transaction.atomic():
        _require_staged(changeset)
        if changeset.needs_second_person:
            refuse_same(changeset, actor)
        transitions.approve(changeset, actor=actor, at=at)
        note(changeset, "import.applied", actor=actor, at=at)
    return changeset


def discard(*, changeset: Changeset, actor: Actor, at: datetime) -> Changeset:
    """
    Return to review: nothing of a staged changeset leaves the engine.

    Of an applied one whose revert waits for a second person, the rows stay applied.
    """
    with transaction.atomic():
        if changeset.awaits == "revert":
            transitions.keep(changeset)
            note(changeset, "import.discarded", actor=actor, at=at)
            return changeset
        _require_staged(changeset)
        transitions.discard(changeset, actor=actor, at=at)
        note(changeset, "import.discarded", actor=actor, at=at)
    return changeset


def _require_staged(changeset: Changeset) -> None:
    if changeset.state != Changeset.State.STAGED:
        raise NotStaged("not_staged.state", state=changeset.state)
