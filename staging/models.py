"""Revisions: which immutable files, and which changes over them, make up a table at one moment.

A revision with files is a *base*. One without shows the files of its base and every row state
recorded since. Undo and redo move the pointer of the table's owner, also from a transform to the
rows before it. A new operation after an undo makes the revisions it leaves behind *abandoned*.
"""

from typing import ClassVar

from django.db import models

from common.json_text import JsonTextField
from staging.manifest import RowCounts

PURGED = 0  # as the base of a revision: its rows and files are gone


class Revision(models.Model):
    """One state of one stored table; the files it names never change."""

    class Kind(models.TextChoices):
        """What made a revision."""

        TRANSFORM = "transform"  # a whole table was transformed
        REPLAY = "replay"  # earlier edits, moved to a new transform
        EDIT = "edit"
        REPLACE = "replace"
        FIX = "fix"
        HOST = "host"  # values that a host set in the rows that it checked
        CHECK = "check"  # hosts' findings about the rows; undo and redo skip it

    subject = models.CharField(max_length=40, db_index=True)  # public id of the table's owner
    number = models.PositiveIntegerField()  # never used twice, not even after an undo
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.TRANSFORM)
    parent = models.PositiveIntegerField(null=True)  # the revision that undo returns to
    base = models.PositiveIntegerField(default=0)  # the revision whose files are shown
    transform = models.PositiveIntegerField(default=0)  # the revision that numbered its rows
    is_abandoned = models.BooleanField(default=False)  # left behind by a change after an undo
    folder = models.CharField(max_length=200, blank=True)  # storage folder of its own new files
    manifest = models.JSONField(default=dict)  # of a base: columns, files, counts
    counts = JsonTextField(default=dict)  # see row_counts; empty once the rows are purged
    cells = models.PositiveIntegerField(default=0)  # changed by this revision
    stored_bytes = models.PositiveBigIntegerField(default=0)  # of its row states, edits or files
    about = JsonTextField(default=dict)  # of a bulk change: its parameters
    actor = JsonTextField(default=dict)
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["subject", "number"], name="a_revision_number_is_used_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.subject} r{self.number}"

    @property
    def row_counts(self) -> RowCounts:
        """The row counts by kind, if the rows still exist."""
        return RowCounts.kept(self.counts)

    @property
    def is_base(self) -> bool:
        """Whether this revision has files of its own."""
        return self.base in {0, self.number}


class RowState(models.Model):
    """What a row holds from one revision on, where it differs from the files of its base."""

    subject = models.CharField(max_length=40)
    revision = models.PositiveIntegerField()
    row = models.PositiveBigIntegerField()
    state = JsonTextField()  # severity, excluded, texts, values, issues

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["subject", "revision", "row"], name="a_row_has_one_state_in_a_revision"
            )
        ]

    def __str__(self) -> str:
        return f"{self.subject} r{self.revision} row {self.row}"


class CellEdit(models.Model):
    """One user's change of one cell: the audit trail of edits, and the source of replays."""

    subject = models.CharField(max_length=40)
    revision = models.PositiveIntegerField()
    row = models.PositiveBigIntegerField()
    source = models.BigIntegerField()  # physical row of the file
    ordinal = models.IntegerField()  # which of the rows that unpivoting made from it
    field = models.CharField(max_length=400, blank=True)  # blank: the row was excluded or included
    text = models.TextField(null=True)
    previous = models.TextField(null=True)
    actor = JsonTextField()
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["subject", "revision", "row"], name="edits_of_a_table")
        ]

    def __str__(self) -> str:
        return f"{self.subject} r{self.revision} row {self.row} {self.field}"


class OrphanedEdit(models.Model):
    """An edit whose cell is gone after a new transform, until a user confirms the loss."""

    subject = models.CharField(max_length=40, db_index=True)
    revision = models.PositiveIntegerField(default=0)  # the transform without this cell
    source = models.BigIntegerField()
    ordinal = models.IntegerField()
    field = models.CharField(max_length=400, blank=True)
    text = models.TextField(null=True)
    actor = JsonTextField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.subject} source {self.source} {self.field}"
