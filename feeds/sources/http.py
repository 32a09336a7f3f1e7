"""Requests of sources over HTTP: guarded like deliveries, without redirects, one at a time."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPResponse
from typing import BinaryIO

from deliveries.http.connections import GuardedConnection
from deliveries.http.guard import Refused, vet_url
from deliveries.http.targets import read_target
from feeds.sources.guard import Guard, LimitedStream, Line, buffered
from feeds.sources.protocol import Limits, SourceError

WEB_PORTS = (443, 80)
ANSWER_BYTES = 8 << 20  # of a page of a listing; a thousand files are half of it at most


class Requests:
    """One kept connection to one origin. An answer is read to its end, or the connection closed."""

    def __init__(self, url: str, *, guard: Guard, limits: Limits) -> None:
        try:
            vet_url(url, networks=guard.networks, ports=(*WEB_PORTS, *guard.ports))
        except Refused as error:
            raise SourceError("source_address_refused") from error
        self.target = read_target(url)
        self._limits = limits
        self._line = Line(guard, ports=WEB_PORTS, answer_s=limits.answer_s)
        self._connection: GuardedConnection | None = None
        self._answer: HTTPResponse | None = None

    def close(self) -> None:
        """Close the connection."""
        self._discard()
        self._line.close()

    def within(self, seconds: float) -> AbstractContextManager[None]:
        """Limit a block in time."""
        return self._line.within(seconds)

    def ask(self, method: str, path: str, headers: Mapping[str, str]) -> HTTPResponse:
        """Send a request without a body; return the answer, whose body is not read yet."""
        if self._answer is not None and not self._answer.isclosed():
            self._discard()
        with self.within(self._limits.answer_s):
            connection = self._connection
            if connection is None or connection.sock is None or not connection.is_alive():
                self._discard()
                connection = GuardedConnection(self.target.origin, self._line.tls())
                self._connection = connection
            connection.begin(self._line.exchange)
            host = {"host": self.target.origin.authority, "accept-encoding": "identity"}
            connection.request(method, path, headers={**host, **headers})
            answer = self._answer = connection.getresponse()
        if answer.headers.get("content-encoding", "identity").lower() != "identity":
            raise SourceError("source_answer_encoded")
        return answer

    def text_of(self, answer: HTTPResponse) -> bytes:
        """Return the body of a short answer."""
        with self.within(self._limits.answer_s):
            content = answer.read(ANSWER_BYTES + 1)
        if len(content) > ANSWER_BYTES:
            raise SourceError("source_too_large", size=ANSWER_BYTES)
        return content

    def stream_of(self, answer: HTTPResponse, at_end: Callable[[int], None]) -> BinaryIO:
        """Return the body as a stream, with limits."""
        size = answer.length
        if size is not None and size > self._limits.file_bytes:
            raise SourceError("source_too_large", size=self._limits.file_bytes)

        def check_end(read: int) -> None:
            if size is not None and read != size:
                raise SourceError("source_broken_off")
            at_end(read)

        return buffered(
            LimitedStream(
                self.within,
                answer.read,
                most_bytes=self._limits.file_bytes,
                seconds=self._limits.file_s,
                at_end=check_end,
                closed=answer.close,
            )
        )

    def _discard(self) -> None:
        if self._connection is not None:
            self._line.exchange.hold(None)
            self._connection.discard()
            self._connection = None


def moment(text: str | None) -> datetime | None:
    """
    Return the time of a header, in UTC; None for one that is missing or odd.

    >>> moment("Mon, 06 May 2024 06:00:00 GMT").isoformat()
    '2024-05-06T06:00:00+00:00'
    """
    try:
        read = parsedate_to_datetime(text or "")
    except ValueError:
        return None
    return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
