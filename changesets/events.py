"""Audit log entries about one changeset."""

from datetime import datetime

from changesets.models import Changeset
from common import events
from common.actors import Actor


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
