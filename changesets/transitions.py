"""
Every move of a changeset from one state to another, and the move of its import with it.

Both rows move in one transaction, so that what an apply froze and what the import shows never
disagree. No other module moves a changeset, or notes in the audit log what people do with one. See
docs/states.md.
"""

from datetime import datetime
from typing import Any

from django.db import transaction

from changesets.models import Changeset
from common import events
from common.actors import Actor
from imports import transitions as imports
from imports.events import Why
from tabular.model.sentences import Sentence

Json = dict[str, Any]
State = Changeset.State
AWAITING = "awaiting approval"
REFUSED = "a host kept its data"
CHANGED = "what is known has changed since it was compared"
SECOND = "awaiting approval by a second person"
MISSING = "more records are missing from the file than were confirmed"
UNDER_WAY = "another import of the same records is under way"
UNTAKEN = "no webhook accepts the deletions now"
WITHDRAWN = "the newest catalog does not allow a full sync"
UNDECIDED = "what is known has changed, and needs a decision"


def note(changeset: Changeset, kind: events.Kind, *, actor: Actor, at: datetime) -> None:
    """Record an event of a changeset, in the transaction in which it happens."""
    about = {"revision": changeset.revision, "rows": changeset.counts["imported"]}
    waits = changeset.needs_second_person and changeset.approved_at is None
    if changeset.needs_approval or changeset.awaits or waits:
        about["staged"] = True
    if changeset.awaits == "revert":
        about["awaits"] = "revert"
    events.note(
        tenant=changeset.tenant.public_id,
        kind=kind,
        subject=changeset.public_id,
        record=changeset.record.public_id,
        actor=actor,
        at=at,
        about=about,
    )


def hold(changeset: Changeset, *, reason: str = "", at: datetime) -> None:
    """Wait for approval before anything leaves the engine; also for another one."""
    with transaction.atomic():
        changeset.write(needs_approval=True, approved_at=None)
        reason = reason or (SECOND if changeset.needs_second_person else AWAITING)
        changeset.move_to(State.STAGED, reason, at=at)
        why: list[Why] = ["changed_since_approval"] if reason == CHANGED else []
        if changeset.needs_second_person:
            why.append("second_person")
        imports.wait_for_approval(changeset.record, at=at, reason=reason, why=why or ("approval",))


def approve(changeset: Changeset, *, actor: Actor, at: datetime) -> None:
    """Have the deliveries of a staged changeset written."""
    with transaction.atomic():
        changeset.write(needs_approval=False, approved_at=at, applied_by=actor.as_dict())
        changeset.move_to(State.APPLYING, at=at, actor=actor)
        imports.deliver_approved(changeset.record, actor=actor, at=at)


def discard(changeset: Changeset, *, actor: Actor, at: datetime) -> None:
    """Return a staged changeset's import to review: nothing leaves the engine."""
    with transaction.atomic():
        changeset.move_to(State.DISCARDED, "discarded", at=at, actor=actor)
        reason = "changeset discarded"
        imports.return_to_review(changeset.record, actor=actor, at=at, reason=reason)


def discard_empty(changeset: Changeset, *, at: datetime) -> None:
    """Return to review: no row is of the kind that was to be applied."""
    reason = Sentence("no row is {word}", word=changeset.only)
    with transaction.atomic():
        changeset.move_to(State.DISCARDED, reason, at=at)
        imports.return_to_review(changeset.record, at=at, reason=reason)


def discard_undecided(changeset: Changeset, *, at: datetime) -> None:
    """Return to review: cells wait for a decision that was not asked for at the apply."""
    with transaction.atomic():
        changeset.move_to(State.DISCARDED, UNDECIDED, at=at)
        imports.return_to_review(changeset.record, at=at, reason=UNDECIDED, why=("conflicts",))


def cancel(changeset: Changeset, *, actor: Actor, at: datetime) -> None:
    """Discard a changeset whose import is cancelled; inside the transaction that cancels it."""
    changeset.move_to(State.DISCARDED, "import cancelled", at=at, actor=actor)


def apply(changeset: Changeset, *, at: datetime) -> None:
    """Mark a changeset and its import as applied; inside the transaction of its deliveries."""
    with transaction.atomic():
        changeset.move_to(State.APPLIED, at=at)
        imports.apply(
            changeset.record, counts=changeset.counts, applied_at=changeset.occurred_at, at=at
        )


def request_revert(changeset: Changeset, *, actor: Actor, at: datetime) -> None:
    """Have a revert wait for a second person; the rows stay applied until then."""
    with transaction.atomic():
        changeset.write(revert_requested_by=actor.as_dict())
        imports.wait_to_revert(changeset.record, at=at)


def keep(changeset: Changeset) -> None:
    """Forget that a revert was asked for."""
    changeset.write(revert_requested_by=None)


def begin_reverting(
    changeset: Changeset,
    *,
    notes: list[Json],
    is_forced: bool,
    actor: Actor,
    at: datetime,
) -> None:
    """
    Have the hosts notified that a changeset is reverted.

    notes: why a host is not notified.
    """
    with transaction.atomic():
        changeset.write(reverted_by=actor.as_dict(), is_forced=is_forced, revert_notes=notes)
        changeset.move_to(State.REVERTING, at=at, actor=actor)
        imports.begin_reverting(changeset.record, actor=actor, at=at)


def keep_applied(changeset: Changeset, *, conflicts: list[Json], at: datetime) -> None:
    """End a revert that a host refused. conflicts: what each host that kept its data answered."""
    notes = [*changeset.revert_notes, *conflicts]
    with transaction.atomic():
        changeset.write(revert_notes=notes, revert_requested_by=None)
        changeset.move_to(State.APPLIED, REFUSED, at=at)
        imports.keep_applied(changeset.record, at=at, reason=REFUSED)


def revert(changeset: Changeset, *, notes: list[Json], at: datetime) -> None:
    """Mark a changeset and its import as reverted. notes: what changed since and was left."""
    notes = [*changeset.revert_notes, *notes]
    with transaction.atomic():
        changeset.write(revert_notes=notes)
        changeset.move_to(State.REVERTED, at=at)
        changeset.record.refresh_from_db()
        imports.revert(changeset.record, at=at)
