"""Freeze the rows of an import for delivery."""

from dataclasses import dataclass
from datetime import datetime

from common.actors import Actor
from common.errors import Conflict
from imports import transitions
from imports.answers.record import drop_settled, open_questions_of
from imports.bulk_changes.state import refuse_while_changing
from imports.host_checks.state import refuse_unchecked
from imports.models import ImportRecord
from imports.services.answering import dismiss_open
from tabular.model.sentences import counted

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
    transitions.begin_applying(record, actor=actor, at=at)
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
            f"{open_}. Answer or dismiss them, or apply with `openQuestions: dismiss` to use "
            "the defaults.",
            questions=named,
        )


def _why_nothing(frozen: Frozen) -> str:
    if not frozen.rows:
        return "The import has no rows to apply."
    reasons = []
    if (count := frozen.excluded) > 0:
        reasons.append(counted(count, "row is excluded", "rows are excluded"))
    if (count := frozen.failed) > 0:
        reasons.append(counted(count, "row has errors", "rows have errors"))
    return f"No row is left to import: {' and '.join(reasons)}. Correct some, or cancel the import."
