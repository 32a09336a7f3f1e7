"""Audit log entries about one import, and notices to the hosts that ask for them."""

from datetime import datetime
from typing import Any

from common import events
from common.actors import Actor
from deliveries.services.notices import Notice, announce
from imports.models import ImportRecord

State = ImportRecord.State
OF_STATES: dict[str, Notice] = {
    State.MAPPING: "import.waiting",
    State.REVIEW: "import.waiting",
    State.STAGED: "import.waiting",
    State.FAILED: "import.failed",
    State.APPLIED: "import.applied",
}


def note(
    record: ImportRecord,
    kind: events.Kind,
    *,
    actor: Actor,
    at: datetime,
    rule: str = "",
    **about: Any,
) -> None:
    """Record an event of an import, in the transaction in which it happens."""
    events.note(
        tenant=record.tenant.public_id,
        kind=kind,
        subject=record.public_id,
        record=record.public_id,
        actor=actor,
        at=at,
        rule=rule,
        about=about,
    )


def announce_state(record: ImportRecord, *, at: datetime, **about: Any) -> None:
    """Announce the state that an import entered, in the transaction of the move."""
    if (kind := OF_STATES.get(record.state)) is not None:
        announce_import(record, kind, at=at, state=record.state, **about)


def announce_import(record: ImportRecord, kind: Notice, *, at: datetime, **about: Any) -> None:
    """Announce what happened to an import, in its transaction; samples have no notices."""
    if record.purpose != ImportRecord.Purpose.IMPORT:
        return
    announce(
        tenant=record.tenant,
        kind=kind,
        subject=record.public_id,
        at=at,
        record_id=record.public_id,
        catalog_key=record.catalog_key,
        about=about,
    )
