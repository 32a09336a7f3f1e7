"""
A preview of what an answer would do to the rows in review. docs/questions.md.

The answer is processed like a real one, up to the plan of a transform; ``staging.edits.trying``
makes the rows. For an answer that reads the file again, or makes other rows, only its effect is
described.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from imports.answers.given import given_answers, with_answer
from imports.mapping.draft import MappingDraft
from imports.models import ImportRecord
from imports.questions import COLUMN_KINDS, FILE_KINDS, TEXT_KINDS, checked_value, followed
from imports.questions.recognised_text import NAME as LOOK
from imports.services.reviewing import rows_of
from imports.transitions import WAITING, NotWaiting
from ledger.models import Question
from ledger.selectors import UnknownQuestion

if TYPE_CHECKING:
    from staging.columns import StagedTable
    from staging.edits.trying import AnsweredRows
    from staging.lineage.origin import Origin
    from tabular.transforming import Plan

MAKING_ROWS = frozenset({"unpivot", "drop_rows"})  # steps that make other rows
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
    checked = checked_value(question, value, record)
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
    if question.kind in {*FILE_KINDS, LOOK} or record.state != ImportRecord.State.REVIEW:
        return None
    from staging.edits.trying import AnsweredRows  # loads pyarrow

    table = rows_of(record)
    if question.kind in COLUMN_KINDS:
        found = _mapped_otherwise(record, question, value, table)
        return None if found is None else AnsweredRows(table, *found, None)
    text = question.evidence[0] if question.kind in TEXT_KINDS else None
    return AnsweredRows(table, *_answered(record, question, value, table), text)


def _answered(
    record: ImportRecord, question: Question, value: Any, table: "StagedTable"
) -> tuple["Origin", list[str]]:
    from tabular.transforming import infer_by_answers
    from tabular.transforming.inference import PHONES

    origin = table.files.origin
    answers = with_answer(origin.plan.answers, question, value)
    plan = replace(origin.plan, answers=answers)
    paths = [question.field]
    if question.kind == "region":
        fields = plan.used_fields.items()
        paths = [path for path, item in fields if item.column_type in PHONES]
    inferred = infer_by_answers(plan, origin.inferred, paths)
    return replace(origin, plan=plan, inferred=inferred), paths


def _mapped_otherwise(
    record: ImportRecord, question: Question, value: Any, table: "StagedTable"
) -> tuple["Origin", list[str]] | None:
    from tabular.transforming import infer

    origin = table.files.origin
    now = MappingDraft(record.mapping or {}, tuple((record.recipe or {}).get("steps", ())))
    draft = followed(now, question, value, samples=record.proposes.samples)
    if _row_steps(now) != _row_steps(draft):
        return None
    plan = _plan(record, draft, origin.plan)
    fed, before = plan.columns_by_path, origin.plan.columns_by_path
    paths = [path for path in plan.fields if fed.get(path) != before.get(path)]
    if plan.used_fields.keys() != origin.plan.used_fields.keys():
        return None  # rows are validated against another entity
    found = infer(origin.source, plan=plan)
    parse_options = {
        **origin.inferred.parse_options,
        **{path: found.parse_options[path] for path in paths},
    }
    return replace(
        origin, plan=plan, inferred=replace(origin.inferred, parse_options=parse_options)
    ), paths


def _plan(record: ImportRecord, draft: MappingDraft, plan: "Plan") -> "Plan":
    """Return the plan of rows with another mapping, with the answers that apply to them."""
    import orjson

    from tabular.model.recipe import Recipe

    scratch = ImportRecord(
        tenant=record.tenant, public_id=record.public_id, mapping=dict(draft.mapping)
    )
    recipe = Recipe.model_validate_json(orjson.dumps(draft.recipe)) if draft.recipe else None
    answers = given_answers(scratch)
    return replace(plan, mapping=dict(draft.mapping), recipe=recipe, answers=answers)


def _row_steps(draft: MappingDraft) -> list[Json]:
    return [step for step in draft.steps if step["do"] in MAKING_ROWS]
