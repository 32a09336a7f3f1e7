"""
A preview of what an answer would do to the rows in review. docs/questions.md.

The answer is processed like a real one, up to the plan of a transform;
``staging.edits.answered_rows`` makes the rows. For an answer that reads the file again, or makes
other rows, only its effect is described.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from imports import inputs
from imports.answers.questions import checked_value, given_answers
from imports.models import ImportRecord
from imports.services.review import rows_of
from imports.transitions import WAITING, NotWaiting
from ledger.models import Question
from ledger.selectors import UnknownQuestion
from pipeline.draft import MappingDraft
from pipeline.kinds import COLUMN_KINDS, FILE_KINDS, PERSON_KINDS, TEXT_KINDS, added, followed

if TYPE_CHECKING:
    from staging.columns import StagedTable
    from staging.edits.answered_rows import AnsweredRows
    from tabular.protocol.plan import TransformPlan
    from tabular.transforming.inferred import Inferred

MAKING_ROWS = frozenset({"unpivot", "unpivot_groups", "drop_rows"})  # steps that make other rows
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AnswerPreview:
    """What an answer would do. counts: None if only ``effect`` describes it, without rows."""

    revision: int
    value: Any
    effect: str
    counts: Mapping[str, int] | None = None
    items: list[Json] = field(default_factory=list)
    next: str | None = None


def preview_answer(
    *,
    record: ImportRecord,
    question: Question,
    value: Any,
    outcomes: tuple[str, ...],
    offset: int,
    limit: int,
) -> AnswerPreview:
    """
    Return the rows that an answer would change; nothing is stored.

    Raise InvalidRequest (``invalid_answer``) with what an answer may be. Raise NotWaiting if the
    question takes no answer now.
    """
    if question.subject != record.public_id:
        raise UnknownQuestion
    if record.state not in WAITING or question.state == Question.State.SUPERSEDED:
        raise NotWaiting
    checked = checked_value(question, value, inputs.target_of(record))
    answered = _answered_rows(record, question, checked)
    about = AnswerPreview(record.revision, value, _effect(question, value))
    if answered is None:
        return about
    rows = answered.rows_with(outcomes)
    shown = rows[offset : offset + limit]
    end = offset + len(shown)
    return replace(
        about,
        counts=answered.counts,
        items=answered.shown(shown),
        next=str(end) if end < len(rows) else None,
    )


def _effect(question: Question, value: Any) -> str:
    effects = [
        candidate["effect"] for candidate in question.candidates if candidate["value"] == value
    ]
    return effects[0] if effects else ""


def _answered_rows(record: ImportRecord, question: Question, value: Any) -> "AnsweredRows | None":
    """Return the rows as the answer would make them; None if it makes other rows."""
    if question.kind in FILE_KINDS | PERSON_KINDS or record.state != ImportRecord.State.REVIEW:
        return None
    from staging.edits.answered_rows import AnsweredRows  # loads pyarrow

    table = rows_of(record)
    if question.kind in COLUMN_KINDS:
        changed = _mapped_otherwise(record, question, value, table)
        return None if changed is None else AnsweredRows(table, *changed, None)
    text = question.evidence[0] if question.kind in TEXT_KINDS else None
    return AnsweredRows(table, *_answered(record, question, value, table), text)


def _answered(
    record: ImportRecord, question: Question, value: Any, table: "StagedTable"
) -> tuple["TransformPlan", "Inferred", list[str]]:
    from tabular.transforming.inference import PHONES, infer_by_answers

    files = table.files
    plan = replace(files.plan, answers=added(files.plan.answers, question, value))
    paths = [question.field]
    if question.kind == "region":
        fields = plan.used_fields.items()
        paths = [path for path, item in fields if item.column_type in PHONES]
    inferred = infer_by_answers(plan, files.inferred, paths)
    return plan, inferred, paths


def _mapped_otherwise(
    record: ImportRecord, question: Question, value: Any, table: "StagedTable"
) -> tuple["TransformPlan", "Inferred", list[str]] | None:
    from tabular.transforming.inference import infer

    files = table.files
    now = inputs.draft_of(record)
    draft = followed(now, question, value, samples=record.proposes.samples)
    if _row_steps(now) != _row_steps(draft):
        return None
    plan = _plan(record, draft, files.plan)
    fed, before = plan.columns_by_path, files.plan.columns_by_path
    refilled = _refilled(now, draft)
    paths = [
        path
        for path in plan.fields
        if fed.get(path) != before.get(path) or fed.get(path) in refilled
    ]
    if plan.used_fields.keys() != files.plan.used_fields.keys():
        return None  # rows are validated against another entity
    inferred = infer(files.source, plan=plan)
    parse_options = {
        **files.inferred.parse_options,
        **{path: inferred.parse_options[path] for path in paths},
    }
    return plan, replace(files.inferred, parse_options=parse_options), paths


def _plan(record: ImportRecord, draft: MappingDraft, plan: "TransformPlan") -> "TransformPlan":
    """Return the plan of rows with another mapping, with the answers that apply to them."""
    import orjson

    from tabular.model.recipe import Recipe

    recipe = Recipe.model_validate_json(orjson.dumps(draft.recipe)) if draft.recipe else None
    answers = given_answers(record, draft.mapping)
    return replace(plan, mapping=dict(draft.mapping), recipe=recipe, answers=answers)


def _refilled(now: MappingDraft, draft: MappingDraft) -> set[str]:
    """Return the columns that one of two drafts fills down, and the other does not."""
    steps = [step for step in (*now.steps, *draft.steps) if step["do"] == "fill_down"]
    return {
        column
        for step in steps
        if (step in now.steps) != (step in draft.steps)
        for column in step["columns"]
    }


def _row_steps(draft: MappingDraft) -> list[Json]:
    return [step for step in draft.steps if step["do"] in MAKING_ROWS]
