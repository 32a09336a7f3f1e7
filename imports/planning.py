"""The answers for a transform, in the terms of ``tabular.transforming.Plan``."""

from collections.abc import Iterable, Mapping
from typing import Any

from imports.asking import TEXT_KINDS, VALUE_KINDS, WHOLE_KINDS
from imports.models import ImportRecord
from imports.recalling import Known
from ledger import selectors as ledger
from ledger.models import Question
from ledger.services import Asked

Answers = dict[str, Any]  # "date_order:<path>" to "dmy", "category_value:<path>" to {text: value}


def given_answers(record: ImportRecord) -> Answers:
    """Return the answers of this import whose column still feeds the field."""
    column_of = {path: column for column, path in (record.mapping or {}).items()}
    answers: Answers = {}
    answered = ledger.questions_about(record.tenant, record.public_id).filter(
        state=Question.State.ANSWERED, kind__in=VALUE_KINDS
    )
    for question in answered:
        fed_by = column_of.get(question.field)  # missing if a text above the table feeds it
        of_column = question.columns == ([fed_by] if fed_by else [])
        if of_column or question.kind in WHOLE_KINDS | TEXT_KINDS:
            answers = with_answer(answers, question, question.answer)
    return answers


def with_answer(answers: Mapping[str, Any], question: Question, value: Any) -> Answers:
    """Return the answers with one about values added."""
    text = question.evidence[0] if question.evidence else ""
    return _with(dict(answers), question.kind, question.field, text, value)


def with_known(answers: Answers, asked: Iterable[Asked], known: Mapping[str, Known]) -> Answers:
    """Return the answers with what is known about the questions just asked."""
    for one in asked:
        if one.kind in VALUE_KINDS and one.fingerprint in known:
            value = known[one.fingerprint].value
            answers = _with(answers, one.kind, one.field or "", one.evidence[0], value)
    return answers


def _with(answers: Answers, kind: str, field: str, text: str, value: Any) -> Answers:
    key = f"{kind}:{field}"
    if kind not in TEXT_KINDS:
        return {**answers, key: value}
    return {**answers, key: {**answers.get(key, {}), text: value}}
