"""
What a person decides before an apply: fields with the policy ``ask``, and conflicts.

The ledger keeps none of these: a job asks its questions about a file, and they end with its next
run. What is known changes without any job, so the answer belongs to the apply it is given with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from changesets.comparison.differences import undecided_of
from changesets.comparison.tables import by_field_and_reason
from changesets.plans.current import plan_of
from changesets.plans.planned_rows import read_cell
from common.errors import Conflict
from imports import services as imports
from imports.page_policy import fixed_at_apply
from tabular.resolving.known_values import CONFLICT, SETTLING, UNDECIDED, policies_of

if TYPE_CHECKING:
    import pyarrow as pa

    from imports.models import ImportRecord

SAMPLES = 3  # cells shown per field


class UndecidedFields(Conflict):
    """Some fields need a decision. Choose for each one in `fields`."""

    code = "undecided_fields"

    def without_values(self) -> UndecidedFields:
        """Return the same for a caller that does not see what is known: fields and counts alone."""
        fields = [{**item, "cells": []} for item in self.members["fields"]]
        return UndecidedFields(members={"fields": fields})


def refuse_undecided(
    record: ImportRecord,
    chosen: Mapping[str, Any],
    *,
    only: str,
    empty_cells: str,
    includes_invalid: bool,
) -> None:
    """
    Raise UndecidedFields if cells wait for a decision that an apply does not make.

    The stored plan answers for an apply of all rows that only decides; what any other apply leaves
    open is compared for it, as its job will do.
    """
    clears = empty_cells == "clear"
    was_planned = clears == (fixed_at_apply(record).get("emptyCells") == "clear")
    if was_planned and not only and not includes_invalid and _only_decides(record, chosen):
        waiting = _waiting_in_plan(record, chosen)
    else:
        table = imports.rows_of(record)
        policies = policies_of(table.files.plan.target, empty_clears=clears, chosen=chosen)
        cells = undecided_of(
            record, table, policies=policies, includes_invalid=includes_invalid, only=only
        )
        waiting = _by_field(cells)
    if waiting:
        raise UndecidedFields(members={"fields": waiting})


def _only_decides(record: ImportRecord, chosen: Mapping[str, Any]) -> bool:
    """Return whether an apply settles what waits, and leaves every other policy as it is."""
    fields = record.target.live_fields
    return all(
        not own.get("emptyCells")
        and own.get("onKnown") in {None, "keep", *_overwriting(fields[path].on_known)}
        for path, own in chosen.items()
    )


def _overwriting(on_known: str | None) -> tuple[str, ...]:
    return () if on_known in SETTLING else ("overwrite",)


def _waiting_in_plan(record: ImportRecord, chosen: Mapping[str, Any]) -> list[dict[str, Any]]:
    plan = plan_of(record)
    return [
        {**item, "cells": plan.rows.held_in(item["field"], item["why"], SAMPLES)}
        for item in plan.held_fields
        if item["why"] in UNDECIDED and not _is_settled(item["why"], chosen.get(item["field"], {}))
    ]


def _is_settled(why: str, own: Mapping[str, Any]) -> bool:
    """Return whether an apply decides the cells of a field; what is kept needs no other answer."""
    if own.get("onKnown") == "keep":
        return True
    return bool(own.get("conflicts" if why == CONFLICT else "onKnown"))


def _by_field(cells: pa.Table) -> list[dict[str, Any]]:
    """Return the fields of cells that wait: field, why, rows, and the first cells."""
    import pyarrow.compute as pc

    waiting = []
    for item in by_field_and_reason(cells):
        here = pc.and_(pc.equal(cells["field"], item["field"]), pc.equal(cells["why"], item["why"]))
        some = cells.filter(here).sort_by("row").slice(0, SAMPLES).to_pylist()
        shown = [{"row": cell["row"], **read_cell(cell)} for cell in some]
        waiting.append({**item, "cells": shown})
    return waiting
