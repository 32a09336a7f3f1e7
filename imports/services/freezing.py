"""Freeze the rows of an import for delivery, and unfreeze them."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from common.actors import Actor
from common.errors import Conflict, StaleState
from imports.bulk_changes.state import refuse_while_changing
from imports.host_checks.state import refuse_unchecked
from imports.models import ImportRecord
from imports.recording import drop_settled, open_questions_of
from imports.services.answering import dismiss_open
from imports.waking import wake_up
from tabular.model.sentences import counted

State = ImportRecord.State


class InvalidRows(Conflict):
    """Some rows have errors; correct them, or leave them out."""

    code = "invalid_rows"


class NothingToApply(Conflict):
    """No row is left to be applied; correct some, or cancel the import."""

    code = "nothing_to_apply"


class OpenQuestions(Conflict):
    """Some questions are open. Answer or dismiss them, or apply with `openQuestions: dismiss`."""

    code = "open_questions"


class NotReady(Conflict):
    """The import is not in review."""

    code = "not_ready"


@dataclass(frozen=True, slots=True)
class Frozen:
    """What an apply froze: which rows of which revision."""

    revision: int
    rows: int  # rows of the revision
    imported: int
    excluded: int  # excluded by a person
    failed: int  # invalid rows that were excluded; rows = imported + excluded + failed

    @property
    def counts(self) -> dict[str, int]:
        """Return the row counts as a changeset has them."""
        return {
            "rows": self.rows,
            "imported": self.imported,
            "excluded": self.excluded,
            "failed": self.failed,
        }


def freeze(
    *,
    record: ImportRecord,
    invalid_rows: str,
    open_questions: str = "block",
    actor: Actor,
    at: datetime,
) -> Frozen:
    """
    Freeze a reviewed import for applying, inside the caller's transaction.

    invalid_rows: block (raise InvalidRows if there are any), exclude or include. open_questions:
    block (raise OpenQuestions if there are any) or dismiss (their defaults apply). Raise
    NothingToApply if no row would be imported.
    """
    if record.state != State.REVIEW:
        raise NotReady(f"The import is {record.state}; it can be applied from review.")
    refuse_while_changing(record)
    refuse_unchecked(record, at=at)
    drop_settled(record, at=at)
    if open_questions == "dismiss":
        dismiss_open(record=record, actor=actor, at=at)
    _require_answers(record)
    invalid = record.counts.get("error", 0)
    if invalid and invalid_rows == "block":
        raise InvalidRows(
            f"{counted(invalid, 'row has', 'rows have')} errors; correct what is wrong, or apply "
            "with `invalidRows: exclude`.",
            rows=invalid,
        )
    left_out = invalid if invalid_rows == "exclude" else 0
    rows, excluded = record.counts.get("rows", 0), record.counts.get("excluded", 0)
    frozen = Frozen(
        revision=record.revision,
        rows=rows,
        imported=rows - excluded - left_out,
        excluded=excluded,
        failed=left_out,
    )
    if frozen.imported <= 0:
        raise NothingToApply(_why_nothing(frozen))
    with transaction.atomic():
        _require_unchanged(record)
        refuse_while_changing(record)  # a change that started since no longer holds the lock
        record.move_to(State.APPLYING, at=at, actor=actor, due_at=at, claimed_until=None)
        wake_up(record)
    return frozen


def _require_answers(record: ImportRecord) -> None:
    asked = list(open_questions_of(record))
    if asked:
        named = [
            {
                "id": question.public_id,
                "kind": question.kind,
                "field": question.field,
                "columns": question.columns,
                "default": question.default,
            }
            for question in asked
        ]
        open_ = counted(len(asked), "question is open", "questions are open")
        raise OpenQuestions(
            f"{open_}. Answer or dismiss what is open, or apply with `openQuestions: dismiss` "
            "to let the defaults stand.",
            questions=named,
        )


def _why_nothing(frozen: Frozen) -> str:
    if not frozen.rows:
        return "The import has no rows, so there is nothing to apply."
    reasons = []
    if (count := frozen.excluded) > 0:
        reasons.append(counted(count, "row is left out", "rows are left out"))
    if (count := frozen.failed) > 0:
        reasons.append(counted(count, "row has errors", "rows have errors"))
    return f"No row is left to apply: {' and '.join(reasons)}. Correct some, or cancel the import."


def _require_unchanged(record: ImportRecord) -> None:
    """Lock the row. Raise StaleState if it was edited since it was read, which would be lost."""
    same = ImportRecord.objects.filter(pk=record.pk, revision=record.revision)
    if not list(same.select_for_update().values_list("pk", flat=True)):
        raise StaleState("Somebody changed the rows at the same moment; look again.")


def unfreeze(*, record: ImportRecord, actor: Actor, at: datetime, reason: str) -> ImportRecord:
    """Return to review: the apply was discarded or is blocked."""
    return record.move_to(State.REVIEW, at=at, actor=actor, reason=reason, due_at=None)
