"""Freeze the rows of an import for delivery."""

from dataclasses import dataclass
from datetime import datetime

from common.actors import Actor
from common.errors import Conflict
from imports import transitions
from imports.answers.record import close_outdated, open_questions_of
from imports.bulk_changes.state import refuse_while_changing
from imports.host_checks.state import refuse_unchecked
from imports.models import ImportRecord
from imports.services.answers import dismiss_open

State = ImportRecord.State


class InvalidRows(Conflict):
    """Some rows have errors. Correct them, or exclude them."""

    code = "invalid_rows"


class NothingToApply(Conflict):
    """No row is left to import. Correct some, or cancel the import."""

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
        raise NotReady("not_ready.state", state=record.state)
    refuse_while_changing(record)
    refuse_unchecked(record, at=at)
    close_outdated(record, at=at)
    if open_questions == "dismiss":
        dismiss_open(record=record, actor=actor, at=at)
    _require_answers(record)
    invalid = record.counts.get("error", 0)
    if invalid and invalid_rows == "block":
        raise InvalidRows(
            "invalid_rows.rows",
            rows=invalid,
            members={"rows": invalid},
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
        raise _nothing_left(frozen)
    transitions.begin_applying(record, actor=actor, at=at)
    return frozen


def _require_answers(record: ImportRecord) -> None:
    questions = list(open_questions_of(record))
    if questions:
        named = [
            {
                "id": question.public_id,
                "kind": question.kind,
                "field": question.field,
                "columns": question.columns,
                "default": question.default,
            }
            for question in questions
        ]
        raise OpenQuestions(
            "open_questions.count",
            questions=len(questions),
            members={"questions": named},
        )


def _nothing_left(frozen: Frozen) -> NothingToApply:
    excluded, failed = frozen.excluded, frozen.failed
    if not frozen.rows:
        return NothingToApply("nothing_to_apply.no_rows")
    if excluded > 0 and failed > 0:
        return NothingToApply("nothing_to_apply.both", excluded=excluded, failed=failed)
    if failed > 0:
        return NothingToApply("nothing_to_apply.failed", failed=failed)
    return NothingToApply("nothing_to_apply.excluded", excluded=excluded)
