"""A change that is too large for one call."""

from collections.abc import Mapping
from typing import ClassVar

from django.db import models

from common.json_text import JsonTextField, WordedJsonField
from common.work.claims import Claimable


class BulkChange(Claimable):
    """A change of many cells of an import, made by a worker as one revision."""

    class State(models.TextChoices):
        """The state of the change."""

        RUNNING = "running"  # a worker makes it or will make it
        DONE = "done"  # its revision exists
        FAILED = "failed"  # nothing was changed; the problem has the reason
        CANCELLED = "cancelled"  # nothing was changed

    MOVES: ClassVar[Mapping[str, frozenset[str]]] = {
        State.RUNNING: frozenset({State.DONE, State.FAILED, State.CANCELLED}),
    }
    WORKING = frozenset({State.RUNNING})
    REVOKED = frozenset({State.CANCELLED})

    record = models.ForeignKey(
        "imports.ImportRecord", on_delete=models.CASCADE, related_name="bulk_changes"
    )
    kind = models.CharField(max_length=12)  # see the services: bulk.KINDS
    request = JsonTextField(null=True)  # the requested change, until it is over
    actor = JsonTextField()
    created_at = models.DateTimeField()
    stage = models.CharField(max_length=12, blank=True)
    done = models.PositiveBigIntegerField(default=0)  # rows of the stage
    total = models.PositiveBigIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    revision = models.PositiveIntegerField(null=True)  # the revision that it made
    cells = models.PositiveIntegerField(default=0)  # how many it changed
    problem = WordedJsonField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["record"],
                condition=models.Q(state="running"),
                name="an_import_has_one_running_change",
            ),
            models.CheckConstraint(
                name="a_failed_change_says_why",
                condition=~models.Q(state="failed") | models.Q(problem__isnull=False),
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["due_at"], name="bulk_changes_due", condition=models.Q(due_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.public_id
