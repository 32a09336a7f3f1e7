"""What happened to a link: a line of the audit log, and a notice to the hosts that ask for it."""

from datetime import datetime
from typing import get_args

from common import events
from common.actors import Actor
from deliveries.services.notices import Notice, announce
from links.models import Link

NOTICES: dict[str, Notice] = {kind: kind for kind in get_args(Notice) if kind.startswith("link.")}


def note(
    link: Link, kind: events.Kind, *, actor: Actor, at: datetime, record: str = "", **about: str
) -> None:
    """Record an event of a link, in the transaction in which it happens."""
    events.note(
        tenant=link.tenant.public_id,
        kind=kind,
        subject=link.public_id,
        record=record,
        actor=actor,
        at=at,
        about=about,
    )
    if kind in NOTICES:
        announce(
            tenant=link.tenant,
            kind=NOTICES[kind],
            subject=link.public_id,
            at=at,
            catalog_key=link.catalog_key,
        )
