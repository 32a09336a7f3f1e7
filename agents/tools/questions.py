"""list_questions, answer_question, dismiss_question."""

from typing import Any

from agents.sessions import Session
from agents.tools.result_parts import next_step
from common import clock
from common.errors import InvalidRequest
from common.wording.messages import Message
from imports import services
from imports.answers.questions import open_questions_of
from imports.models import ImportRecord
from imports.selectors import file_for, question_for, questions_for
from ledger.models import Question
from schemas.import_views import shown
from schemas.shapes.review.questions import QuestionOut

Json = dict[str, Any]


def list_questions(session: Session, params: Json) -> Json:
    """Return questions of one import, or of all that the caller may access."""
    mine = questions_for(session.caller).filter(state=params["state"])
    if record_id := params.get("recordId"):
        mine = mine.filter(subject=file_for(session.caller, record_id).public_id)
    if cursor := params.get("cursor"):
        last = questions_for(session.caller).filter(public_id=cursor).first()
        if last is None:
            raise InvalidRequest(
                errors=[{"pointer": "/cursor", "detail": Message("invalid_request.unknown_cursor")}]
            )
        mine = mine.filter(pk__gt=last.pk)
    listed = list(mine[: params["limit"] + 1])
    items = QuestionOut(listed[: params["limit"]], many=True).data
    more = len(listed) > len(items)
    step = "Call answer_question with the id and a value, or dismiss_question."
    return {
        "items": items,
        "next": items[-1]["id"] if more else None,
        "nextStep": step if items else "No question is open. Call dry_run_transform.",
    }


def answer_question(session: Session, params: Json) -> Json:
    """Answer a question for its whole import."""
    question = question_for(session.caller, params["questionId"])
    services.answer_question(
        question=question,
        value=params["value"],
        remember=params["remember"],
        actor=session.caller.actor,
        at=clock.now(),
    )
    return _closed(session, question)


def dismiss_question(session: Session, params: Json) -> Json:
    """Dismiss a question, so that its default applies."""
    question = question_for(session.caller, params["questionId"])
    services.dismiss_question(question=question, actor=session.caller.actor, at=clock.now())
    return _closed(session, question)


def _closed(session: Session, question: Question) -> Json:
    record: ImportRecord = session.wait_for(lambda: file_for(session.caller, question.subject))
    question.refresh_from_db()
    asks = open_questions_of(record).exists()
    return {
        "question": QuestionOut(question).data,
        "import": shown([record], session.caller)[0],
        "nextStep": next_step(record, asks=asks),
    }
