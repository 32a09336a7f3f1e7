"""Revisions: which immutable files, and which changes over them, make up a table at one moment.

A revision with files is a *base*; one without shows the files of its base and every row state
noted since. Undo and redo move the pointer of whoever owns the table, also from a transform to
the rows before it; a new operation after an undo makes the revisions it leaves behind *abandoned*.
"""

from typing import ClassVar

from django.db import models

from common.json_text import JsonTextField
from staging.manifest import RowCounts

PURGED = 0  # as the base of a revision: its rows and files are gone


class Revision(models.Model):
    """One state of one staged table; the files it names never change."""

    class Kind(models.TextChoices):
        """What made a revision."""

        TRANSFORM = "transform"  # a whole table was transformed
        REPLAY = "replay"  # earlier edits, brought over to a new transform
        EDIT = "edit"
        REPLACE = "replace"
        FIX = "fix"
        CHECK = "check"  # what hosts say of the rows; undo and redo pass over it

    subject = models.CharField(max_length=40, db_index=True)  # public id of what was staged
    number = models.PositiveIntegerField()  # never used twice, not even after an undo
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.TRANSFORM)
    parent = models.PositiveIntegerField(null=True)  # the revision that undo goes back to
    base = models.PositiveIntegerField(default=0)  # the revision whose files are shown
    transform = models.PositiveIntegerField(default=0)  # the revision that numbered its rows
    is_abandoned = models.BooleanField(default=False)  # left behind by a change after an undo
    folder = models.CharField(max_length=200, blank=True)  # storage folder of its own new files
    manifest = models.JSONField(default=dict)  # of a base: columns, files, counts
    counts = JsonTextField(default=dict)  # see row_counts; empty once the rows are purged
    cells = models.PositiveIntegerField(default=0)  # changed by this revision
    stored_bytes = models.PositiveBigIntegerField(default=0)  # of its row states, edits or files
    about = JsonTextField(default=dict)  # of a change in bulk: what was asked for
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
        """How many rows there are of each kind, where they are still there."""
        return RowCounts.kept(self.counts)

    @property
    def is_base(self) -> bool:
        """Whether this revision has files of its own."""
        return self.base in {0, self.number}


class RowState(models.Model):
    """What a row holds from one revision on, where that differs from the files of its base."""

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
    """One change of one cell by somebody: the audit of edits, and what is replayed."""

    subject = models.CharField(max_length=40)
    revision = models.PositiveIntegerField()
    row = models.PositiveBigIntegerField()
    source = models.BigIntegerField()  # physical row of the file
    ordinal = models.IntegerField()  # which of the rows that unpivoting made of it
    field = models.CharField(max_length=400, blank=True)  # blank: the row was excluded or put back
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


class LostEdit(models.Model):
    """An edit whose cell is gone after a new transform: it waits for somebody to confirm that."""

    subject = models.CharField(max_length=40, db_index=True)
    revision = models.PositiveIntegerField(default=0)  # the transform that has no such cell
    source = models.BigIntegerField()
    ordinal = models.IntegerField()
    field = models.CharField(max_length=400, blank=True)
    text = models.TextField(null=True)
    actor = JsonTextField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.subject} source {self.source} {self.field}"
