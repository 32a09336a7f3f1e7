"""
Every move of an import from one state to another: its guard, its lock and what it writes.

No other module moves an import. Each function compares the version that was read, so that two
moves at the same moment cannot both happen, and writes the state together with what the new state
means. Callers that wait for a person call the functions in `Moves of people`, workers those in
`Moves of workers`, and changesets those that apply and revert. See docs/states.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction

from catalogs.models import CatalogVersion
from common.actors import ENGINE, Actor
from common.errors import Conflict, StaleState
from common.rows import the_only
from common.storage import StoredFile
from common.work.wakeups import wake_on_commit
from imports.allowances import refuse_another_revision
from imports.answers.questions import end_questions, settle_questions
from imports.bulk_changes.model import BulkChange
from imports.bulk_changes.transitions import cancel_all
from imports.events import Why, announce_import, announce_state
from imports.frozen_rows import Frozen, frozen_rows
from imports.host_checks.state import refuse_unchecked
from imports.jobs.results import Proposed, ReadFile, Returned, RowsMade
from imports.models import ImportRecord
from imports.parts import Decided, Failure, Progress
from pipeline.draft import MappingDraft
from tabular.model.places import ReadingChoices
from tabular.protocol.requests import choices_kept

Json = dict[str, Any]
State = ImportRecord.State

ADVANCE = "workflow.tasks.advance"  # by name, because the task is in a higher layer
WAITING = frozenset({State.MAPPING, State.REVIEW})  # a person must act, and nothing is frozen
IMPORT_CANCELLED = "the import was cancelled"  # why its open questions are superseded
CATALOG_CHOSEN = "the catalog was chosen"  # the reason of the move that makes a sample an import
UNLOCKED = "the password was entered"
UNTRIED: Json = {"failure": None, "progress": Progress()}


class NotWaiting(Conflict):
    """The import's state does not allow this. Read the state first."""

    code = "not_waiting"


class NotReady(Conflict):
    """The import is not in review."""

    code = "not_ready"


class RowsChanging(Conflict):
    """A bulk change of these rows is running. Wait for it, or cancel it."""

    code = "rows_changing"


def _mapped(decided: Decided, draft: MappingDraft) -> Decided:
    return replace(decided, mapping=dict(draft.mapping), recipe=draft.recipe)


# Moves of people: they wake a worker.


def receive(record: ImportRecord, *, actor: Actor, at: datetime) -> ImportRecord:
    """Have a file read whose bytes have all arrived."""
    with transaction.atomic():
        record.move_to(State.READING, at=at, actor=actor)
        announce_import(record, "import.received", at=at)
        wake_up(record)
    return record


def read_for(
    record: ImportRecord,
    catalog_version: CatalogVersion,
    *,
    actor: Actor,
    at: datetime,
    **given: Any,
) -> ImportRecord:
    """Turn a sample into an import into a catalog: read it again, and map it. given: members."""
    with transaction.atomic():
        started = _start(
            record,
            State.READING,
            reason=CATALOG_CHOSEN,
            actor=actor,
            at=at,
            catalog_version=catalog_version,
            purpose=ImportRecord.Purpose.IMPORT,
            auto_map=True,
            **given,
        )
        announce_import(started, "import.received", at=at)
    return started


def read_again(
    record: ImportRecord,
    choices: ReadingChoices,
    *,
    keeps_mapping: bool = False,
    actor: Actor,
    at: datetime,
) -> ImportRecord:
    """Read a file again as a person chose. keeps_mapping: only rows are restored or skipped."""
    parsed = replace(record.parsed, choices=choices_kept(choices))
    decided = record.decided if keeps_mapping else replace(record.decided, mapping=None)
    changes: Json = {"parsed": parsed, "decided": decided}
    return _start(record, State.READING, actor=actor, at=at, **changes)


def confirm(record: ImportRecord, decided: Decided, *, actor: Actor, at: datetime) -> ImportRecord:
    """Transform the rows with a mapping that a person confirmed."""
    return _start(record, State.TRANSFORMING, actor=actor, at=at, decided=decided)


def transform_again(
    record: ImportRecord, draft: MappingDraft | None = None, *, actor: Actor, at: datetime
) -> ImportRecord:
    """Transform the rows with new answers, and with a new mapping if there is one."""
    decided = record.decided if draft is None else _mapped(record.decided, draft)
    return _start(record, State.TRANSFORMING, actor=actor, at=at, decided=decided)


def retry(record: ImportRecord, *, actor: Actor, at: datetime) -> ImportRecord:
    """Return an import to the state it failed in. Raise NotWaiting if it has not failed."""
    if record.state != State.FAILED or record.failure is None:
        raise NotWaiting("not_waiting.failed", state=record.state)
    return _start(record, record.failure.state, actor=actor, at=at)


def read_unlocked(
    record: ImportRecord, stored: StoredFile, *, actor: Actor, at: datetime
) -> ImportRecord:
    """Read a file that was stored again without its password."""
    file: Json = {"file": stored.name, "size": stored.size, "sha256": stored.sha256}
    return _start(record, State.READING, reason=UNLOCKED, actor=actor, at=at, **file)


def _start(
    record: ImportRecord,
    state: str,
    *,
    reason: str = "",
    actor: Actor,
    at: datetime,
    **changes: Any,
) -> ImportRecord:
    """
    Move to a working state and wake a worker.

    Raise RowsChanging while a worker changes the rows. Raise TooMuchStored if rows were made
    before.
    """
    refuse_while_changing(record)
    if state in {State.READING, State.TRANSFORMING}:
        refuse_another_revision(record)
    with transaction.atomic():
        record.move_to(state, reason, at=at, actor=actor)
        record.write(**UNTRIED, **changes)
        wake_up(record)
    return record


def refuse_while_changing(record: ImportRecord) -> None:
    """Raise RowsChanging, with the id of the change, if a worker is changing the rows."""
    if running := the_only(record.bulk_changes.filter(state=BulkChange.State.RUNNING)):
        raise RowsChanging(members={"changeId": running.public_id})


def wake_up(record: ImportRecord) -> None:
    """Wake a worker for this import once the transaction is committed."""
    wake_on_commit(ADVANCE, record.public_id)


def cancel(record: ImportRecord, *, actor: Actor, at: datetime, reason: str = "") -> ImportRecord:
    """Cancel an unfinished import; a worker that holds it loses its claim."""
    with transaction.atomic():
        record.move_to(State.CANCELLED, reason, at=at, actor=actor)
        end_questions(record, at=at, reason=IMPORT_CANCELLED)
        cancel_all(record=record, actor=actor, at=at)
    return record


# Moves of workers: under the claim.


def wait_unmapped(
    record: ImportRecord, read: ReadFile, *, corrects: ImportRecord | None = None, at: datetime
) -> None:
    """
    Wait with a file that is read and not mapped.

    It waits for a catalog, or to be merged into the import whose rows it ``corrects``.
    """
    of: Json = {} if corrects is None else {"corrects": corrects}
    why: Sequence[Why] = () if corrects is None else ("corrections",)
    _finish(record, State.MAPPING, read.columns(record.parsed.proposal) | of, at=at, why=why)


def wait_for_mapping(
    record: ImportRecord, read: ReadFile, proposed: Proposed, *, at: datetime
) -> None:
    """Wait for a person to confirm what is proposed."""
    decided = replace(proposed.decided, mapping=None, recipe=None)
    columns = read.columns(proposed.proposal) | {"decided": decided}
    _finish(record, State.MAPPING, columns, at=at)


def transform(
    record: ImportRecord, read: ReadFile, proposed: Proposed, draft: MappingDraft, *, at: datetime
) -> None:
    """Transform the rows with a proposed mapping that leaves nothing open."""
    decided = _mapped(proposed.decided, draft)
    columns = read.columns(proposed.proposal) | {"decided": decided}
    _finish(record, State.TRANSFORMING, columns, at=at)


def transform_as_mapped(record: ImportRecord, read: ReadFile, *, at: datetime) -> None:
    """Transform the rows that were read again with the mapping that is confirmed already."""
    _finish(record, State.TRANSFORMING, read.columns(record.parsed.proposal), at=at)


def transform_returned(
    record: ImportRecord, read: ReadFile, returned: Returned, *, at: datetime
) -> None:
    """Transform failed rows that came back, with the mapping of the import they are from."""
    columns = read.columns(returned.proposal.as_json()) | {
        "corrects": returned.of,
        "retried_rows": returned.rows,
        "decided": returned.decided,
    }
    _finish(record, State.TRANSFORMING, columns, at=at)


def review(record: ImportRecord, made: RowsMade, *, at: datetime) -> None:
    """Show the rows of a new revision for review."""
    _finish(record, State.REVIEW, made.columns(), at=at)


def report(record: ImportRecord, report: Json, *, at: datetime, **changes: Any) -> None:
    """End a check or a preview with its report. changes: further columns that hold its result."""
    progress = replace(record.progress, stage="")
    _finish(record, State.CHECKED, {"report": report, "progress": progress, **changes}, at=at)


def _finish(
    record: ImportRecord, state: str, result: Json, *, at: datetime, why: Sequence[Why] = ()
) -> None:
    """Store the columns that a job filled, and move on."""
    with transaction.atomic():
        record.write(**result)
        record.move_to(state, at=at)
        announce_state(record, at=at, why=why)


def fail(record: ImportRecord, problem: Json, *, at: datetime) -> None:
    """Stop with a problem that says why; the import can be retried."""
    with transaction.atomic():
        record.write(failure=Failure(problem, record.state))
        record.move_to(State.FAILED, str(problem["code"]), at=at)
        end_questions(record, at=at, reason="the import failed")
        announce_state(record, at=at, code=str(problem["code"]))


# Moves of an apply and of its revert, inside the transaction that moves the changeset.


def freeze(
    record: ImportRecord,
    *,
    invalid_rows: str,
    open_questions: str = "block",
    actor: Actor,
    at: datetime,
) -> Frozen:
    """
    Freeze the rows of a reviewed import and have them delivered, in the caller's transaction.

    invalid_rows: block, exclude or include, as ``frozen_rows`` says. open_questions: block (raise
    OpenQuestions if there are any) or dismiss (their defaults apply). Raise NotReady, RowsChanging,
    StillChecking, or StaleState if the rows were edited since they were read.
    """
    if record.state != State.REVIEW:
        raise NotReady("not_ready.state", state=record.state)
    refuse_while_changing(record)
    if record.checked_revision:
        refuse_unchecked(record, at=at)
    settle_questions(record, dismisses=open_questions == "dismiss", actor=actor, at=at)
    frozen = frozen_rows(record.revision, record.counts, invalid_rows)
    with transaction.atomic():
        _require_unchanged(record)  # which locks the row
        refuse_while_changing(record)  # a change that started since no longer holds the lock
        deliver_approved(record, actor=actor, at=at)
    return frozen


def _require_unchanged(record: ImportRecord) -> None:
    same = ImportRecord.objects.filter(pk=record.pk, revision=record.revision)
    if not list(same.select_for_update().values_list("pk", flat=True)):
        raise StaleState("stale_state.rows")


def deliver_approved(record: ImportRecord, *, actor: Actor, at: datetime) -> None:
    """Have the frozen rows delivered, which were approved or need no approval."""
    with transaction.atomic():
        record.move_to(State.APPLYING, at=at, actor=actor)
        wake_up(record)


def wait_for_approval(
    record: ImportRecord, *, at: datetime, reason: str, why: Sequence[Why] = ("approval",)
) -> None:
    """Hold the frozen rows until a person approves them."""
    with transaction.atomic():
        record.move_to(State.STAGED, reason, at=at)
        announce_state(record, at=at, why=why)


def wait_to_revert(record: ImportRecord, *, at: datetime) -> None:
    """Announce that a revert waits for a second person; the import stays applied."""
    about = {"state": record.state, "for": "approver", "why": ["revert"]}
    announce_import(record, "import.waiting", at=at, **about)


def return_to_review(
    record: ImportRecord,
    *,
    actor: Actor = ENGINE,
    at: datetime,
    reason: str,
    why: Sequence[Why] = (),
) -> None:
    """
    Let people edit the rows again: the apply was discarded, or delivers nothing.

    why: what it waits for, where the rows do not tell.
    """
    with transaction.atomic():
        record.move_to(State.REVIEW, reason, at=at, actor=actor)
        announce_state(record, at=at, why=why)


def apply(
    record: ImportRecord, *, counts: Mapping[str, int], applied_at: datetime, at: datetime
) -> None:
    """Mark the frozen rows as applied: their deliveries are committed."""
    counted = {**record.counts, **counts}
    _finish(record, State.APPLIED, {"applied_at": applied_at, "counts": counted}, at=at)


def begin_reverting(record: ImportRecord, *, actor: Actor, at: datetime) -> None:
    """Have the hosts notified that the apply is reverted."""
    with transaction.atomic():
        record.move_to(State.REVERTING, at=at, actor=actor)
        wake_up(record)


def keep_applied(record: ImportRecord, *, at: datetime, reason: str) -> None:
    """End a revert that a host refused: the rows stay applied."""
    record.move_to(State.APPLIED, reason, at=at)


def revert(record: ImportRecord, *, at: datetime) -> None:
    """Mark the apply as reverted: every host that is notified has agreed."""
    record.move_to(State.REVERTED, at=at)
