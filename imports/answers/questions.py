"""
The questions of an import: recorded for a job, answered for its next one, closed when obsolete.

Remembered answers are given at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from common.actors import ENGINE, Actor
from common.errors import Conflict, InvalidRequest
from common.models import Move
from common.wording.messages import english_message
from imports.answers.memory import LEARNED
from imports.models import ImportRecord
from ledger import selectors
from ledger import services as ledger
from ledger import transitions as moves
from ledger.models import Question
from pipeline.kinds import (
    ISSUE_OF,
    PERSON_KINDS,
    TEXT_KINDS,
    VALUE_KINDS,
    WHOLE_KINDS,
    added,
    fault_of,
    stored,
)
from pipeline.recall import RecalledAnswer
from pipeline.target import Target
from staging.issues import texts_with
from staging.selectors import at_revision
from tabular.model.issue import NewQuestion
from tabular.protocol.answers import Answers

BY_EVIDENCE = "evidence in the file"


class OpenQuestions(Conflict):
    """Some questions are open. Answer or dismiss them, or apply with `openQuestions: dismiss`."""

    code = "open_questions"


def record_questions(
    record: ImportRecord,
    new_questions: Sequence[NewQuestion],
    *,
    kinds: Iterable[str],
    known: Mapping[str, RecalledAnswer],
    at: datetime,
) -> None:
    """
    Ask, supersede questions no longer asked, and mark reused answers as learned.

    A question that the file itself decides is dismissed at once, with its evidence: people see it
    and can answer otherwise. Once the file no longer decides, it is asked.
    """
    _ask_again(record, [item.fingerprint for item in new_questions if not item.decided], at=at)
    decided = {item.fingerprint for item in new_questions if item.decided}
    questions = ledger.ask_all(
        tenant=record.tenant,
        subject=record.public_id,
        new_questions=new_questions,
        kinds=kinds,
        at=at,
    )
    for question in questions:
        recalled = known.get(question.fingerprint)
        if recalled and recalled.is_learned and question.state == Question.State.OPEN:
            moves.answer(
                question=question,
                value=recalled.value,
                actor=LEARNED,
                at=at,
                remember=False,
                recalled=recalled.recalled,
            )
        elif question.fingerprint in decided and question.state == Question.State.OPEN:
            moves.dismiss(question=question, actor=ENGINE, at=at, rule=BY_EVIDENCE)


def _ask_again(record: ImportRecord, fingerprints: Sequence[str], *, at: datetime) -> None:
    """Reopen questions that were dismissed by evidence that no longer exists."""
    dismissed = selectors.questions_about(record.tenant, record.public_id).filter(
        kind__in=WHOLE_KINDS, fingerprint__in=fingerprints, state=Question.State.DISMISSED
    )
    for question in dismissed:
        if Move.objects.filter(subject=question.public_id, reason=BY_EVIDENCE).exists():
            moves.supersede(questions=[question], at=at, reason="the file no longer decides")


def given_answers(record: ImportRecord, mapping: Mapping[str, str]) -> Answers:
    """Return the answers about an import's values whose column still feeds the field."""
    column_of = {path: column for column, path in mapping.items()}
    answers = Answers()
    answered = selectors.questions_about(record.tenant, record.public_id).filter(
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


def open_questions_of(record: ImportRecord) -> QuerySet[Question]:
    """Return the questions of an import that are neither answered nor dismissed."""
    return selectors.open_questions(record.tenant, record.public_id)


def dismiss_open(*, record: ImportRecord, actor: Actor, at: datetime) -> list[Question]:
    """
    Dismiss all open questions but those for a person, inside the caller's transaction.

    The rows in review already use the defaults, so nothing else changes there.
    """
    questions = list(open_questions_of(record).exclude(kind__in=PERSON_KINDS))
    for question in questions:
        moves.dismiss(question=question, actor=actor, at=at)
    return questions


def settle_questions(record: ImportRecord, *, dismisses: bool, actor: Actor, at: datetime) -> None:
    """
    Close what an apply closes: questions about texts that are gone, and with ``dismisses`` others.

    Raise OpenQuestions if any stay open.
    """
    close_outdated(record, at=at)
    if dismisses:
        dismiss_open(record=record, actor=actor, at=at)
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


def end_questions(record: ImportRecord, *, at: datetime, reason: str) -> None:
    """Close all questions, because the import ended."""
    moves.supersede(questions=open_questions_of(record), at=at, reason=reason)


def close_outdated(record: ImportRecord, *, at: datetime) -> None:
    """Close questions about a text that no row has any longer: it was edited or excluded."""
    about: dict[tuple[str, str], list[Question]] = {}
    for question in open_questions_of(record).filter(kind__in=ISSUE_OF):
        about.setdefault((question.field, ISSUE_OF[question.kind]), []).append(question)
    table = at_revision(record.public_id, record.revision) if about else None
    if table is None:
        return
    for (field, code), questions in about.items():
        still = {text["value"] for text in texts_with(table, field=field, code=code)}
        gone = [question for question in questions if question.evidence[0] not in still]
        moves.supersede(questions=gone, at=at, reason="no row has the text any more")
