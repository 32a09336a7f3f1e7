"""Apply an import: freeze the rows, write the deliveries, commit them together."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.db import transaction

from changesets import features, transitions
from changesets.approval.limits import most_alone
from changesets.approval.persons import preparers_of
from changesets.bodies import SUBMIT, delivered, enqueue, parts_for, store_bodies, table_of
from changesets.comparison import compare
from changesets.full_sync import admission, overtaken
from changesets.full_sync.deleted import gathered
from changesets.lookups.state import forget as forget_lookup
from changesets.lookups.state import require as require_answers
from changesets.lookups.worker import ensure as fetch_known
from changesets.models import Changeset, DeliveryPart
from changesets.plans import deciding
from changesets.plans.current import forget_plans
from changesets.plans.current import named_files as plan_files
from changesets.proof import answers
from changesets.proof.commitment import gather
from changesets.proof.evidence import Evidence
from common import clock, storage
from common.actors import Actor
from common.errors import Conflict, IllegalMove, StaleState
from common.ids import new_id
from common.work.claims import ClaimLost
from deliveries import bodies
from deliveries import selectors as delivery_selectors
from deliveries.bodies import Body
from deliveries.models import Delivery, Registration
from deliveries.services.registrations import DELETE
from imports import services as imports
from imports import transitions as import_moves
from imports.frozen_rows import Frozen
from imports.models import ImportRecord
from imports.progress import Reporter
from staging import selectors as staging
from staging.columns import StagedTable

logger = logging.getLogger(__name__)

MOST_COMPARISONS = 3  # of one apply with what is known; what is known may change meanwhile
COMPARED = [
    "prepared", "seen", "counts", "changed_fields", "deletes", "confirmed_missing"
]  # fmt: skip
TRIES = 3  # to commit what is compared while what is known changes
NO_POLICIES: Mapping[str, Any] = MappingProxyType({})
WAITING = (Changeset.State.APPLYING, Changeset.State.STAGED)


class NoWebhookRegistered(Conflict):
    """No webhook is registered. Register one, or apply in browser mode."""

    code = "no_webhook_registered"


class DanglingReferences(Conflict):
    """Rows refer to rows that would be excluded. Correct those, or exclude both."""

    code = "dangling_references"


def apply(
    *,
    record: ImportRecord,
    apply_mode: str,
    invalid_rows: str,
    open_questions: str = "block",
    empty_cells: str = "",
    only: str = "",
    field_policies: Mapping[str, Any] = NO_POLICIES,
    mode: str = "",
    confirm_missing: int | None = None,
    staged: bool = False,
    overlay: Mapping[str, Any] | None = None,
    request_key: str = "",
    actor: Actor,
    at: datetime,
) -> Changeset:
    """
    Freeze an import and have its deliveries written; a Conflict is raised before freezing.

    only: new, changed or known rows. mode: full deletes known entities that no row names.
    confirm_missing: how many a person saw. staged: wait for approval. overlay: of its session.
    """
    _refuse_unready(record, invalid_rows, field_policies, only, empty_cells)
    registrations = _registrations(record, apply_mode)
    sync: dict[str, Any] = {"mode": mode, "confirmed_missing": confirm_missing, "deletes": None}
    if features.meets_full_syncs(record, mode):
        sync |= admission.admitted(record, mode, apply_mode, confirm_missing, is_staged=staged)
    with transaction.atomic():
        frozen = import_moves.freeze(
            record, invalid_rows=invalid_rows, open_questions=open_questions, actor=actor, at=at
        )
        return _begun(
            record,
            frozen,
            registrations,
            apply_mode=apply_mode,
            invalid_rows=invalid_rows,
            empty_cells=empty_cells,
            only=only,
            **sync,
            field_policies=dict(field_policies),
            needs_approval=staged,
            alone=most_alone(record.catalog_version, "apply", record.overlay, overlay),
            actor=actor,
            occurred_at=at,
            request_key=request_key,
        )


def _begun(
    record: ImportRecord,
    frozen: Frozen,
    registrations: Sequence[Registration],
    *,
    alone: int | None,
    actor: Actor,
    **columns: Any,
) -> Changeset:
    changeset = Changeset.objects.create(
        public_id=new_id("chg_"),
        state=Changeset.State.APPLYING,
        tenant=record.tenant,
        record=record,
        revision=frozen.revision,
        counts=frozen.counts | admission.counted(columns["deletes"]),
        applied_by=actor.as_dict(),
        most_alone=alone,
        prepared_by=None if alone is None else preparers_of(record, actor),
        **columns,
    )
    _fix_parts(changeset, registrations, frozen.imported)
    transitions.note(changeset, "import.applied", actor=actor, at=changeset.occurred_at)
    return changeset


def _refuse_unready(
    record: ImportRecord,
    invalid_rows: str,
    field_policies: Mapping[str, Any],
    only: str,
    empty_cells: str,
) -> None:
    _refuse_dangling(record, invalid_rows)
    if features.answering(record) is not None:
        require_answers(record)
    if features.may_wait(record):
        includes = invalid_rows == "include"
        deciding.refuse_undecided(
            record, field_policies, only=only, empty_cells=empty_cells, includes_invalid=includes
        )


def _refuse_dangling(record: ImportRecord, invalid_rows: str) -> None:
    """Raise if rows refer to rows with errors that are excluded, or to values with errors."""
    table = staging.at_revision(record.public_id, record.revision)
    if table is None or not record.counts.get("error"):
        return
    includes = invalid_rows == "include"
    if rows := compare.dangling_rows(table, includes_invalid=includes):
        raise DanglingReferences(
            "dangling_references.values" if includes else "dangling_references.rows",
            rows=len(rows),
            members={"rows": rows[:100]},
        )


def _registrations(record: ImportRecord, apply_mode: str) -> list[Registration]:
    """Return who gets the rows; raise NoWebhookRegistered if no host would."""
    if apply_mode != "webhook":
        return []
    registrations = delivery_selectors.registrations_for(
        record.tenant, SUBMIT, catalog_key=record.catalog_key
    )
    if registrations:
        return registrations
    if delivery_selectors.registrations_of(record.tenant).exists():
        raise NoWebhookRegistered("no_webhook_registered.catalog", catalog=record.catalog_key)
    raise NoWebhookRegistered


def _fix_parts(changeset: Changeset, registrations: Sequence[Registration], row_count: int) -> None:
    """Decide which delivery contains which rows; parts decided before are replaced."""
    record, deleted = changeset.record, changeset.counts.get("deleted", 0)
    changeset.parts.all().delete()
    parents = delivered(changeset).parents if any(h.nested for h in registrations) else None
    parts = [
        part
        for hook in registrations
        if row_count or not deleted
        for part in parts_for(changeset, hook, row_count, parents=parents if hook.nested else None)
    ]
    if deleted:
        for hook in delivery_selectors.registrations_for(
            record.tenant, DELETE, catalog_key=record.catalog_key
        ):
            parts += parts_for(changeset, hook, deleted, action=DELETE)
    DeliveryPart.objects.bulk_create(parts)


def cancel(*, record: ImportRecord, actor: Actor, at: datetime, reason: str = "") -> ImportRecord:
    """Cancel an unfinished import, and an apply of it that is not yet delivered."""
    with transaction.atomic():
        import_moves.cancel(record, actor=actor, at=at, reason=reason)
        _discard(record, actor=actor, at=at)
    return record


def delete(*, record: ImportRecord, actor: Actor, at: datetime, rule: str = "") -> None:
    """
    Purge bytes and rows now, including unsent deliveries and an unfinished apply.

    rule: the rule that purges it, if no person does.
    """
    if record.may_move_to(ImportRecord.State.CANCELLED):
        cancel(record=record, actor=actor, at=at, reason="deleted")
    for changeset in record.changesets.exclude(state__in=WAITING):
        count_answers(changeset)  # what receivers answered is purged, too
    imports.delete(record=record, actor=actor, at=at, rule=rule)
    prepared = list(record.changesets.exclude(prepared="").values_list("prepared", flat=True))
    record.changesets.update(prepared="")
    record.changesets.filter(state=Changeset.State.APPLIED).update(revert_requested_by=None)
    for name in prepared:
        storage.delete(name)
    forget_plans(record)
    forget_lookup(record)


def count_answers(changeset: Changeset) -> None:
    """Count what receivers answered, as long as it is there; a file that is lost stops nothing."""
    try:
        answers.receivers_of(changeset)
    except (OSError, storage.StorageDamaged, storage.StorageUnreachable) as error:
        logger.warning("%s: answers are not counted: %s", changeset.public_id, error)


def count_answers_before(moment: datetime) -> None:
    """Count the answers of deliveries that ended before ``moment`` and are about to be purged."""
    ended = Delivery.objects.filter(settled_at__lt=moment, host_results__isnull=False)
    for changeset in Changeset.objects.filter(public_id__in=ended.values("changeset_id")):
        count_answers(changeset)


def named_files() -> set[str]:
    """Return the files that changesets and plans keep; those of purged imports may be deleted."""
    kept = Changeset.objects.filter(record__purged_at__isnull=True).exclude(prepared="")
    return set(kept.values_list("prepared", flat=True)) | plan_files()


def _discard(record: ImportRecord, *, actor: Actor, at: datetime) -> None:
    for changeset in record.changesets.filter(state__in=WAITING):
        transitions.cancel(changeset, actor=actor, at=at)


def write_deliveries(record: ImportRecord, reporter: Reporter) -> None:
    """
    Write the deliveries of an apply: the job of the state ``applying``.

    Rows with references or known entities are compared first; with ``needs_approval`` the job ends
    there. The bodies are written and fsynced; one transaction then makes their deliveries pending,
    the changeset applied and the import applied. After a crash the same inputs produce the same
    bytes.
    """
    changeset = record.changesets.get(state=Changeset.State.APPLYING)
    for _ in range(TRIES):
        if not _prepare(record, changeset):
            return
        stored: list[Body] = []
        try:
            stored.extend(store_bodies(changeset))
            if _commit(record, changeset, stored, gather(changeset)):
                return
        except (ClaimLost, StaleState, IllegalMove):  # refused: no row names these files
            bodies.forget_files({body.file for body in stored})
            raise
        bodies.forget_files({body.file for body in stored})
    transitions.hold(changeset, reason=transitions.CHANGED, at=clock.now())


def _prepare(record: ImportRecord, changeset: Changeset) -> bool:
    """Compare the rows with what is known; return whether the deliveries are to be written now."""
    if features.answering(record) is not None:
        fetch_known(record)
    record.require_claim()  # before rows are compared that were deleted meanwhile
    table, reason = table_of(changeset), ""
    if features.meets_full_syncs(record, changeset.mode):
        reason = admission.under_way(record, changeset)
    is_due = not changeset.prepared or admission.is_stale(record, changeset)
    for _ in range(MOST_COMPARISONS):  # until nothing changed meanwhile
        if not (is_due or compare.is_outdated(changeset)):
            break
        if not (changeset.is_full or features.is_compared(changeset, table)):
            break
        if not _compare(record, changeset, table):
            return False
        is_due = False
    if changeset.prepared and not changeset.touched:
        transitions.discard_empty(changeset, at=clock.now())
        return False
    if changeset.needs_approval or (changeset.needs_second_person and not changeset.approved_at):
        transitions.hold(changeset, at=clock.now())
        return False
    if changeset.is_full and compare.is_outdated(changeset):
        reason = transitions.CHANGED
    if not reason and features.meets_full_syncs(record, changeset.mode):
        reason = admission.why_not_now(record, changeset)
    if reason:
        transitions.hold(changeset, reason=reason, at=clock.now())
        return False
    return True


def _compare(record: ImportRecord, changeset: Changeset, table: StagedTable) -> bool:
    """Compare the rows now; return False if the changeset was discarded or waits for approval."""
    former = changeset.prepared
    deleted = gathered(changeset) if changeset.is_full else None
    prepared = compare.prepare(changeset, table, deleted)
    if prepared.undecided:  # the host changed values meanwhile
        storage.delete(prepared.folder)
        transitions.discard_undecided(changeset, at=clock.now())
        return False
    was_approved = bool(former and changeset.approved_at)
    is_other = was_approved and not compare.say_the_same(former, prepared.folder)
    _note_prepared(record, changeset, prepared)
    if is_other and changeset.touched:  # a person approved something else
        transitions.hold(changeset, reason=transitions.CHANGED, at=clock.now())
        return False
    return True


def _note_prepared(record: ImportRecord, changeset: Changeset, prepared: compare.Outcome) -> None:
    with transaction.atomic():
        record.update_as_claimed(progress=replace(record.progress, stage="comparing"))
        count = prepared.row_count
        before = changeset.counts  # an earlier comparison left some of the rows out
        unselected = before["imported"] + before.get("unselected", 0) - count
        changeset.prepared, former = prepared.folder, changeset.prepared
        if changeset.seen not in (None, prepared.seen):
            changeset.confirmed_missing = None  # it was about other entities
        changeset.seen = prepared.seen
        others = {name: n for name, n in before.items() if name not in answers.COMPARED}
        changeset.deletes = prepared.deletes
        compared = prepared.counts | admission.counted(prepared.deletes)
        changeset.counts = {**others, "imported": count, **compared}
        changeset.changed_fields = prepared.changed_fields
        if changeset.only:
            changeset.counts["unselected"] = unselected
        if changeset.only or changeset.is_full:
            _fix_parts(changeset, _registrations(record, changeset.apply_mode), count)
        changeset.save(update_fields=COMPARED)
    if former:
        storage.delete(former)


def _commit(
    record: ImportRecord, changeset: Changeset, stored: list[Body], evidence: Evidence
) -> bool:
    """Store what an apply delivers; return whether it is still what it should deliver."""
    at = clock.now()
    with transaction.atomic():
        meets_full_syncs = features.meets_full_syncs(record, changeset.mode)
        if meets_full_syncs and not overtaken.is_current(changeset):
            transaction.set_rollback(True)
            return False
        for part, body in zip(changeset.parts.all(), stored, strict=True):
            enqueue(changeset, part, body, at)
        transitions.apply(changeset, at=at)
        Changeset.objects.filter(pk=changeset.pk).update(evidence=evidence)
        imports.learn(record=record, at=at)
    return True
