"""The ambiguity ledger: ``imports/{recordId}/questions``, ``questions``, ``answers``."""

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.kept_rows import while_kept
from api.v1.http.pages import Page
from api.v1.http.problem import problems
from api.v1.http.whole import page_of
from common import clock
from common.http.addresses import below
from common.response_size import fitting
from imports import services
from imports.page_policy import is_unknown_page, require_answer
from imports.previews.answer import preview_answer
from imports.selectors import file_for, import_for, question_for
from ledger import selectors
from ledger import services as ledger
from ledger.models import Question
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from schemas.parameters import parameters_of
from schemas.shapes.review.answer_previews import AnswerPreviewOut, PreviewFilters
from schemas.shapes.review.questions import (
    AcceptedOut,
    AnswerIn,
    AnswerOut,
    DismissedOut,
    QuestionFilters,
    QuestionOut,
)


class InOrder(Page):
    """A page in the order in which the questions were asked."""

    ordering = "pk"  # ids created in the same millisecond are unordered
    position = r"[0-9]{1,18}"


@extend_schema(
    parameters=[QuestionFilters],
    responses={200: QuestionOut(many=True), **problems(404)},
    operation_id="questions_list",
)
@declares(GET="questions_list")
@api_view(["GET"])
def questions(request: Request, record_id: str) -> Response:
    """List what was asked about an import, in the order it was asked."""
    tenant = caller_of(request).tenant
    record = import_for(caller_of(request), record_id)
    page = InOrder(QuestionFilters)
    mine = selectors.questions_about(tenant, record.public_id)
    items = page.paginate_queryset(mine, request)
    return page.get_paginated_response(QuestionOut(items, many=True, context=seen_by(request)).data)


@extend_schema(
    responses={200: QuestionOut, **problems(404)},
    operation_id="questions_read",
)
@declares(GET="questions_read")
@api_view(["GET"])
def question(request: Request, question_id: str) -> Response:
    """Read a question."""
    asked_question = question_for(caller_of(request), question_id)
    return Response(QuestionOut(asked_question, context=seen_by(request)).data)


@extend_schema(
    request=AnswerIn,
    responses={202: QuestionOut, **problems(400, 404, 409)},
    operation_id="questions_answer",
)
@declares(POST="questions_answer")
@api_view(["POST"])
def answer(request: Request, question_id: str) -> Response:
    """Answer a question for the whole import; answering again replaces the answer."""
    question = question_for(caller_of(request), question_id)
    body = AnswerIn(data=request.data)
    body.is_valid(raise_exception=True)
    caller = caller_of(request)
    record = file_for(caller, question.subject) if caller.is_page else None
    if record is not None:
        require_answer(caller, record, question, body.validated_data["value"])
    services.answer_question(
        question=question,
        value=body.validated_data["value"],
        remember=body.validated_data["remember"],
        actor=caller_of(request).actor,
        at=clock.now(),
    )
    return _followed(request, question)


@extend_schema(
    request=None,
    responses={202: QuestionOut, **problems(404, 409)},
    operation_id="questions_dismiss",
)
@declares(POST="questions_dismiss")
@api_view(["POST"])
def dismiss(request: Request, question_id: str) -> Response:
    """Apply the default of a question, for this import."""
    question = question_for(caller_of(request), question_id)
    services.dismiss_question(question=question, actor=caller_of(request).actor, at=clock.now())
    return _followed(request, question)


@extend_schema(
    parameters=[PreviewFilters],
    responses={200: AnswerPreviewOut, **problems(400, 404, 409)},
    operation_id="questions_preview",
)
@declares(GET="questions_preview")
@api_view(["GET"])
@while_kept
def preview(request: Request, record_id: str, question_id: str) -> Response:
    """Show the rows that an answer would touch, now and then; nothing is stored."""
    caller = caller_of(request)
    record, question = import_for(caller, record_id), question_for(caller, question_id)
    wanted = parameters_of(request, PreviewFilters)
    outcome = preview_answer(
        record=record,
        question=question,
        value=wanted["value"],
        outcomes=tuple(wanted["outcome"]),
        offset=wanted["cursor"],
        limit=wanted["limit"],
    )
    shown = dict(AnswerPreviewOut(outcome).data)
    items = fitting(shown["items"])
    if len(items) < len(shown["items"]):
        shown |= {"items": items, "next": str(wanted["cursor"] + len(items))}
    return page_of(items, shown)


@extend_schema(
    request=None,
    responses={202: DismissedOut, **problems(404, 409)},
    operation_id="questions_dismiss_all",
)
@declares(POST="questions_dismiss_all")
@api_view(["POST"])
def dismiss_all(request: Request, record_id: str) -> Response:
    """Apply the defaults of all open questions, for this import; return what was dismissed."""
    record = import_for(caller_of(request), record_id)
    dismissed = services.dismiss_all(record=record, actor=caller_of(request).actor, at=clock.now())
    headers = {"Location": below(f"/api/import/v1/imports/{record.public_id}")}
    items = fitting(DismissedOut({"items": dismissed}, context=seen_by(request)).data["items"])
    return Response({"items": items}, status=202, headers=headers)


@extend_schema(
    request=None,
    responses={202: AcceptedOut, **problems(404, 409)},
    operation_id="questions_accept",
)
@declares(POST="questions_accept")
@api_view(["POST"])
def accept(request: Request, record_id: str) -> Response:
    """Answer all that is open as it suggests, in one step; what suggests nothing stays open."""
    record = import_for(caller_of(request), record_id)
    by = caller_of(request).actor
    taken = services.take_suggestions(record=record, actor=by, at=clock.now())
    headers = {"Location": below(f"/api/import/v1/imports/{record.public_id}")}
    items = fitting(AcceptedOut({"items": taken}, context=seen_by(request)).data["items"])
    return Response({"items": items}, status=202, headers=headers)


@extend_schema(responses=AnswerOut(many=True), operation_id="answers_list")
@declares(GET="answers_list")
@api_view(["GET"])
def answers(request: Request) -> Response:
    """List the remembered answers, newest first."""
    page = Page()
    mine = selectors.remembered_answers(caller_of(request).tenant)
    items = page.paginate_queryset(mine, request)
    return page.get_paginated_response(AnswerOut(items, many=True).data)


@extend_schema(methods=["GET"], responses=AnswerOut, operation_id="answers_read")
@extend_schema(methods=["DELETE"], responses={204: None}, operation_id="answers_forget")
@declares(GET="answers_read", DELETE="answers_forget")
@api_view(["GET", "DELETE"])
def remembered_answer(request: Request, answer_id: str) -> Response:
    """Read a remembered answer, or forget it."""
    answer = selectors.answer_of(caller_of(request).tenant, answer_id)
    if request.method == "GET":
        return Response(AnswerOut(answer).data)
    ledger.forget(answer=answer)
    return Response(status=204)


def seen_by(request: Request) -> dict[str, bool]:
    """Return how much a caller may learn about the author of an answer."""
    return {"names_nobody": is_unknown_page(caller_of(request))}


def _followed(request: Request, question: Question) -> Response:
    headers = {"Location": below(f"/api/import/v1/imports/{question.subject}")}
    return Response(
        QuestionOut(question, context=seen_by(request)).data, status=202, headers=headers
    )
