"""Changesets: every apply makes one, staged or not."""

from collections.abc import Mapping
from typing import ClassVar

from django.db import models

from common.json_text import JsonTextField
from common.states import StatefulModel
from imports.models import ImportRecord
from licensing.models import Tenant


class Changeset(StatefulModel):
    """What one apply fixed, and what became of it."""

    class State(models.TextChoices):
        """Where a changeset stands."""

        STAGED = "staged"  # fixed; its deliveries are being written
        APPLIED = "applied"  # deliveries committed
        DISCARDED = "discarded"  # never left the engine

    S = State
    MOVES: ClassVar[Mapping[str, frozenset[str]]] = {
        S.STAGED: frozenset({S.APPLIED, S.DISCARDED}),
    }

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="changesets")
    record = models.ForeignKey(ImportRecord, on_delete=models.CASCADE, related_name="changesets")
    revision = models.PositiveIntegerField()
    apply_mode = models.CharField(max_length=8)  # webhook or browser
    invalid_rows = models.CharField(max_length=8)  # block, exclude or include
    # [{registrationId, deliveryId, first, rows, batch?}]: fixed, so that a rerun sends the same
    parts = JsonTextField()
    counts = JsonTextField()
    occurred_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["record"],
                condition=models.Q(state__in=("staged", "applied")),
                name="an_import_has_one_live_changeset",
            )
        ]

    def __str__(self) -> str:
        return self.public_id
