"""Approval: a staged changeset is applied, or discarded."""

from datetime import datetime

from django.db import transaction

from changesets import transitions
from changesets.approval.persons import refuse_same, tighten
from changesets.models import Changeset
from common.actors import Actor
from common.errors import Conflict


class NotStaged(Conflict):
    """The changeset is not awaiting approval."""

    code = "not_staged"


def apply_staged(*, changeset: Changeset, actor: Actor, is_page: bool, at: datetime) -> Changeset:
    """
    Have the deliveries of a staged changeset written.

    is_page: whether the actor calls from a page. Raise NotStaged, or SecondPersonNeeded if it needs
    another person than the actor, by the rules as they are now.
    """
    _require_staged(changeset)
    if tighten(changeset):
        changeset.write(most_alone=changeset.most_alone, prepared_by=changeset.prepared_by)
    with transaction.atomic():
        if changeset.needs_second_person:
            refuse_same(changeset, actor, is_page=is_page)
        transitions.approve(changeset, actor=actor, at=at)
        transitions.note(changeset, "import.applied", actor=actor, at=at)
    return changeset


def discard(*, changeset: Changeset, actor: Actor, at: datetime) -> Changeset:
    """
    Return to review: nothing of a staged changeset leaves the engine.

    Of an applied one whose revert waits for a second person, the rows stay applied.
    """
    with transaction.atomic():
        if changeset.awaits == "revert":
            transitions.note(changeset, "import.discarded", actor=actor, at=at)
            transitions.keep(changeset)
            return changeset
        _require_staged(changeset)
        transitions.discard(changeset, actor=actor, at=at)
        transitions.note(changeset, "import.discarded", actor=actor, at=at)
    return changeset


def _require_staged(changeset: Changeset) -> None:
    if changeset.state != Changeset.State.STAGED:
        raise NotStaged("not_staged.state", state=changeset.state)
