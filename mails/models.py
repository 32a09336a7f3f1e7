"""What people want to hear by mail, what is to be written to them, and each mail."""

from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from common.actors import Actor
from common.secrets import SealedTextField
from common.work.claims import Claimable
from common.work.life import Detail
from licensing.models import Tenant
from tabular.model.sentences import LANGUAGES

LANGUAGE_CHOICES = [(language, language) for language in LANGUAGES]
ADDRESS_LENGTH = 254  # RFC 5321
HAS_A_READER = Q(user__isnull=False, address="") | (Q(user__isnull=True) & ~Q(address=""))


class Kind(models.TextChoices):
    """What a mail is about; a person chooses some."""

    WAITING = "waiting"  # an import waits for staff or an approver
    FAILED = "failed"  # an import, a feed or a delivery failed
    DONE = "done"  # an import was applied
    DIGEST = "digest"  # once a day, what came and what waits


class Preference(models.Model):
    """Which mails a person of the admin chose, and how they read them. Without it: none."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mail_preference"
    )
    kinds: "models.JSONField[Any, Any]" = models.JSONField(default=list)
    language = models.CharField(max_length=2, choices=LANGUAGE_CHOICES, default=LANGUAGES[0])
    time_zone = models.CharField(max_length=64, default="UTC")  # of the digest
    digest_due_at = models.DateTimeField(null=True, blank=True)  # null: not chosen

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["digest_due_at"],
                name="mail_digests_due",
                condition=Q(digest_due_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"mails of {self.user_id}"


class Mail(Claimable):
    """One mail to one person or sender, about one tenant."""

    class State(models.TextChoices):
        """The state of a mail."""

        QUEUED = "queued"  # waiting for due_at, or a worker sends it
        SENT = "sent"  # the mail server took it
        FAILED = "failed"  # the mail server refused it, or all waits are used up
        CANCELLED = "cancelled"  # its reader no longer wants it, or may no longer have it

    MOVES: ClassVar = {State.QUEUED: frozenset({State.SENT, State.FAILED, State.CANCELLED})}
    WORKING: ClassVar = frozenset({State.QUEUED})

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="mails")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="mails",
    )
    address = models.CharField(max_length=ADDRESS_LENGTH, blank=True)  # of a sender without account
    scope = models.CharField(max_length=200, blank=True)  # of a sender's files, for an erasure
    language = models.CharField(max_length=2, choices=LANGUAGE_CHOICES, blank=True)  # of a sender
    kind = models.CharField(max_length=8, choices=Kind)
    counts: "models.JSONField[Any, Any]" = models.JSONField(default=dict)  # of a digest
    tries = models.PositiveSmallIntegerField(default=0)
    problem = models.CharField(max_length=40, blank=True)  # why the last try failed, as a code
    created_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["due_at"], name="mails_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["tenant", "kind", "-created_at"], name="mails_of_a_tenant"),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=HAS_A_READER,
                name="mail_has_one_reader",
            ),
            models.UniqueConstraint(
                fields=["tenant", "user", "kind"],
                condition=Q(state="queued", user__isnull=False),
                name="mail_to_a_person_waits_alone",
            ),
            models.UniqueConstraint(
                fields=["tenant", "address", "kind"],
                condition=Q(state="queued", user__isnull=True),
                name="mail_to_a_sender_waits_alone",
            ),
        ]

    def entered(self, state: str, *, at: datetime, actor: Actor, reason: str) -> dict[str, Any]:
        """Return that it is settled, since every move ends it, and why it was given up."""
        problem = reason if state == self.State.FAILED else ""
        ended = {"settled_at": at, "problem": problem}
        return super().entered(state, at=at, actor=actor, reason=reason) | ended

    def log_members(self) -> dict[str, Detail]:
        """Return the tenant, what it is about, and why it was not sent."""
        return {
            "tenant": self.tenant.public_id,
            "kind": self.kind,
            "tries": self.tries,
            "cause": self.problem,
        }

    def __str__(self) -> str:
        return f"{self.public_id} {self.state}"


class Line(models.Model):
    """
    What happened, for one reader; a mail gathers the lines of a while.

    ``page`` is the path of a page for a sender. Who has it may open it, so it is encrypted, and
    forgotten once the mail is settled.
    """

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="mail_lines")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="mail_lines",
    )
    address = models.CharField(max_length=ADDRESS_LENGTH, blank=True)
    scope = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=2, choices=LANGUAGE_CHOICES, blank=True)
    kind = models.CharField(max_length=8, choices=Kind)
    event = models.CharField(max_length=40)  # the kind of the notice
    subject = models.CharField(max_length=40)  # the id of what it happened to
    record_id = models.CharField(max_length=40, blank=True)
    catalog_key = models.CharField(max_length=200, blank=True)
    why: "models.JSONField[Any, Any]" = models.JSONField(default=list)  # codes
    page = SealedTextField(null=True, blank=True)  # type: ignore[misc]  # typed for required secrets
    at = models.DateTimeField()
    mail = models.ForeignKey(
        Mail, on_delete=models.CASCADE, null=True, blank=True, related_name="lines"
    )

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["at"], name="mail_lines_to_gather", condition=Q(mail=None)),
            models.Index(fields=["subject", "user"], name="mail_lines_of_a_subject"),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=HAS_A_READER,
                name="mail_line_has_one_reader",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.subject}"


class Unsubscribed(models.Model):
    """A sender who wants no more mails about a tenant; the address is a digest."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="unsubscribed")
    address_sha256 = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["tenant", "address_sha256"], name="a_sender_unsubscribes_once"
            )
        ]

    def __str__(self) -> str:
        return f"unsubscribed from {self.tenant_id}"
