"""Change rows in review, undo and redo: staging computes the result, the import points at it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from common import events
from common.actors import Actor
from common.errors import Conflict, NotFound, ServiceError, StaleState
from imports.allowances import refuse_edits
from imports.answers.snapshots import current_inputs, exchange_questions, inputs_of
from imports.customization import read_only_fields
from imports.events import note
from imports.models import ImportRecord
from imports.selectors import NoRowsYet
from imports.transitions import refuse_while_changing
from staging import services as staging
from staging.changes import Changes, Prepared, check_cells, refuse_overlaps, refuse_read_only
from staging.columns import StagedTable
from staging.edits.preparation import prepare as prepare_changes
from staging.edits.proposals import Refused, accepted, as_texts
from staging.lineage.history import between, have_same_rows
from staging.models import Revision
from staging.selectors import at_revision

State = ImportRecord.State
NOTED: dict[Revision.Kind, events.Kind] = {
    Revision.Kind.EDIT: "rows.edited",
    Revision.Kind.REPLACE: "rows.replaced",
    Revision.Kind.FIX: "rows.fixed",
    Revision.Kind.CHECK: "rows.checked",
    Revision.Kind.HOST: "rows.set",
}
Judge = Callable[[Mapping[str, str]], None]
TRIES = 5  # how often an edit is recomputed because another one came first


class NotInReview(Conflict):
    """The import is not in review; its rows cannot be changed."""

    code = "not_in_review"


class UnknownRevision(NotFound):
    """There is no such revision of these rows."""

    code = "unknown_revision"


class ViewOutdated(Conflict):
    """The rows have changed since this view was opened. Reload it."""

    code = "view_outdated"


def _anything(by: Mapping[str, str]) -> None:
    """Allow every change to be undone."""


@dataclass(frozen=True, slots=True)
class Changed:
    """The result of a change: the new revision, and the rows that changed."""

    revision: int
    counts: dict[str, Any]
    rows: tuple[int, ...] = ()
    cells: int = 0
    refused: tuple[Refused, ...] = ()  # proposals that the catalog does not take


def rows_of(record: ImportRecord, number: int | None = None) -> StagedTable:
    """Open the rows of an import at a revision. Raise NoRowsYet or UnknownRevision."""
    if not record.revision:
        raise NoRowsYet
    table = at_revision(record.public_id, number or record.revision)
    if table is None:
        raise UnknownRevision
    return table


def rows_as_of(record: ImportRecord, table: StagedTable, number: int | None) -> StagedTable:
    """
    Open the rows that select and order a view of ``table``: its own, or another revision.

    Raise ViewOutdated if a transform lies between them, because row numbers differ.
    """
    if number in {None, table.revision.number}:
        return table
    return _same_rows(table, rows_of(record, number))


def _same_rows(table: StagedTable, other: StagedTable) -> StagedTable:
    if not have_same_rows(table.revision, other.revision):
        raise ViewOutdated(members={"revision": table.revision.number})
    return other


def edit_rows(
    *, record: ImportRecord, seen: int, changes: Changes, actor: Actor, at: datetime
) -> Changed:
    """
    Edit cells, exclude rows or include them again.

    seen: the revision the caller saw. Raise OverlappingEdits if one of these cells has another
    value since; other changes merge. Raise ViewOutdated if a transform lies between, FieldReadOnly
    for a field whose values cannot be changed. Proposals that would lead to errors are not made.
    """
    refused: tuple[Refused, ...] = ()

    def prepare(table: StagedTable) -> Prepared:
        nonlocal refused
        check_cells(table, changes)
        refuse_read_only(changes, read_only_fields(record))
        _refuse_hidden(record, changes)
        if table.revision.number != seen:
            refuse_overlaps(
                seen=_same_rows(table, rows_of(record, seen)),
                now=table,
                changes=as_texts(table, changes),
                history=between(table.revision, seen),
            )
        made, wrong = accepted(table, changes, actor=actor, at=at)
        refused = tuple(wrong)
        if changes.proposals and not made.texts and not made.exclude | made.include:
            raise _NothingAccepted
        return prepare_changes(table, made, actor=actor, at=at, kind=Revision.Kind.EDIT)

    try:
        changed = carry_out(record=record, prepare=prepare, actor=actor, at=at)
    except _NothingAccepted:
        changed = Changed(record.revision, record.counts)
    return replace(changed, refused=refused)


class _NothingAccepted(Exception):
    """Every proposal of a batch is refused, so that nothing changes."""


def _refuse_hidden(record: ImportRecord, changes: Changes) -> None:
    """Raise FieldReadOnly for proposals at fields that people do not see."""
    if changes.proposals:
        hidden = record.target.live_fields.keys() - record.target.offered_fields.keys()
        only = {place: cell for place, cell in changes.places.items() if cell in changes.proposals}
        refuse_read_only(replace(changes, places=only), hidden)


def carry_out(
    *,
    record: ImportRecord,
    prepare: Callable[[StagedTable], Prepared],
    actor: Actor,
    at: datetime,
    end: Callable[[Changed], None] | None = None,
    is_workers: bool = False,
) -> Changed:
    """
    Compute a change against the newest rows and commit it; repeat if another came first.

    end: called in the transaction. is_workers: whether this is a worker's bulk change; any other
    raises RowsChanging while one runs.
    """
    for _ in range(TRIES):
        _require_review(record, is_workers=is_workers)
        table = rows_of(record)
        prepared = prepare(table)
        try:
            _refuse_beyond(record, prepared)
            changed = _committed(record, prepared, actor=actor, at=at, end=end)
        except ServiceError:  # any other error may follow a successful commit
            staging.drop(prepared=prepared)
            raise
        if changed is not None:
            return changed
        staging.drop(prepared=prepared)
        record.refresh_from_db()
    raise StaleState("stale_state.keeps_changing")


def _committed(
    record: ImportRecord,
    prepared: Prepared,
    *,
    actor: Actor,
    at: datetime,
    end: Callable[[Changed], None] | None,
) -> Changed | None:
    """Commit a change; return None if the rows are no longer those it was computed for."""
    with transaction.atomic():
        number = staging.next_number(record.public_id)
        if not _point(record, prepared.parent.number, number, prepared.counts.as_json()):
            return None
        revision = staging.commit(prepared=prepared, number=number, actor=actor, at=at)
        details: dict[str, Any] = {"revision": number, "cells": prepared.cells}
        note(record, NOTED[Revision.Kind(prepared.kind)], actor=actor, at=at, **details)
        changed = Changed(
            revision=revision.number,
            counts=record.counts,
            rows=tuple(sorted(prepared.patches)),
            cells=prepared.cells,
        )
        if end is not None:
            end(changed)
    return changed


def _refuse_beyond(record: ImportRecord, prepared: Prepared) -> None:
    """Raise if there is no quota for a change; what hosts find and set is always stored."""
    if prepared.kind in {Revision.Kind.CHECK, Revision.Kind.HOST}:
        return
    refuse_edits(record, size=prepared.stored_bytes)


def undo(
    *,
    record: ImportRecord,
    seen: int,
    check_undo: Judge = _anything,
    actor: Actor,
    at: datetime,
) -> Changed:
    """
    Undo the last change. Raise NothingToUndo if there is none.

    check_undo: raises for the actor of a change that the caller may not undo.

    The last change may be another mapping, an answer or another reading of the file: they are
    undone with the rows.
    """
    _require_review(record)
    current = rows_of(record).revision
    way = staging.undo_to(current=current, seen=seen, actor=actor.as_dict())
    check_undo(way.change.actor)
    return _travel(record, current, way.goal, actor=actor, at=at, kind="rows.undone")


def redo(
    *,
    record: ImportRecord,
    seen: int,
    check_undo: Judge = _anything,
    actor: Actor,
    at: datetime,
) -> Changed:
    """Redo the last undone change. Raise NothingToRedo if there is none."""
    _require_review(record)
    current = rows_of(record).revision
    way = staging.redo_to(current=current, seen=seen, actor=actor.as_dict())
    check_undo(way.change.actor)
    return _travel(record, current, way.goal, actor=actor, at=at, kind="rows.redone")


def confirm_lost(*, record: ImportRecord) -> int:
    """Confirm that the orphaned edits of an import are dropped; return how many there were."""
    return staging.confirm_lost(revision=rows_of(record).revision) if record.revision else 0


def _travel(
    record: ImportRecord,
    current: Revision,
    goal: Revision,
    *,
    actor: Actor,
    at: datetime,
    kind: events.Kind,
) -> Changed:
    with transaction.atomic():
        if have_same_rows(current, goal):
            moved = _point(record, current.number, goal.number, goal.counts)
        else:
            moved = _cross(record, current, goal, actor=actor, at=at)
        if not moved:
            raise StaleState("stale_state.rows")
        details: dict[str, Any] = {"from": current.number, "revision": goal.number}
        note(record, kind, actor=actor, at=at, **details)
    return Changed(revision=goal.number, counts=record.counts)


def _cross(
    record: ImportRecord, current: Revision, goal: Revision, *, actor: Actor, at: datetime
) -> bool:
    """Move the pointer across a transform, together with the inputs of the import."""
    leaving, inputs = current_inputs(record), inputs_of(record, goal.transform)
    changes = {**inputs, "counts": {**inputs["counts"], **goal.counts}, "revision": goal.number}
    # The version counts it: a concurrent confirmation was based on the other mapping.
    mine = record.as_read().filter(state=State.REVIEW, revision=current.number)
    if mine.update(**changes, version=record.version + 1) != 1:
        return False
    exchange_questions(
        record, inputs=leaving, former=current.transform, goal=goal.transform, actor=actor, at=at
    )
    for name, value in {**changes, "version": record.version + 1}.items():
        setattr(record, name, value)
    return True


def _require_review(record: ImportRecord, *, is_workers: bool = False) -> None:
    if record.state != State.REVIEW:
        raise NotInReview("not_in_review.state", state=record.state)
    if not is_workers:
        refuse_while_changing(record)


def _point(record: ImportRecord, current: int, goal: int, counts: dict[str, Any]) -> bool:
    """Move the pointer if the import is still in review and the pointer did not move."""
    changes: dict[str, Any] = {"revision": goal, "counts": {**record.counts, **counts}}
    mine = ImportRecord.objects.filter(pk=record.pk, state=State.REVIEW, revision=current)
    if mine.update(**changes) != 1:
        return False
    record.revision, record.counts = changes["revision"], changes["counts"]
    return True
