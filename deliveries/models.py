"""Registrations, deliveries, and every attempt. Spec: Events."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from common.actors import Actor
from common.json_text import JsonTextField, WordedField
from common.secrets import SealedTextField
from common.work.claims import Claimable
from common.work.life import Detail
from licensing.models import Tenant

RESPONSE_HEAD_LENGTH = 2_000
LABEL_LENGTH = 80


def submit_only() -> list[str]:
    """Return the default actions of a registration; reverts must be requested."""
    return ["submit"]


class Registration(models.Model):
    """A URL of a host that receives deliveries, and the secret that signs them."""

    public_id = models.CharField(max_length=40, unique=True, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="registrations")
    label = models.CharField(max_length=LABEL_LENGTH, blank=True)  # the name that people see
    url = models.CharField(max_length=2_000)
    url_key = models.CharField(max_length=64, blank=True)  # empty if an older one has the same
    actions = models.JSONField(default=submit_only)
    events: "models.JSONField[Any, Any]" = models.JSONField(default=list)  # notices it asks for
    include = models.JSONField(default=list, blank=True)  # further members that it asks for
    catalog_keys: "models.JSONField[Any, Any]" = models.JSONField(
        null=True, blank=True
    )  # None: all
    secret = SealedTextField()
    previous_secret = SealedTextField(null=True, blank=True)  # type: ignore[misc]  # typed for required secrets
    previous_until = models.DateTimeField(null=True, blank=True)
    max_rows_per_delivery = models.PositiveIntegerField(null=True, blank=True)
    nested = models.BooleanField(default=False, db_default=False)  # parents that hold children
    failing_since = models.DateTimeField(null=True, blank=True)
    consecutive_failures = models.PositiveIntegerField(default=0)
    refusing_since = models.DateTimeField(null=True, blank=True)  # a refusal is not sent again
    created_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["tenant", "url_key"],
                condition=Q(deleted_at__isnull=True) & ~Q(url_key=""),
                name="registration_url_is_taken_once",
            ),
            models.CheckConstraint(
                condition=Q(max_rows_per_delivery__isnull=True) | Q(max_rows_per_delivery__gte=1),
                name="registration_parts_have_rows",
            ),
            models.CheckConstraint(
                condition=Q(previous_secret__isnull=True, previous_until__isnull=True)
                | Q(previous_secret__isnull=False, previous_until__isnull=False),
                name="registration_overlap_has_an_end",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id  # a query of the URL may contain a secret

    @property
    def is_failing(self) -> bool:
        """Return whether the last attempt failed."""
        return self.consecutive_failures > 0

    def takes(self, action: str, catalog_key: str) -> bool:
        """Return whether this action of an import into this catalog is delivered here."""
        asked_for = self.catalog_keys is None or catalog_key in self.catalog_keys
        return action in self.actions and asked_for

    def asks_for(self, event: str, catalog_key: str) -> bool:
        """Return whether a notice about a catalog, or about none, is sent here."""
        is_about = self.catalog_keys is None or catalog_key in self.catalog_keys
        return event in self.events and is_about


class Delivery(Claimable):
    """One event, ``import.apply`` or a notice, on its way to one registered URL."""

    class State(models.TextChoices):
        """The state of a delivery."""

        PENDING = "pending"  # waiting for due_at
        SENDING = "sending"  # a dispatcher has claimed it
        DELIVERED = "delivered"  # the host answered 2xx
        REJECTED = "rejected"  # the host answered 4xx
        EXHAUSTED = "exhausted"  # all waits are used up
        CANCELLED = "cancelled"  # its registration was deleted

    MOVES: ClassVar = {
        State.PENDING: frozenset({State.SENDING, State.PENDING, State.CANCELLED}),
        State.SENDING: frozenset(
            {State.PENDING, State.DELIVERED, State.REJECTED, State.EXHAUSTED, State.CANCELLED}
        ),
        State.DELIVERED: frozenset({State.PENDING}),
        State.REJECTED: frozenset({State.PENDING, State.REJECTED}),  # resent in parts
        State.EXHAUSTED: frozenset({State.PENDING}),
        State.CANCELLED: frozenset({State.PENDING}),
    }
    UNSETTLED: ClassVar = frozenset({State.PENDING, State.SENDING})
    WORKING = UNSETTLED

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="deliveries")
    registration = models.ForeignKey(
        Registration, on_delete=models.CASCADE, related_name="deliveries"
    )
    record_id = models.CharField(max_length=40, db_index=True)
    changeset_id = models.CharField(max_length=40, blank=True)  # empty for a test
    action = models.CharField(max_length=16)
    event = models.CharField(max_length=40, blank=True)  # of a notice; empty: import.apply
    is_test = models.BooleanField(default=False)
    is_reverted = models.BooleanField(default=False)  # its rows are resent only on request
    is_outdated = models.BooleanField(  # a deletion that a later apply may contradict
        default=False, db_default=False
    )
    part_of = models.ForeignKey(  # the delivery too large to send at once
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="parts"
    )
    body_head = models.TextField(blank=True)  # the bytes before those of the file; all of a notice
    body_name = models.CharField(max_length=200, blank=True, db_index=True)  # empty once purged
    body_size = models.PositiveBigIntegerField()  # bytes
    body_sha256 = models.CharField(max_length=64)
    row_count = models.PositiveBigIntegerField()
    attempts = models.PositiveIntegerField(default=0)
    waits_used = models.PositiveSmallIntegerField(default=0)  # a redelivery resets it
    created_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    hint = models.CharField(max_length=300, blank=True)
    host_results = JsonTextField(null=True, blank=True)  # [{row, status, before?, message?}]
    host_results_note = WordedField(max_length=300, blank=True)  # why there are none

    class Meta:
        verbose_name_plural = "deliveries"
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["due_at", "id"],
                name="delivery_work_by_time",
                condition=Q(due_at__isnull=False),
            ),
            models.Index(fields=["tenant", "-public_id"], name="delivery_newest_of_a_tenant"),
            models.Index(fields=["tenant", "state", "-public_id"], name="delivery_by_state"),
            models.Index(fields=["tenant", "created_at"], name="delivery_by_time"),
            models.Index(fields=["tenant", "record_id"], name="delivery_by_record"),
            models.Index(fields=["registration", "state"], name="delivery_of_a_registration"),
            models.Index(
                fields=["tenant"],
                name="deletions_to_outdate",
                condition=Q(action="delete", is_outdated=False),
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(state__in=["pending", "sending"], due_at__isnull=False)
                | Q(~Q(state__in=["pending", "sending"]), due_at__isnull=True),
                name="delivery_has_a_time_until_settled",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["pending", "sending"], settled_at__isnull=True)
                | Q(~Q(state__in=["pending", "sending"]), settled_at__isnull=False),
                name="delivery_settled_has_a_moment",
            ),
            models.CheckConstraint(
                condition=~Q(state="sending") | Q(claimed_until__isnull=False),
                name="delivery_sending_is_claimed",
            ),
        ]

    def entered(self, state: str, *, at: datetime, actor: Actor, reason: str) -> dict[str, Any]:
        """Return what one that is sent again starts with, or the reason why one stays as it is."""
        if state != self.State.PENDING:
            return {"hint": reason}
        work = {"due_at": at, "claimed_until": None}
        return work | {"settled_at": None, "waits_used": 0, "hint": ""}

    def log_members(self) -> dict[str, Detail]:
        """Return the tenant, the import and changeset, and the size."""
        return {
            "import": self.record_id,
            "tenant": self.tenant.public_id,
            "action": self.action,
            "rows": self.row_count,
        }

    def __str__(self) -> str:
        return f"{self.public_id} {self.state}"


class Attempt(models.Model):
    """One POST of a delivery, and its answer."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="history")
    number = models.PositiveIntegerField()  # from 1
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField()
    sent_to = models.TextField(blank=True)  # the URL without its query; empty if none was called
    sent_to_key = models.CharField(max_length=64, blank=True)  # of the whole URL, like a url_key
    http_status = models.PositiveSmallIntegerField(null=True, blank=True)
    error_class = models.CharField(max_length=40, blank=True)
    latency_ms = models.PositiveIntegerField()
    response_head = models.CharField(max_length=RESPONSE_HEAD_LENGTH, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["delivery", "number"], name="attempt_number_is_used_once"
            ),
            models.CheckConstraint(
                condition=Q(http_status__isnull=False) | ~Q(error_class=""),
                name="attempt_has_a_status_or_an_error",
            ),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number}: {self.http_status or self.error_class}"


class Rehearsal(Claimable):
    """A rehearsal of a registered receiver, played by a worker; one at a time for each tenant."""

    class State(models.TextChoices):
        """The state of a rehearsal."""

        PLAYING = "playing"  # a worker plays it or will play it
        DONE = "done"  # the reports are there
        FAILED = "failed"  # problem says why

    MOVES: ClassVar = {State.PLAYING: frozenset({State.DONE, State.FAILED})}
    WORKING: ClassVar = frozenset({State.PLAYING})

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="rehearsals")
    registration = models.ForeignKey(
        Registration, on_delete=models.CASCADE, related_name="rehearsals"
    )
    catalog_key = models.CharField(max_length=64)
    reports = JsonTextField(default=list)  # [{title, did, should, advice}] of the scenes so far
    problem = models.CharField(max_length=300, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    started_by = models.JSONField()
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["due_at"], name="rehearsals_due", condition=Q(due_at__isnull=False)
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["tenant"],
                condition=Q(state="playing"),
                name="rehearsal_is_alone_in_its_tenant",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id
