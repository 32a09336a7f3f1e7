"""
Every move of an import from one state to another: its guard, its lock and what it writes.

No other module moves an import. Each function compares the version that was read, so that two
moves at the same moment cannot both happen, and writes the state together with what the new state
means. Callers that wait for a person call the functions in `Moves of people`, workers those in
`Moves of workers`, and changesets those that apply and revert. See docs/states.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from catalogs.models import CatalogVersion
from common.actors import ENGINE, Actor
from common.errors import Conflict, StaleState
from imports.allowances import refuse_another_revision
from imports.answers.record import end_questions
from imports.bulk_changes.state import cancel_changes, refuse_while_changing
from imports.mapping.draft import MappingDraft
from imports.mapping.proposal import Proposal
from imports.models import ImportRecord
from imports.waking import wake_up
from tabular.model.places import ReadingChoices
from tabular.protocol.requests import choices_kept

Json = dict[str, Any]
State = ImportRecord.State

WAITING = frozenset({State.MAPPING, State.REVIEW})  # a person must act, and nothing is frozen
UNTRIED: Json = {"problem": None, "tries": 0, "stage": "", "done": 0, "total": None}
AT_REST: Json = {"due_at": None, "claimed_until": None}


class NotWaiting(Conflict):
    """The import's state does not allow this. Read the state first."""

    code = "not_waiting"


@dataclass(frozen=True, slots=True)
class ReadFile:
    """What reading a file produced, as an import stores it."""

    reading: Json  # tables, columns, questions
    choices: ReadingChoices
    source: str  # storage folder of source.arrow
    rows: int | None

    def columns(self) -> Json:
        """Return the columns it fills, with the progress of a job that is done."""
        return {
            "reading": {**self.reading, "rows": self.rows},
            "choices": choices_kept(self.choices),
            "source": self.source,
            "counts": {"sourceRows": self.rows},
            **_done(self.rows or 0, self.rows),
        }


@dataclass(frozen=True, slots=True)
class Proposed:
    """What is proposed for the columns of a file, and the saved mapping that it follows."""

    proposal: Json
    profile: Json | None

    def columns(self) -> Json:
        """Return the columns it fills."""
        return {"proposal": self.proposal, "profile": self.profile}


@dataclass(frozen=True, slots=True)
class Returned:
    """Failed rows that a file brings back, and the import that exported them."""

    of: ImportRecord
    rows: list[list[int]]  # ranges of row numbers of that import
    proposal: Proposal
    mapping: Json
    recipe: Json | None

    def columns(self) -> Json:
        """Return the columns it fills."""
        return {
            "corrects": self.of,
            "retried_rows": self.rows,
            "proposal": self.proposal.as_json(),
            "mapping": self.mapping,
            "recipe": self.recipe,
        }


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A mapping that a person confirmed. settled_by: the person; None: it teaches no later file."""

    mapping: dict[str, str]
    recipe: Json | None
    profile: Json | None
    decided_by: Json | None

    def columns(self) -> Json:
        """Return the columns it fills."""
        return {
            "mapping": self.mapping,
            "recipe": self.recipe,
            "profile": self.profile,
            "decided_by": self.decided_by,
        }


@dataclass(frozen=True, slots=True)
class RowsMade:
    """The revision that a transform staged. checked_revision: 0 if no host checks the rows."""

    revision: int
    checked_revision: int
    counts: Mapping[str, int]
    rows: int

    def columns(self) -> Json:
        """Return the columns it fills, with the progress of a job that is done."""
        return {
            "revision": self.revision,
            "checked_revision": self.checked_revision,
            "counts": self.counts,
            **_done(self.rows, self.rows),
        }


def _done(done: int, total: int | None) -> Json:
    return {"stage": "", "done": done, "total": total, "tries": 0}


def _mapped(draft: MappingDraft) -> Json:
    return {"mapping": dict(draft.mapping), "recipe": draft.recipe}


UNMAPPED: Json = {"mapping": None, "recipe": None}


# Moves of people: they wake a worker.


def receive(record: ImportRecord, *, actor: Actor, at: datetime, **file: Any) -> ImportRecord:
    """
    Have a file read whose bytes have all arrived.

    file: the columns that describe it, where they are not stored yet.
    """
    with transaction.atomic():
        record.move_to(State.READING, at=at, actor=actor, due_at=at, **file)
        wake_up(record)
    return record


def read_for(
    record: ImportRecord, catalog_version: CatalogVersion, *, actor: Actor, at: datetime
) -> ImportRecord:
    """Turn a sample into an import into a catalog: read it again, and map it."""
    return _start(
        record,
        State.READING,
        actor=actor,
        at=at,
        catalog_version=catalog_version,
        purpose=ImportRecord.Purpose.IMPORT,
        auto_map=True,
    )


def read_again(
    record: ImportRecord,
    choices: ReadingChoices,
    *,
    keeps_mapping: bool = False,
    actor: Actor,
    at: datetime,
) -> ImportRecord:
    """Read a file again as a person chose. keeps_mapping: only rows are restored or skipped."""
    mapping: Json = {} if keeps_mapping else {"mapping": None}
    kept = choices_kept(choices)
    return _start(record, State.READING, actor=actor, at=at, choices=kept, **mapping)


def confirm(
    record: ImportRecord, confirmed: Confirmed, *, actor: Actor, at: datetime
) -> ImportRecord:
    """Transform the rows with a mapping that a person confirmed."""
    return _start(record, State.TRANSFORMING, actor=actor, at=at, **confirmed.columns())


def transform_again(
    record: ImportRecord, draft: MappingDraft | None = None, *, actor: Actor, at: datetime
) -> ImportRecord:
    """Transform the rows with new answers, and with a new mapping if there is one."""
    mapped = {} if draft is None else _mapped(draft)
    return _start(record, State.TRANSFORMING, actor=actor, at=at, **mapped)


def retry(record: ImportRecord, *, actor: Actor, at: datetime) -> ImportRecord:
    """Return an import to the state it failed in. Raise NotWaiting if it has not failed."""
    if record.state != State.FAILED:
        raise NotWaiting(f"The import is {record.state}; only a failed one can be retried.")
    return _start(record, record.failed_in, actor=actor, at=at)


def _start(
    record: ImportRecord, state: str, *, actor: Actor, at: datetime, **changes: Any
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
        due: Json = {"due_at": at, "claimed_until": None}
        record.move_to(state, at=at, actor=actor, **due, **UNTRIED, **changes)
        wake_up(record)
    return record


def cancel(record: ImportRecord, *, actor: Actor, at: datetime, reason: str = "") -> ImportRecord:
    """Cancel an unfinished import; a worker that holds it loses its claim."""
    with transaction.atomic():
        claim_no = record.claim_no + 1
        record.move_to(
            State.CANCELLED, at=at, actor=actor, reason=reason, claim_no=claim_no, **AT_REST
        )
        end_questions(record, at=at, reason="the import was cancelled")
        cancel_changes(record=record, actor=actor, at=at)
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
    record.move_to(State.MAPPING, at=at, **read.columns(), **of, **AT_REST)


def wait_for_mapping(
    record: ImportRecord, read: ReadFile, proposed: Proposed, *, at: datetime
) -> None:
    """Wait for a person to confirm what is proposed."""
    changes = read.columns() | proposed.columns() | UNMAPPED
    record.move_to(State.MAPPING, at=at, **changes, **AT_REST)


def transform(
    record: ImportRecord, read: ReadFile, proposed: Proposed, draft: MappingDraft, *, at: datetime
) -> None:
    """Transform the rows with a proposed mapping that leaves nothing open."""
    changes = read.columns() | proposed.columns() | _mapped(draft)
    record.move_to(State.TRANSFORMING, at=at, **changes)


def transform_as_mapped(record: ImportRecord, read: ReadFile, *, at: datetime) -> None:
    """Transform the rows that were read again with the mapping that is confirmed already."""
    record.move_to(State.TRANSFORMING, at=at, **read.columns())


def transform_returned(
    record: ImportRecord, read: ReadFile, returned: Returned, *, at: datetime
) -> None:
    """Transform failed rows that came back, with the mapping of the import they are from."""
    record.move_to(State.TRANSFORMING, at=at, **read.columns(), **returned.columns())


def review(record: ImportRecord, made: RowsMade, *, at: datetime) -> None:
    """Show the rows of a new revision for review."""
    record.move_to(State.REVIEW, at=at, **made.columns(), **AT_REST)


def report(record: ImportRecord, report: Json, *, at: datetime, **changes: Any) -> None:
    """End a check or a preview with its report. changes: further columns that hold its result."""
    record.move_to(State.CHECKED, at=at, report=report, stage="", **changes, **AT_REST)


def fail(record: ImportRecord, problem: Json, *, at: datetime) -> None:
    """Stop with a problem that says why; the import can be retried."""
    with transaction.atomic():
        failed: Json = {"problem": problem, "failed_in": record.state}
        record.move_to(State.FAILED, at=at, reason=str(problem["code"]), **failed, **AT_REST)
        end_questions(record, at=at, reason="the import failed")


# Moves of an apply and of its revert, inside the transaction that moves the changeset.


def begin_applying(record: ImportRecord, *, actor: Actor, at: datetime) -> None:
    """
    Freeze the rows of a revision, and have them delivered.

    Lock the row first. Raise StaleState if it was edited since it was read, which would be lost,
    and RowsChanging if a worker is changing its rows.
    """
    with transaction.atomic():
        _require_unchanged(record)
        refuse_while_changing(record)  # a change that started since no longer holds the lock
        deliver_approved(record, actor=actor, at=at)


def _require_unchanged(record: ImportRecord) -> None:
    same = ImportRecord.objects.filter(pk=record.pk, revision=record.revision)
    if not list(same.select_for_update().values_list("pk", flat=True)):
        raise StaleState("The rows changed at the same moment. Check them, then retry.")


def deliver_approved(record: ImportRecord, *, actor: Actor, at: datetime) -> None:
    """Have the frozen rows delivered, which were approved or need no approval."""
    with transaction.atomic():
        record.move_to(State.APPLYING, at=at, actor=actor, due_at=at, claimed_until=None)
        wake_up(record)


def wait_for_approval(record: ImportRecord, *, at: datetime, reason: str) -> None:
    """Hold the frozen rows until a person approves them."""
    record.move_to(State.STAGED, at=at, reason=reason, **AT_REST)


def return_to_review(
    record: ImportRecord, *, actor: Actor = ENGINE, at: datetime, reason: str
) -> None:
    """Let people edit the rows again: the apply was discarded, or delivers nothing."""
    record.move_to(State.REVIEW, at=at, actor=actor, reason=reason, **AT_REST)


def apply(
    record: ImportRecord, *, counts: Mapping[str, int], applied_at: datetime, at: datetime
) -> None:
    """Mark the frozen rows as applied: their deliveries are committed."""
    applied: Json = {"applied_at": applied_at, "counts": {**record.counts, **counts}}
    record.move_to(State.APPLIED, at=at, **applied, **AT_REST)


def begin_reverting(record: ImportRecord, *, actor: Actor, at: datetime) -> None:
    """Have the hosts notified that the apply is reverted."""
    with transaction.atomic():
        record.move_to(State.REVERTING, at=at, actor=actor, due_at=at, claimed_until=None)
        wake_up(record)


def keep_applied(record: ImportRecord, *, at: datetime, reason: str) -> None:
    """End a revert that a host refused: the rows stay applied."""
    record.move_to(State.APPLIED, at=at, reason=reason, due_at=None)


def revert(record: ImportRecord, *, at: datetime) -> None:
    """Mark the apply as reverted: every host that is notified has agreed."""
    record.move_to(State.REVERTED, at=at, **AT_REST)
