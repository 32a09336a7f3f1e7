"""Responses to clients that may be slow, stalled or gone."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from typing import Any

from common.errors import ServiceError
from common.http.problems import CONTENT_TYPE, headers_of

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

GONE = "importengine.gone"  # in the scope: the client is gone
SEND_S = 60.0  # for the client to accept one chunk of a response


class Sender:
    """Sends a response; notes if the client does not accept it, and sends ``instead`` for it."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self.instead: ServiceError | None = None
        self._replaced = False

    async def send(self, message: Message) -> None:
        """Send one message, unless the client is gone."""
        if self._scope.get(GONE) or self._replaced:
            return
        if message["type"] == "http.response.start" and self.instead is not None:
            self._replaced = True
            await self._replace(message, self.instead)
            return
        await self._pass(message)

    async def _replace(self, start: Message, refusal: ServiceError) -> None:
        body = json.dumps(refusal.as_problem()).encode()
        dropped = {b"content-type", b"content-length", b"location"}
        headers = [pair for pair in start["headers"] if pair[0].lower() not in dropped]
        headers += [
            (b"content-type", CONTENT_TYPE.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
            *((name.lower().encode(), text.encode()) for name, text in headers_of(refusal).items()),
        ]
        await self._pass({**start, "status": refusal.status, "headers": headers})
        await self._pass({"type": "http.response.body", "body": body})

    async def _pass(self, message: Message) -> None:
        try:
            await asyncio.wait_for(self._send(message), SEND_S)
        except (TimeoutError, OSError, RuntimeError):
            self._scope[GONE] = True


def stops_when_gone(wsgi: Callable[..., Iterable[bytes]]) -> Callable[..., Iterator[bytes]]:
    """Return a WSGI application that stops writing a response when its client is gone."""

    def guarded(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        pieces = wsgi(environ, start_response)
        scope = environ["asgi.scope"]
        try:
            for piece in pieces:
                if scope.get(GONE):
                    return
                yield piece
        finally:
            getattr(pieces, "close", lambda: None)()

    return guarded


async def note_leaving(scope: Scope, receive: Receive) -> None:
    """Wait until the client disconnects; servers do not report that to code that only sends."""
    while (await receive())["type"] != "http.disconnect":
        pass
    scope[GONE] = True
