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
from common.http.language import localized_problem
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
        logger.warning("a call met the bound of this process's memory")
        gc.collect()
        return errors.OutOfMemory()
    if isinstance(error, drf.ValidationError):
        return errors.InvalidRequest(
            "Some members of the request are not accepted.",
            errors=list(islice(pointers(error.detail), MOST_LISTED)),
        )
    if isinstance(error, drf.MethodNotAllowed):
        found = errors.ServiceError(str(error.detail), code="method_not_allowed")
        found.status, found.title = 405, "Method not allowed"
        return found
    if isinstance(error, drf.NotAcceptable):
        found = errors.ServiceError(str(error.detail), code="not_acceptable")
        found.status, found.title = 406, "Not acceptable"
        return found
    for theirs, ours, code in TRANSLATED:
        if isinstance(error, theirs):
            sentence = str(error.detail) if isinstance(error, drf.APIException) else ""
            return ours(sentence, code=code)
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
        return Response(localized_problem(_internal()), status=500, content_type=CONTENT_TYPE)
    headers = headers_of(error)
    wait = getattr(exc, "wait", None)  # drf.Throttled: seconds until the next call may pass
    if wait is not None:
        headers["Retry-After"] = str(max(1, round(wait)))
    if isinstance(exc, drf.MethodNotAllowed) and "view" in context:
        headers["Allow"] = ", ".join(context["view"].allowed_methods)
    return Response(
        localized_problem(error.as_problem()),
        status=error.status,
        headers=headers,
        content_type=CONTENT_TYPE,
    )


def _internal() -> dict[str, Any]:
    problem = errors.ServiceError(
        "The engine failed and logged the error. Retry; if it persists, contact the operator.",
        code="internal_error",
    )
    problem.status, problem.title = 500, "Internal error"
    return problem.as_problem()


def answer(problem: dict[str, Any]) -> JsonResponse:
    """Return a response with a problem, outside of any view."""
    shown = localized_problem(problem)
    return JsonResponse(shown, status=problem["status"], content_type=CONTENT_TYPE)


def problem_answer(error: errors.ServiceError) -> JsonResponse:
    """Return a response with an error and the headers that go with it, outside of any view."""
    response = answer(error.as_problem())
    for name, text in headers_of(error).items():
        response[name] = text
    return response


def bad_request(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Answer Django's own 400 (``handler400``), a body over the limit included."""
    found = as_service_error(exception) or errors.InvalidRequest("The request is malformed.")
    return answer(found.as_problem())


def permission_denied(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Answer Django's own 403 (``handler403``)."""
    return answer(errors.NotAllowed().as_problem())


def not_found(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Answer Django's own 404 (``handler404``)."""
    return answer(errors.NotFound("There is nothing at this address.").as_problem())


def server_error(request: HttpRequest) -> JsonResponse:
    """Answer a bug of ours (``handler500``), or running out of memory."""
    error = sys.exc_info()[1]
    if error is not None and is_out_of_memory(error):
        return problem_answer(errors.OutOfMemory())
    return answer(_internal())
