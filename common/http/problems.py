"""Convert every error to problem+json (RFC 9457), Django's own included."""

import gc
import logging
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, JsonResponse
from django.http.multipartparser import MultiPartParserError
from rest_framework import exceptions as drf
from rest_framework.response import Response
from rest_framework.views import set_rollback

from common import errors
from common.errors import MOST_LISTED
from common.http.language import problem_of
from common.http.pointers import escaped
from tabular.model.sentences import about

logger = logging.getLogger(__name__)
CONTENT_TYPE = "application/problem+json"

TRANSLATED: tuple[tuple[type[Exception], type[errors.ServiceError], str], ...] = (
    (Http404, errors.NotFound, ""),
    (PermissionDenied, errors.NotAllowed, ""),
    (drf.NotAuthenticated, errors.NotAuthenticated, ""),
    (drf.AuthenticationFailed, errors.NotAuthenticated, ""),
    (drf.PermissionDenied, errors.NotAllowed, ""),
    (drf.NotFound, errors.NotFound, ""),
    (drf.UnsupportedMediaType, errors.UnsupportedMediaType, ""),
    (drf.Throttled, errors.TooManyRequests, ""),
    (drf.ParseError, errors.InvalidRequest, "malformed_body"),
    (RequestDataTooBig, errors.TooLarge, ""),
    (MultiPartParserError, errors.InvalidRequest, "malformed_body"),
    (BadRequest, errors.InvalidRequest, ""),
)


def pointers(detail: Any, pointer: str = "") -> Iterator[dict[str, str]]:
    """
    Yield serializer errors with their JSON pointers.

    >>> list(pointers({"url": ["{member} is required."]}))
    [{'pointer': '/url', 'detail': '“url” is required.'}]
    >>> list(pointers({"edits": {3: {"row": ["{member} must be a number."]}}}))
    [{'pointer': '/edits/3/row', 'detail': '“row” must be a number.'}]
    """
    if isinstance(detail, Mapping):
        for key, value in detail.items():
            yield from pointers(value, f"{pointer}/{escaped(str(key))}")
    elif isinstance(detail, Sequence) and not isinstance(detail, str):
        for value in detail:
            yield from pointers(value, pointer)
    else:
        pointer = pointer.removesuffix("/non_field_errors")
        yield {"pointer": pointer, "detail": about(str(detail), pointer)}


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether memory ran out, also for the stack of a thread."""
    no_thread = isinstance(error, RuntimeError) and "can't start new thread" in str(error)
    return no_thread or isinstance(error, MemoryError)


def as_service_error(error: Exception) -> errors.ServiceError | None:
    """Return a framework's exception as a ServiceError, or None for a bug of ours."""
    if isinstance(error, errors.ServiceError):
        return error
    if is_out_of_memory(error):
        logger.warning("a call was refused: this process reached its memory limit")
        gc.collect()
        return errors.OutOfMemory()
    if isinstance(error, drf.ValidationError):
        return errors.InvalidRequest(
            "invalid_request.members",
            errors=list(islice(pointers(error.detail), MOST_LISTED)),
        )
    if isinstance(error, drf.MethodNotAllowed):
        refusal = errors.ServiceError("said", text=str(error.detail), code="method_not_allowed")
        refusal.status, refusal.title = 405, "title.method_not_allowed"
        return refusal
    if isinstance(error, drf.NotAcceptable):
        refusal = errors.ServiceError("said", text=str(error.detail), code="not_acceptable")
        refusal.status, refusal.title = 406, "title.not_acceptable"
        return refusal
    for theirs, ours, code in TRANSLATED:
        if isinstance(error, theirs):
            code = code or ours.code
            if isinstance(error, drf.APIException):
                return ours("said", text=str(error.detail), code=code)
            return ours(code=code)
    return None


def headers_of(error: errors.ServiceError) -> dict[str, str]:
    """Return the headers that go with a status."""
    if error.status == 401:
        return {"WWW-Authenticate": "Bearer"}
    if "retryAfter" in error.members:
        return {"Retry-After": str(error.members["retryAfter"])}
    return {}


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response to a DRF view's exception; a bug of ours becomes a 500, logged once."""
    set_rollback()
    error = as_service_error(exc)
    if error is None:
        view = type(context.get("view")).__name__
        logger.exception("unexpected error in %s", view, exc_info=exc)
        return Response(problem_of(_internal()), status=500, content_type=CONTENT_TYPE)
    headers = headers_of(error)
    wait = getattr(exc, "wait", None)  # drf.Throttled: seconds until the next call may pass
    if wait is not None:
        headers["Retry-After"] = str(max(1, round(wait)))
    if isinstance(exc, drf.MethodNotAllowed) and "view" in context:
        headers["Allow"] = ", ".join(context["view"].allowed_methods)
    return Response(
        problem_of(error),
        status=error.status,
        headers=headers,
        content_type=CONTENT_TYPE,
    )


def _internal() -> errors.ServiceError:
    problem = errors.ServiceError("internal_error")
    problem.status, problem.title = 500, "title.internal_error"
    return problem


def answer(error: errors.ServiceError) -> JsonResponse:
    """Return a response with an error, outside of any view."""
    return JsonResponse(problem_of(error), status=error.status, content_type=CONTENT_TYPE)


def problem_answer(error: errors.ServiceError) -> JsonResponse:
    """Return a response with an error and the headers that go with it, outside of any view."""
    response = answer(error)
    for name, text in headers_of(error).items():
        response[name] = text
    return response


def bad_request(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Answer Django's own 400 (``handler400``), a body over the limit included."""
    error = as_service_error(exception) or errors.InvalidRequest("invalid_request.malformed")
    return answer(error)


def permission_denied(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Answer Django's own 403 (``handler403``)."""
    return answer(errors.NotAllowed())


def not_found(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Answer Django's own 404 (``handler404``)."""
    return answer(errors.NotFound("not_found.address"))


def server_error(request: HttpRequest) -> JsonResponse:
    """Answer a bug of ours (``handler500``), or running out of memory."""
    error = sys.exc_info()[1]
    if error is not None and is_out_of_memory(error):
        return problem_answer(errors.OutOfMemory())
    return answer(_internal())
