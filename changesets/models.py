"""Changesets: every apply creates one, staged or not."""

from collections.abc import Mapping
from typing import ClassVar

from django.db import models

from changesets.lookups.model import LookedUpKeys as LookedUpKeys
from changesets.lookups.model import Lookup as Lookup
from changesets.proof.evidence import Evidence
from changesets.proof.reconciliation import Tally
from common.json_text import JsonTextField, WordedJsonField
from common.typed_json import Column, TypedJsonField
from common.work.states import StatefulModel
from imports.models import ImportRecord
from licensing.models import Tenant

FULL = "full"  # a mode: known entities that no row names are deleted


class Changeset(StatefulModel):
    """What one apply froze, and its outcome."""

    class State(models.TextChoices):
        """The state of a changeset."""

        APPLYING = "applying"  # frozen; a worker compares rows and writes deliveries
        STAGED = "staged"  # waits for approval; nothing has left the engine
        APPLIED = "applied"  # deliveries committed
        DISCARDED = "discarded"  # never left the engine
        REVERTING = "reverting"  # hosts are being notified
        REVERTED = "reverted"  # the apply was taken back

    S = State
    MOVES: ClassVar[Mapping[str, frozenset[str]]] = {
        S.APPLYING: frozenset({S.STAGED, S.APPLIED, S.DISCARDED}),
        S.STAGED: frozenset({S.APPLYING, S.DISCARDED}),
        S.APPLIED: frozenset({S.REVERTING}),
        S.REVERTING: frozenset({S.REVERTED, S.APPLIED}),
    }

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="changesets")
    record = models.ForeignKey(ImportRecord, on_delete=models.CASCADE, related_name="changesets")
    revision = models.PositiveIntegerField()
    apply_mode = models.CharField(max_length=8)  # webhook or browser
    invalid_rows = models.CharField(max_length=8)  # block, exclude or include
    empty_cells = models.CharField(max_length=8, blank=True)  # keep or clear; blank: not set, keep
    only = models.CharField(max_length=8, blank=True)  # new, changed or known; blank: every row
    mode = models.CharField(max_length=8, blank=True, default="", db_default="")  # or full
    confirmed_missing = models.PositiveBigIntegerField(null=True)  # as many may be deleted
    deletes = JsonTextField(null=True)  # of a full sync: {entity: [how many, of how many known]}
    field_policies = JsonTextField(default=dict)  # by path: the members that this apply set
    needs_approval = models.BooleanField(default=False)  # waits for approval before delivery
    most_alone = models.PositiveBigIntegerField(null=True)  # rows that one person may apply
    prepared_by = JsonTextField(null=True)  # Actors; null where one person may apply any number
    counts = JsonTextField()
    changed_fields = JsonTextField(default=dict)  # rows per field that differs, most rows first
    occurred_at = models.DateTimeField()
    applied_by = JsonTextField(null=True)  # an Actor
    prepared = models.CharField(max_length=200, blank=True)  # storage folder, see preparing
    seen = JsonTextField(null=True)  # the known sets and versions it was compared with
    approved_at = models.DateTimeField(null=True)  # as compared then
    acknowledged_at = models.DateTimeField(null=True)  # the host has the browser results
    learned_at = models.DateTimeField(null=True)  # from then on its entities are known
    reverted_by = JsonTextField(null=True)  # an Actor
    revert_requested_by = JsonTextField(null=True)  # an Actor; a second person has to approve it
    is_forced = models.BooleanField(default=False)  # reverted although later ones build on it
    revert_notes = WordedJsonField(default=list)  # why a host was not notified, or kept its data
    request_key = models.CharField(max_length=255, blank=True)  # of the call that applied it
    evidence: "Column[Evidence | None]" = TypedJsonField(Evidence, null=True)  # for receipts

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["record"],
                condition=models.Q(state__in=("applying", "staged", "applied", "reverting")),
                name="an_import_has_one_live_changeset",
            )
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["state"],
                name="changesets_to_follow",
                condition=models.Q(learned_at__isnull=True) & ~models.Q(prepared="")
                | models.Q(state="reverting"),
            ),
            models.Index(fields=["tenant"], name="full_syncs", condition=models.Q(mode=FULL)),
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def needs_second_person(self) -> bool:
        """Return whether it applies more rows than one person may."""
        return self.most_alone is not None and self.touched > self.most_alone

    @property
    def is_full(self) -> bool:
        """Return whether known entities that no row names are deleted."""
        return self.mode == FULL

    @property
    def touched(self) -> int:
        """Return how many rows it applies, and how many entities it deletes."""
        return int(self.counts["imported"] + self.counts.get("deleted", 0))

    @property
    def awaits(self) -> str | None:
        """Return what it waits for: approval, secondPerson or revert; None if for nothing."""
        if self.state == self.State.APPLIED and self.revert_requested_by:
            return "revert"
        if self.state != self.State.STAGED:
            return None
        return "secondPerson" if self.needs_second_person else "approval"


class DeliveryPart(models.Model):
    """
    One delivery of an apply and the rows it contains, or the entities it deletes.

    Parts are fixed before their bodies are written, in the order of registrations and rows, so that
    a worker that starts over sends the same.
    """

    changeset = models.ForeignKey(Changeset, on_delete=models.CASCADE, related_name="parts")
    delivery_id = models.CharField(max_length=40, unique=True)
    webhook_id = models.CharField(max_length=40)  # of the registration, which may be deleted later
    number = models.PositiveIntegerField()  # from 1, among the parts of its action
    part_count = models.PositiveIntegerField()  # of its registration and action
    first = models.PositiveBigIntegerField()  # position among the delivered rows, from 0
    row_count = models.PositiveBigIntegerField()  # or the number of entities that it deletes
    action = models.CharField(max_length=16, default="submit", db_default="submit")  # or delete
    has_changes = models.BooleanField(default=False)  # its registration asked for changes
    nested = models.BooleanField(default=False, db_default=False)  # its lines are parents

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]

    def __str__(self) -> str:
        return self.delivery_id

    @property
    def rows(self) -> int:
        """Return how many rows its body has; what is deleted is in no row."""
        return self.row_count if self.action == "submit" else 0

    @property
    def batch(self) -> dict[str, int] | None:
        """Return the member ``batch`` of the body; None for the only delivery of a registration."""
        return {"index": self.number, "count": self.part_count} if self.part_count > 1 else None


class RevertPart(models.Model):
    """A delivery that notifies a host of a revert, of this attempt or an earlier one."""

    changeset = models.ForeignKey(Changeset, on_delete=models.CASCADE, related_name="revert_parts")
    delivery_id = models.CharField(max_length=40, unique=True)
    reverts = models.CharField(max_length=40)  # the delivery that brought the rows

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]

    def __str__(self) -> str:
        return self.delivery_id


class Reconciled(models.Model):
    """What a receiver reported about one delivery, counted; kept when its answer is purged."""

    changeset = models.ForeignKey(Changeset, on_delete=models.CASCADE, related_name="reconciled")
    delivery_id = models.CharField(max_length=40, unique=True)
    attempts = models.PositiveIntegerField()  # of the delivery, when its answer was counted
    rows = models.PositiveBigIntegerField()
    agreed = models.PositiveBigIntegerField()
    differs = models.PositiveBigIntegerField()
    refused = models.PositiveBigIntegerField()  # among those that differ

    def __str__(self) -> str:
        return self.delivery_id

    @property
    def tally(self) -> Tally:
        """The counts as a value."""
        return Tally(self.rows, self.agreed, self.differs, self.refused)

    @staticmethod
    def keep(changeset: Changeset, delivery_id: str, attempts: int, tally: Tally) -> None:
        """Store the counts of a delivery, in place of earlier ones."""
        counts = ("rows", "agreed", "differs", "refused")
        counted = {name: getattr(tally, name) for name in counts}
        item = Reconciled(
            changeset=changeset, delivery_id=delivery_id, attempts=attempts, **counted
        )
        Reconciled.objects.bulk_create(
            [item],
            update_conflicts=True,
            unique_fields=["delivery_id"],
            update_fields=["attempts", *counts],
        )


class Plan(models.Model):
    """What the rows of one revision would change of what is known; a computed, stored result."""

    record = models.ForeignKey(ImportRecord, on_delete=models.CASCADE, related_name="plans")
    revision = models.PositiveIntegerField()
    base = models.PositiveIntegerField()  # the revision whose files these rows lie over
    folder = models.CharField(max_length=200)  # in the storage: the rows edited since, or all
    whole = models.CharField(max_length=200)  # the folder with all rows, as the base has them
    seen = JsonTextField(default=dict)  # the known sets and versions it was compared with
    known = JsonTextField(default=dict)  # by entity: how many this scope itself knows
    missing = JsonTextField(default=dict)  # by entity: how many of these no row names
    counts = JsonTextField(default=dict)  # rows by status
    changed_fields = JsonTextField(default=dict)  # rows by field that differs, most rows first
    held_fields = JsonTextField(default=list)  # [{field, why, rows}] of cells that change nothing

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["record", "revision"], name="a_revision_has_one_plan")
        ]

    def __str__(self) -> str:
        return f"{self.record} r{self.revision}"
