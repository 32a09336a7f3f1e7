"""Accept all suggestions: answer every open question as suggested, in one step."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from common.actors import Actor
from imports import transitions
from imports.answers.record import open_questions_of
from imports.mapping.draft import Draft
from imports.models import ImportRecord
from imports.questions import COLUMN_KINDS, FILE_KINDS, followed
from imports.services.answering import go_on, held, map_proposed
from ledger import transitions as moves
from ledger.models import Question

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
    scored = [one for one in question.candidates if one["value"] is not None and one["score"]]
    ranked = sorted(scored, key=lambda one: -one["score"])
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
        found = [suggestion_of(question) for question in open_questions_of(record)]
        taken = [one for one in found if one is not None]
        for one in taken:
            moves.answer(question=one.question, value=one.value, actor=actor, at=at)
        if record.state == State.MAPPING:
            for one in taken:
                map_proposed(record, one.question, one.value)
            go_on(record, actor=actor, at=at)
        else:
            _transform(record, taken, actor=actor, at=at)
    return [one.question for one in taken]


def _transform(record: ImportRecord, taken: list[Suggested], *, actor: Actor, at: datetime) -> None:
    """Transform rows in review if an answer differs from what they were made with."""
    # A choice about the file has a default, and the file was read with it.
    new = [one for one in taken if one.question.kind not in FILE_KINDS]
    about_columns = [one for one in new if one.question.kind in COLUMN_KINDS]
    draft = Draft(record.mapping or {}, tuple((record.recipe or {}).get("steps", ())))
    samples = record.proposes.samples
    for one in about_columns:
        draft = followed(draft, one.question, one.value, samples=samples)
    is_mapped_so = not about_columns or (
        record.mapping == dict(draft.mapping) and record.recipe == draft.recipe
    )
    values = [one for one in new if one not in about_columns]
    if is_mapped_so and all(one.value == one.question.default for one in values):
        return
    new_draft = draft if about_columns else None
    transitions.transform_again(record, new_draft, actor=actor, at=at)
