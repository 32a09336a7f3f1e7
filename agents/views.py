"""``mcp``, with the same checks as every other call. Spec: Endpoints."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from agents import http, sessions
from common.characters import refuse_too_many
from common.errors import TooLarge, UnsupportedMediaType
from licensing.authentication import LicenseAuthentication, caller_of
from licensing.rights.checker import declares

_PLAIN: dict[str, Any] = {"jsonrpc": {"type": "string", "enum": ["2.0"]}}
_ID = {"description": "A text or a whole number; with anything else it is a notification."}
MESSAGE = {
    "anyOf": [
        {
            "type": "object",
            "title": "Request or notification",
            "properties": {
                **_PLAIN,
                "id": _ID,
                "method": {"type": "string"},
                "params": {"type": ["object", "null"]},
            },
            "required": ["jsonrpc", "method"],
        },
        {
            "type": "object",
            "title": "Response",
            "properties": {
                **_PLAIN,
                "id": {"type": ["string", "integer"]},
                "result": {"type": "object"},
            },
            "required": ["jsonrpc", "id", "result"],
        },
    ]
}


class WhateverIsAccepted(BaseContentNegotiation):
    """Leaves ``Accept`` to the protocol, which defines its content."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """Return None: nothing is parsed here."""
        return None

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """Return the JSON renderer, for problems."""
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


@declares(POST="mcp")
class McpView(APIView):
    """``POST /api/import/v1/mcp``; GET and DELETE are answered 405: there is no session."""

    authentication_classes = (LicenseAuthentication,)  # a staff session is not an agent
    content_negotiation_class = WhateverIsAccepted

    @extend_schema(
        operation_id="mcp",
        tags=["mcp"],
        request={"application/json": MESSAGE},
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, "A JSON-RPC response."),
            202: OpenApiResponse(description="A notification was taken."),
            400: OpenApiResponse(OpenApiTypes.OBJECT, "A JSON-RPC error."),
            404: OpenApiResponse(OpenApiTypes.OBJECT, "A JSON-RPC error: no such method."),
            406: OpenApiResponse(OpenApiTypes.OBJECT, "Accept must allow application/json."),
        },
    )
    def post(self, request: Request) -> HttpResponse:
        """Take one message of the Model Context Protocol; see docs/agents.md."""
        caller = caller_of(request)
        http.refuse_foreign_page(request._request, is_listed=caller.is_page)
        if request._request.content_type != "application/json":
            raise UnsupportedMediaType("unsupported_media_type.message")
        body = request._request.read(settings.AGENT_BYTES + 1)
        if len(body) > settings.AGENT_BYTES:
            raise TooLarge("too_large.message", most=settings.AGENT_BYTES)
        refuse_too_many(body)
        return http.answer(request._request, body, sessions.of_http(caller))
