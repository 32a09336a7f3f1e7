"""``POST mcp``: streamable HTTP without sessions or streams, each answer plain JSON."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from asgiref.sync import async_to_sync
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from agents.server import current, server
from agents.sessions import Session
from licensing.refusals import OriginNotAllowed

Message = MutableMapping[str, Any]


@dataclass(slots=True)
class _Exchange:
    """One request and its answer, as ASGI messages."""

    body: bytes
    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    answered: list[bytes] = field(default_factory=list)
    _is_read: bool = False

    async def receive(self) -> Message:
        """Return the body; afterwards nothing more arrives."""
        if self._is_read:
            await asyncio.Event().wait()
        self._is_read = True
        return {"type": "http.request", "body": self.body, "more_body": False}

    async def send(self, message: Message) -> None:
        """Store the response."""
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message["headers"])
        elif message["type"] == "http.response.body":
            self.answered.append(message.get("body", b""))


def answer(request: HttpRequest, body: bytes, session: Session) -> HttpResponse:
    """Answer one message of the protocol."""
    exchange = _Exchange(body)
    token = current.set(session)
    try:
        async_to_sync(_exchanged)(_scope(request), exchange)
    finally:
        current.reset(token)
    response = HttpResponse(b"".join(exchange.answered), status=exchange.status)
    del response.headers["Content-Type"]
    for name, text in exchange.headers:
        if name.lower() != b"content-length":
            response.headers[name.decode("latin-1")] = text.decode("latin-1")
    return response


async def _exchanged(scope: Message, exchange: _Exchange) -> None:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    manager = StreamableHTTPSessionManager(
        server(), json_response=True, stateless=True, max_request_body_size=settings.AGENT_BYTES
    )
    async with manager.run():
        await manager.handle_request(scope, exchange.receive, exchange.send)


def refuse_foreign_page(request: HttpRequest, *, is_listed: bool) -> None:
    """
    Raise if a page is neither the engine's own nor allowed by name.

    is_listed: whether the key names its origins, which were compared before. Otherwise a page on
    another name that resolves to this machine could call an engine that only this machine can
    reach.
    """
    origin = request.headers.get("Origin", "")
    own = urlsplit(origin).netloc == request.get_host()
    if origin and not own and not is_listed and origin not in settings.ALLOWED_ORIGINS:
        raise OriginNotAllowed


def _scope(request: HttpRequest) -> Message:
    headers = [
        (name.lower().encode("latin-1"), text.encode("latin-1", "replace"))
        for name, text in request.headers.items()
        if name.lower() != "content-length"
    ]
    if "Accept" not in request.headers:  # no header accepts anything (RFC 9110, 12.5.1)
        headers.append((b"accept", b"*/*"))
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path_info,
        "raw_path": request.path_info.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": None,
        "server": None,
    }
