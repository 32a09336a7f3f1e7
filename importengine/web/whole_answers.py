"""Django's views in threads, with each small answer handed to the event loop as a whole."""

from typing import Any

from a2wsgi import WSGIMiddleware
from a2wsgi.wsgi import WSGIResponder

from importengine.web.answers import Message, Receive, Scope, Send

SMALL = 1 << 20  # bytes of a body; a longer one is sent piece by piece, as the client takes it


class Threads(WSGIMiddleware):
    """
    a2wsgi's middleware, with fewer turns between a thread and the loop.

    The library waits for the loop at the head of an answer, at each piece and at the end: for a
    small call, half of its CPU time.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # type: ignore[override]  # its types are stricter
        """Serve one request."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)  # type: ignore[arg-type]  # as above
            return
        responder = _Responder(self.app, self.executor, self.send_queue_size)
        await responder(scope, receive, send)  # type: ignore[arg-type]  # as above


class _Responder(WSGIResponder):
    _held: list[Message] | None = None  # of an answer that is sent as a whole

    def send(self, message: Any) -> None:
        """Pass one message on, or hold it until the answer is whole; called in the thread."""
        if message["type"] == "http.response.start" and _length_of(message) <= SMALL:
            self._held = [message]
        elif self._held is None:
            super().send(message)
        elif message.get("more_body", False):
            self._held.append(message)
        else:
            start, *pieces = self._held
            self._held = None
            body = b"".join(piece["body"] for piece in (*pieces, message))
            self.loop.call_soon_threadsafe(self._put, start, {**message, "body": body})

    def _put(self, *messages: Message) -> None:
        """Queue a whole answer; the queue has room for it, as nothing else was sent."""
        for message in messages:
            self.send_queue.put_nowait(message)


def _length_of(start: Message) -> int:
    """Return the length that the head of an answer names; more than small without one."""
    lengths = (value for name, value in start["headers"] if name == b"content-length")
    return int(next(lengths, SMALL + 1))
