"""Responses to clients that may be slow, stalled or gone."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from contextlib import suppress
from typing import Any

from common.errors import ServiceError
from common.http.language import problem_of
from common.http.problems import CONTENT_TYPE, headers_of

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

GONE = "importengine.gone"  # in the scope: the client is gone
SEND_S = 60.0  # for the client to accept one chunk of a response
REST_S, REST_BYTES = 5.0, 64 * 1024**2  # of a refused body that are read at most


class Rest:
    """
    What is still to come of a body; most of it is read before a refusal is sent.

    A proxy that still sends when its connection is closed answers 502 instead of passing the
    refusal on (RFC 9112, 9.6).
    """

    def __init__(self, receive: Receive, *, waits: bool) -> None:
        """waits: whether the client sends the body only once it is asked to (100-continue)."""
        self._receive = receive
        self._is_coming = not waits

    async def receive(self) -> Message:
        """Receive the next part."""
        message = await self._receive()
        is_part = message["type"] == "http.request"
        self._is_coming = is_part and bool(message.get("more_body", False))
        return message

    async def read_on(self) -> None:
        """Read what still comes, for a while."""
        done = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(REST_S):
                while self._is_coming and done < REST_BYTES:
                    done += len((await self.receive()).get("body", b""))


class Sender:
    """Sends a response; notes if the client does not accept it, and sends ``instead`` for it."""

    def __init__(self, scope: Scope, send: Send, rest: Rest | None = None) -> None:
        self._scope = scope
        self._send = send
        self._rest = rest
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
        if self._rest is not None and message["type"] == "http.response.start":
            await self._rest.read_on()
        await self._pass(message)

    async def _replace(self, start: Message, refusal: ServiceError) -> None:
        body = json.dumps(problem_of(refusal)).encode()
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
