"""``imports/{recordId}/file``: upload the bytes of an announced file in one or more requests."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.http import UnreadablePostError
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.problem import problems
from common import clock
from common.errors import Conflict, WrongHeader
from imports import services
from imports.models import IMPORT_STATES, ImportRecord
from imports.selectors import import_for
from licensing.authentication import caller_of
from licensing.rights.checker import declares

READ_BYTES = 1 << 20
SPAN = re.compile(r"bytes (?:(\d{1,19})-(\d{1,19})|\*)/(\d{1,19})")
CONTENT_RANGE = OpenApiParameter(
    "Content-Range",
    {"type": "string", "pattern": r"^bytes ([0-9]{1,19}-[0-9]{1,19}|\*)/[0-9]{1,19}$"},
    OpenApiParameter.HEADER,
    description="`bytes first-last/size`, as RFC 9110 counts. `bytes */size` with no body asks "
    "for the offset. Absent: the body is the whole file.",
)


class WrongRange(Conflict):
    """Content-Range does not match the length of the body. Send exactly those bytes."""

    code = "wrong_range"


class UploadOut(serializers.Serializer[ImportRecord]):
    """How far an upload is: the next chunk begins at ``offset``."""

    recordId = serializers.CharField(source="public_id")
    state = serializers.ChoiceField(choices=IMPORT_STATES)
    offset = serializers.IntegerField(source="progress.done", help_text="Bytes that arrived.")
    size = serializers.IntegerField(help_text="Bytes that were announced.")


@dataclass(frozen=True, slots=True)
class Span:
    """The range of a file that a body contains; without ``start`` it only requests the offset."""

    start: int | None
    size: int


@extend_schema(
    operation_id="imports_file_put",
    parameters=[CONTENT_RANGE],
    request={"application/octet-stream": OpenApiTypes.BINARY},
    responses={200: UploadOut, 202: UploadOut, **problems(400, 404, 409, 413)},
)
@declares(PUT="imports_file_put")
@api_view(["PUT"])
def file(request: Request, record_id: str) -> Response:
    """Send bytes of an announced file, or ask how many arrived; 202 once it is complete."""
    record = import_for(caller_of(request), record_id)
    done = services.offset_of(record)  # fails first if the import expects no bytes
    record.progress = replace(record.progress, done=done)
    span = span_of(request)
    if span.size != record.size:
        raise services.WrongSize(members={"size": record.size})
    if span.start is None:
        return Response(UploadOut(record).data)
    arrived = services.receive_chunk(
        record=record,
        start=span.start,
        chunks=_bytes_of(request),
        actor=caller_of(request).actor,
        at=clock.now(),
    )
    is_whole = arrived.state != ImportRecord.State.RECEIVED
    return Response(UploadOut(arrived).data, status=202 if is_whole else 200)


def span_of(request: Request) -> Span:
    """Parse ``Content-Range``, which must agree with ``Content-Length``."""
    length = int(request.META.get("CONTENT_LENGTH") or 0)
    text = request.headers.get("Content-Range")
    if text is None:
        return Span(start=0, size=length)
    match = SPAN.fullmatch(text.strip())
    if match is None:
        raise WrongHeader("Content-Range", "invalid_request.content_range")
    first, last, size = match.groups()
    if (0 if first is None else int(last) - int(first) + 1) != length:
        raise WrongRange
    return Span(start=None if first is None else int(first), size=int(size))


def _bytes_of(request: Request) -> Iterator[bytes]:
    try:
        while chunk := request._request.read(READ_BYTES):
            yield chunk
    except UnreadablePostError:  # the connection broke; the bytes that arrived count
        return
