"""Audit log entries about one import."""

from datetime import datetime
from typing import Any

from common import events
from common.actors import Actor
from imports.models import ImportRecord


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
