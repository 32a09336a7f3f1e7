"""Name each call in the log: its id, its trace, and its address where the operator wants it."""

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from common.ids import new_id
from common.logs import context

HEADER = "X-Request-Id"
REQUEST_ID = re.compile(r"[A-Za-z0-9_.:-]{8,64}")
# https://www.w3.org/TR/trace-context/#traceparent-header: later versions begin in the same way
TRACEPARENT = re.compile(
    r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
)


def with_request_id(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Take the id and the trace that a proxy sent, or make an id, and answer with the id."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        sent = request.headers.get(HEADER, "")
        request_id = sent if REQUEST_ID.fullmatch(sent) else new_id("req_")
        address = request.META.get("REMOTE_ADDR", "") if settings.LOG_ADDRESSES else ""
        trace = trace_of(request.headers.get("traceparent", ""))
        with context.about({"request": request_id, "trace": trace, "address": address}):
            response = get_response(request)
        response.headers.setdefault(HEADER, request_id)
        return response

    return middleware


def trace_of(traceparent: str) -> str:
    """
    Return the trace id of a ``traceparent`` header; empty if there is none.

    >>> trace_of("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
    '4bf92f3577b34da6a3ce929d0e0e4736'
    >>> trace_of("00-00000000000000000000000000000000-00f067aa0ba902b7-01")
    ''
    """
    match = TRACEPARENT.match(traceparent)
    return match[1] if match else ""
