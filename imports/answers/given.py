"""The answers for a transform, and whether one is valid."""

from collections.abc import Mapping
from typing import Any

from common.errors import InvalidRequest
from common.wording.messages import english_message
from imports.models import ImportRecord
from ledger import selectors as ledger
from ledger.models import Question
from pipeline.kinds import TEXT_KINDS, VALUE_KINDS, WHOLE_KINDS, added, fault_of, stored
from pipeline.target import Target
from tabular.protocol.answers import Answers


def given_answers(record: ImportRecord, mapping: Mapping[str, str]) -> Answers:
    """Return the answers about an import's values whose column still feeds the field."""
    column_of = {path: column for column, path in mapping.items()}
    answers = Answers()
    answered = ledger.questions_about(record.tenant, record.public_id).filter(
        state=Question.State.ANSWERED, kind__in=VALUE_KINDS
    )
    for question in answered:
        fed_by = column_of.get(question.field)  # missing if a text above the table feeds it
        of_column = question.columns == ([fed_by] if fed_by else [])
        if of_column or question.kind in WHOLE_KINDS | TEXT_KINDS:
            answers = added(answers, question, question.answer)
    return answers


def checked_value(question: Question, value: Any, target: Target) -> Any:
    """
    Return an answer as the ledger stores it.

    Raise InvalidRequest (``invalid_answer``) if it is invalid.
    """
    if sentence := fault_of(question, value, target):
        where = [
            {"pointer": "/value", "code": "invalid_answer", "detail": english_message(sentence)}
        ]
        raise InvalidRequest(english_message(sentence), code="invalid_answer", errors=where)
    return stored(question.kind, value)
