"""The answers for a transform, in the terms of ``tabular.transforming.Plan``."""

from collections.abc import Iterable, Mapping
from typing import Any

from imports.answers.recall import RecalledAnswer
from imports.models import ImportRecord
from imports.questions import TEXT_KINDS, VALUE_KINDS, WHOLE_KINDS
from imports.questions import with_answer as with_answer_about
from ledger import selectors as ledger
from ledger.models import Question
from ledger.services import NewQuestion
from tabular.protocol.answers import Answers


def given_answers(record: ImportRecord) -> Answers:
    """Return the answers of this import whose column still feeds the field."""
    column_of = {path: column for column, path in (record.mapping or {}).items()}
    answers = Answers()
    answered = ledger.questions_about(record.tenant, record.public_id).filter(
        state=Question.State.ANSWERED, kind__in=VALUE_KINDS
    )
    for question in answered:
        fed_by = column_of.get(question.field)  # missing if a text above the table feeds it
        of_column = question.columns == ([fed_by] if fed_by else [])
        if of_column or question.kind in WHOLE_KINDS | TEXT_KINDS:
            answers = with_answer(answers, question, question.answer)
    return answers


def with_answer(answers: Answers, question: Question, value: Any) -> Answers:
    """Return the answers with one about values added."""
    text = question.evidence[0] if question.evidence else ""
    return with_answer_about(answers, question.kind, question.field, text, value)


def with_known(
    answers: Answers, asked: Iterable[NewQuestion], known: Mapping[str, RecalledAnswer]
) -> Answers:
    """Return the answers with what is known about the questions just asked."""
    for question in asked:
        if question.kind in VALUE_KINDS and question.fingerprint in known:
            value = known[question.fingerprint].value
            text = question.evidence[0] if question.evidence else ""
            answers = with_answer_about(answers, question.kind, question.field or "", text, value)
    return answers
