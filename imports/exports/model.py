"""Rows of an import as a workbook."""

from collections.abc import Mapping
from typing import ClassVar

from django.db import models

from common.work.claims import Claimable


class Workbook(Claimable):
    """The rows of an import at one revision as a workbook, written by a worker."""

    class State(models.TextChoices):
        """The state of the workbook."""

        WRITING = "writing"  # a worker writes it or will write it
        READY = "ready"  # the file exists
        FAILED = "failed"  # after several tries; a new request tries again

    MOVES: ClassVar[Mapping[str, frozenset[str]]] = {
        State.WRITING: frozenset({State.READY, State.FAILED}),
    }
    WORKING = frozenset({State.WRITING})

    record = models.ForeignKey(
        "imports.ImportRecord", on_delete=models.CASCADE, related_name="workbooks"
    )
    revision = models.PositiveIntegerField()
    which = models.CharField(max_length=8)  # all or error
    language = models.CharField(max_length=8, default="en")  # of the reasons in it
    created_at = models.DateTimeField()
    file = models.CharField(max_length=200, blank=True)  # storage name
    done = models.PositiveBigIntegerField(default=0)  # rows
    total = models.PositiveBigIntegerField()
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["record", "revision", "which", "language"],
                name="a_workbook_is_written_once",
            )
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["due_at"], name="workbooks_due", condition=models.Q(due_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.public_id
