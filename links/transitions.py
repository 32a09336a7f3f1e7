"""
Every move of a link from one state to another, and the line of the audit log about it.

No other module moves a link. See docs/states.md.
"""

from datetime import datetime

from django.db import transaction

from common.actors import ENGINE, Actor
from links.models import Link
from links.notes import note

State = Link.State


def use_up(link: Link, reason: str, *, actor: Actor, at: datetime) -> None:
    """Let no other browser open a link."""
    with transaction.atomic():
        link.move_to(State.USED, reason, at=at, actor=actor)
        note(link, "link.used", actor=actor, at=at)


def expire(link: Link, *, at: datetime) -> None:
    """Note that the time of a link is over, and forget the host's data about its imports."""
    with transaction.atomic():
        link.write(terms=link.terms | {"meta": None})
        link.move_to(State.EXPIRED, "its time is over", at=at)
        note(link, "link.expired", actor=ENGINE, at=at)


def revoke(link: Link, *, actor: Actor, at: datetime) -> None:
    """Withdraw a link, and forget the host's data about its imports."""
    with transaction.atomic():
        link.write(terms=link.terms | {"meta": None})
        link.move_to(State.REVOKED, at=at, actor=actor)
        note(link, "link.revoked", actor=actor, at=at)
