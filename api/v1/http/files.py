"""Responses that contain a file."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from rest_framework.renderers import BaseRenderer

from common.http.json_answers import JsonAnswer

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CSV = "text/csv"


class AnyFile(BaseRenderer):
    """Accepts any requested media type; the view returns the bytes itself."""

    media_type = "*/*"
    format = "file"

    def render(self, data: Any, *args: Any, **kwargs: Any) -> bytes:
        """Render a problem; nothing else is rendered here."""
        return JsonAnswer().render(data, "application/json")


FILES = [JsonAnswer, AnyFile]


def file_answer(content: bytes, *, name: str, media_type: str) -> HttpResponse:
    """Return a response with a whole file to save."""
    return HttpResponse(content, content_type=media_type, headers=_saved_as(name))


def streamed_answer(chunks: Iterable[bytes], *, name: str, media_type: str) -> HttpResponseBase:
    """Return a response with a file that is generated while it is sent."""
    return StreamingHttpResponse(chunks, content_type=media_type, headers=_saved_as(name))


def _saved_as(name: str) -> dict[str, str]:
    return {"Content-Disposition": content_disposition_header(True, name) or "attachment"}
