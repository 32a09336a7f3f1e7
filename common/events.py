"""A tenant's audit log: who did what, or which rule did it. docs/events.md.

A line is written in the transaction of the action that it records, and never changed. It names
objects and holds none of their cell values.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, get_args

from common.actors import Actor
from common.ids import new_id
from common.models import Event

Kind = Literal[
    "webhook.registered",
    "webhook.rotated",
    "webhook.deleted",
    "catalog.published",
    "catalog.retired",
    "license.minted",
    "license.revoked",
    "license.expires",
    "session.ended",
    "link.created",
    "link.opened",
    "link.import-started",
    "link.used",
    "link.locked",
    "link.expired",
    "link.revoked",
    "feed.created",
    "feed.changed",
    "feed.deleted",
    "feed.paused",
    "feed.resumed",
    "feed.failed",
    "signing-key.rotated",
    "signing-key.revoked",
    "contract.signed",
    "references.deleted",
    "value-list.saved",
    "value-list.deleted",
    "mapping.settled",
    "question.answered",
    "question.dismissed",
    "rows.edited",
    "rows.replaced",
    "rows.checked",
    "rows.set",
    "rows.fixed",
    "rows.undone",
    "rows.redone",
    "import.applied",
    "import.reverted",
    "import.discarded",
    "import.purged",
    "person.signed-in",
    "person.refused",
    "person.rights-changed",
    "person.invited",
    "person.password-set",
    "factor.added",
    "factor.removed",
]
KINDS: tuple[Kind, ...] = get_args(Kind)


def note(
    *,
    tenant: str,
    kind: Kind,
    subject: str,
    actor: Actor | Mapping[str, str],
    at: datetime,
    record: str = "",
    rule: str = "",
    about: Mapping[str, Any] | None = None,
) -> None:
    """
    Write a line. tenant, subject, record: public ids; record is the import it happened in.

    rule: the rule that caused it, if no person did.
    """
    who = actor.as_dict() if isinstance(actor, Actor) else dict(actor)
    Event.objects.create(
        public_id=new_id("evt_"),
        tenant=tenant,
        kind=kind,
        subject=subject,
        record=record,
        actor_kind=who["kind"],
        actor_id=who["id"],
        actor_label=who.get("label", ""),
        rule=rule,
        about=dict(about or {}),
        at=at,
    )
