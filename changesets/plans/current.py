"""
The plan of an import as it is now: computed once per revision, and after an edit only its rows.

A plan is stored with the versions of the known sets it was compared with. It is computed again once
one of them changed, and after an edit from the plan before: a row is judged by its own cells, so
only rows whose cells, errors or exclusion changed are compared again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.db import transaction

from changesets.comparison.differences import versions_of
from changesets.features import sets_of
from changesets.lookups.state import require
from changesets.models import Plan
from changesets.plans.computation import (
    compared_rows,
    plan_of_base,
    plan_of_edited,
    plan_of_unknown,
)
from changesets.plans.planned_rows import PlannedRows, opened
from changesets.plans.under_way import applies_under_way
from common import storage
from imports import services as imports
from imports.models import ImportRecord
from imports.selectors import NoRowsYet

if TYPE_CHECKING:
    from references.selectors import Sets
    from staging.columns import StagedTable

FORM = 5  # of the stored lines; plans in an earlier form are computed again
KEPT = 5  # plans of an import, so that an undo finds its own


@dataclass(frozen=True)
class CurrentPlan:
    """
    What the rows of a revision would change.

    known, missing: by entity, how many this scope itself knows, and how many of these no row names;
    of an entry with ``fullSync`` only entities with a key count.
    keys: by entity, the field that identifies it. Without any entity nothing was compared, and
    every row is new. under_way: other applies of the scope that are not delivered yet; what they
    change is not known, and so not compared.
    """

    revision: int
    rows: PlannedRows
    counts: Mapping[str, int]
    changed_fields: Mapping[str, int] = field(default_factory=dict)
    held_fields: Sequence[dict[str, Any]] = ()
    known: Mapping[str, int] = field(default_factory=dict)
    missing: Mapping[str, int] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    under_way: Sequence[str] = ()


def plan_of(record: ImportRecord) -> CurrentPlan:
    """
    Return the plan of an import's rows as they are now.

    Raise NoRowsYet without any, and LookingUp or LookupFailed without the host's answers about
    their keys.
    """
    from tabular.resolving.pointers import key_fields

    require(record)
    table, sets = imports.rows_of(record), sets_of(record)
    names = compared_rows(record, table, sets).names
    if not names:
        rows, tally = plan_of_unknown(table)
        return CurrentPlan(
            table.revision.number, rows, tally.counts, under_way=applies_under_way(record)
        )
    seen = _versions(sets, names)
    plan = _kept(record, table, sets, seen)
    try:
        rows = _rows_of(plan)
    except FileNotFoundError:  # what is known has changed meanwhile, and so has the plan
        forget_plans(record)
        sets = sets_of(record)
        plan = _kept(record, table, sets, _versions(sets, names))
        rows = _rows_of(plan)
    return CurrentPlan(
        plan.revision,
        rows,
        plan.counts,
        plan.changed_fields,
        plan.held_fields,
        plan.known,
        plan.missing,
        key_fields(table.files.plan.target),
        applies_under_way(record),
    )


def forget_plans(record: ImportRecord) -> None:
    """Delete every plan of an import."""
    _delete(list(Plan.objects.filter(record=record)))


def named_files() -> set[str]:
    """Return the files that plans keep."""
    kept = Plan.objects.filter(record__purged_at__isnull=True).values_list("folder", "whole")
    return {name for pair in kept for name in pair}


def _versions(sets: Mapping[str, Sets], names: list[str]) -> dict[str, Any]:
    return {"": FORM, **versions_of({name: sets[name] for name in names})}


def _stored(record: ImportRecord, revision: int, seen: dict[str, Any]) -> Plan | None:
    plan = Plan.objects.filter(record=record, revision=revision).first()
    return plan if plan is not None and plan.seen == seen else None


def _rows_of(plan: Plan) -> PlannedRows:
    whole = opened(storage.local_path(plan.whole))
    if plan.folder == plan.whole:
        return PlannedRows(whole)
    return PlannedRows(whole, opened(storage.local_path(plan.folder)))


def _kept(
    record: ImportRecord, table: StagedTable, sets: Mapping[str, Sets], seen: dict[str, Any]
) -> Plan:
    """Return the stored plan of some rows; it is computed if there is none."""
    if stored := _stored(record, table.revision.number, seen):
        return stored
    number = table.revision.base or table.revision.number
    whole = _stored(record, number, seen)
    if whole is None:
        base = imports.rows_of(record, number)
        whole = _store(plan_of_base(record, base, sets, seen))
    if table.revision.is_base:
        return whole
    edited = Plan.objects.filter(record=record, whole=whole.whole).exclude(folder=whole.folder)
    before = edited.order_by("-pk").first()
    return _store(plan_of_edited(record, table, sets, whole, before))


def _store(plan: Plan) -> Plan:
    """Store a plan, unless its revision has an equal one, and delete those that nothing needs."""
    with transaction.atomic():
        record = ImportRecord.objects.select_for_update().get(pk=plan.record_id)
        if record.purged_at is not None:  # deleted while the plan was computed
            _delete_files([plan])
            raise NoRowsYet
        mine = list(Plan.objects.filter(record=plan.record).order_by("-pk"))
        same = next((item for item in mine if item.revision == plan.revision), None)
        if same is not None and same.seen == plan.seen:
            _delete_files([plan])
            return same
        edited = [item for item in mine if item.whole == plan.whole and item.revision != plan.base]
        gone = [item for item in mine if item.whole != plan.whole or item in edited[KEPT:]]
        Plan.objects.filter(pk__in=[item.pk for item in gone]).delete()
        plan.save(force_insert=True)
    _delete_files(gone)
    return plan


def _delete(plans: list[Plan]) -> None:
    Plan.objects.filter(pk__in=[plan.pk for plan in plans]).delete()
    _delete_files(plans)


def _delete_files(plans: list[Plan]) -> None:
    for name in {plan.folder for plan in plans}:
        storage.delete(name)
