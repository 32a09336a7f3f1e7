"""Accept all suggestions: answer every open question as suggested, in one step."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from common.actors import Actor
from imports import transitions
from imports.answers.questions import open_questions_of
from imports.models import ImportRecord
from imports.services.answers import go_on, held, with_answer
from ledger import transitions as moves
from ledger.models import Question
from pipeline.draft import MappingDraft
from pipeline.kinds import COLUMN_KINDS, FILE_KINDS, followed

State = ImportRecord.State
SURE = 75  # the score from which the best candidate is suggested if there is no default


@dataclass(frozen=True, slots=True)
class Suggested:
    """The answer that a question suggests."""

    question: Question
    value: Any


def suggestion_of(question: Question) -> Suggested | None:
    """
    Return what a question suggests: its default, else its best candidate.

    None if the best is not likely enough, or another is as likely: a person has to decide.
    """
    if question.default is not None:
        return Suggested(question, question.default)
    scored = [
        candidate
        for candidate in question.candidates
        if candidate["value"] is not None and candidate["score"]
    ]
    ranked = sorted(scored, key=lambda item: -item["score"])
    if not ranked or ranked[0]["score"] < SURE:
        return None
    if len(ranked) > 1 and ranked[1]["score"] == ranked[0]["score"]:
        return None
    return Suggested(question, ranked[0]["value"])


def take_suggestions(*, record: ImportRecord, actor: Actor, at: datetime) -> list[Question]:
    """
    Answer all open questions that have a suggestion; transform the rows once, as one step.

    Return the answered questions; the others stay open.
    """
    with transaction.atomic():
        record = held(record.tenant, record.public_id)
        suggestions = [suggestion_of(question) for question in open_questions_of(record)]
        taken = [item for item in suggestions if item is not None]
        for item in taken:
            moves.answer(question=item.question, value=item.value, actor=actor, at=at)
        if record.state == State.MAPPING:
            proposal = record.proposes
            for item in taken:
                proposal = with_answer(proposal, item.question, item.value)
            go_on(record, proposal, actor=actor, at=at)
        else:
            _transform(record, taken, actor=actor, at=at)
    return [item.question for item in taken]


def _transform(record: ImportRecord, taken: list[Suggested], *, actor: Actor, at: datetime) -> None:
    """Transform rows in review if an answer differs from what they were made with."""
    # A choice about the file has a default, and the file was read with it.
    new = [suggested for suggested in taken if suggested.question.kind not in FILE_KINDS]
    about_columns = [item for item in new if item.question.kind in COLUMN_KINDS]
    draft = MappingDraft(record.mapping or {}, tuple((record.recipe or {}).get("steps", ())))
    samples = record.proposes.samples
    for column in about_columns:
        draft = followed(draft, column.question, column.value, samples=samples)
    is_mapped_so = not about_columns or (
        record.mapping == dict(draft.mapping) and record.recipe == draft.recipe
    )
    values = [item for item in new if item not in about_columns]
    if is_mapped_so and all(value.value == value.question.default for value in values):
        return
    new_draft = draft if about_columns else None
    transitions.transform_again(record, new_draft, actor=actor, at=at)
