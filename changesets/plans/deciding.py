"""
What a person decides before an apply: fields with the policy ``ask``, and conflicts.

The ledger keeps none of these: a job asks its questions about a file, and they end with its next
run. What is known changes without any job, so the answer belongs to the apply it is given with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from changesets.comparison.compare import sets_of
from changesets.plans.current import plan_of
from common.errors import Conflict
from tabular.resolving.known_values import ASK, CONFLICT, UNDECIDED

if TYPE_CHECKING:
    from imports.models import ImportRecord

DECIDED_BY = {ASK: "onKnown", CONFLICT: "conflicts"}  # the member of an apply that decides
SAMPLES = 3  # cells shown per field


class UndecidedFields(Conflict):
    """Some fields need a decision. Choose for each one in `fields`."""

    code = "undecided_fields"

    def without_values(self) -> UndecidedFields:
        """Return the same for a caller that does not see what is known: fields and counts alone."""
        fields = [{**item, "cells": []} for item in self.members["fields"]]
        return UndecidedFields(members={"fields": fields})


def refuse_undecided(record: ImportRecord, chosen: Mapping[str, Any], *, only: str) -> None:
    """Raise UndecidedFields if cells wait for a decision that an apply does not make."""
    if only == "new" or not _may_wait(record):
        return
    plan = plan_of(record)
    waiting = [
        item
        for item in plan.held_fields
        if item["why"] in UNDECIDED
        and not chosen.get(item["field"], {}).get(DECIDED_BY[item["why"]])
    ]
    if waiting:
        shown = [
            {**item, "cells": plan.rows.held_in(item["field"], item["why"], SAMPLES)}
            for item in waiting
        ]
        raise UndecidedFields(members={"fields": shown})


def _may_wait(record: ImportRecord) -> bool:
    """Return whether any cell may wait: without planning the rows, which may take seconds."""
    asks = any(field.on_known == "ask" for field in record.target.live_fields.values())
    return bool(record.revision) and (
        asks
        or any(
            known.delivered_at is not None and known.told_at is not None
            for sets in sets_of(record).values()
            for known in sets
        )
    )
