"""Every move of a mail from one state to another. No other module moves a mail."""

from datetime import datetime

from django.db import transaction

from mails.models import Mail

State = Mail.State


def sent(mail: Mail, *, at: datetime) -> None:
    """Record that the mail server took it."""
    _settle(mail, State.SENT, at=at)


def fail(mail: Mail, *, problem: str, at: datetime) -> None:
    """Record that a mail failed for good. problem: a code."""
    _settle(mail, State.FAILED, problem, at=at)


def cancel(mail: Mail, *, reason: str, at: datetime) -> None:
    """End it unsent: its reader no longer wants it, or may no longer have it."""
    _settle(mail, State.CANCELLED, reason, at=at)


def _settle(mail: Mail, state: str, reason: str = "", *, at: datetime) -> None:
    """End a mail, and forget the pages that only its reader may open."""
    with transaction.atomic():
        mail.move_to(state, reason, at=at)
        mail.lines.exclude(page=None).update(page=None)
