"""The one outbound POST. Spec: Events > Delivery and retry.

On sockets and the standard library's reading of answers: what a library for requests does beyond
that (redirects, proxies, cookies, retries) must not happen here, and took half of the time of a
small delivery.
"""

import ssl
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from http.client import HTTPException, HTTPResponse
from typing import Protocol

from urllib3.exceptions import LocationParseError

from deliveries.answering import MOST_BYTES
from deliveries.connections import (
    NO_ADDRESS,
    Connection,
    Connections,
    Line,
    Target,
    Trust,
    Unreachable,
    read_target,
)
from deliveries.guard import WEB_PORTS, Network, Refused
from deliveries.watchdog import Watchdog

BLOCK_BYTES = 1 << 20
DEADLINE_S = 30.0
DEADLINE_S_PER_MB = 1.0
LONGEST_DEADLINE_S = 900.0
HEAD_BYTES = 2_000
DRAINED_BYTES = 1 << 16  # a longer answer costs its connection
ANSWER_BODY_S = 5.0


class Readable(Protocol):
    """A body that is read from its start, block by block."""

    def read(self, size: int = -1) -> bytes:
        """Read up to ``size`` bytes; nothing at the end."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: a status, or the class of error that prevented one."""

    http_status: int | None
    error_class: str  # empty when there is a status
    latency_ms: int
    head: str = ""  # the first bytes of the body, as text
    retry_after: str | None = None  # the header as sent
    content: bytes = b""  # all of a 2xx answer that may hold results; empty when it is too long


def deadline_s(size: int) -> float:
    """
    Give the seconds that one attempt may take for a body of ``size`` bytes.

    >>> deadline_s(10_000_000)
    40.0
    """
    return min(DEADLINE_S + DEADLINE_S_PER_MB * size / 1_000_000, LONGEST_DEADLINE_S)


class Client:
    """Posts bodies over pooled connections; safe to share between threads."""

    def __init__(
        self, *, networks: Sequence[Network], trust: Trust, ports: Sequence[int] = WEB_PORTS
    ) -> None:
        self._networks = tuple(networks)
        self._ports = tuple(ports)
        self._connections = Connections(trust)
        self._watchdog = Watchdog()

    def line(self, size: int) -> Line:
        """Open the line for one exchange; the caller may cut it."""
        return Line(networks=self._networks, timeout_s=deadline_s(size), ports=self._ports)

    def post(
        self, url: str, *, headers: Mapping[str, str], body: bytes | Readable, line: Line
    ) -> Answer:
        """
        Post a body once and give what came back; a failure is an answer too, never raised.

        headers: with the ``content-length`` of the body. Redirects are not followed. The whole
        exchange ends at the line's timeout.
        """
        started = time.monotonic()
        try:
            with self._watchdog.watching(seconds=line.timeout_s, stop=lambda: line.cut("timeout")):
                target = read_target(url)
                head = request_head(target, headers)
                connection = self._connections.take(target, line)
                answer = self._exchange(connection, head, body, line)
        except (HTTPException, LocationParseError, OSError, Unreachable, Refused) as error:
            return Answer(None, line.cut_because or error_class(error), _ms_since(started))
        return replace(answer, latency_ms=_ms_since(started))

    def _exchange(
        self, connection: Connection, head: bytes, body: bytes | Readable, line: Line
    ) -> Answer:
        is_complete = False
        response = HTTPResponse(connection.sock, method="POST")
        try:
            is_sent = _send(connection, head, body)
            response.begin()
            if line.cut_because:  # http.client takes a cut for the end of the headers
                return Answer(None, line.cut_because, 0)
            text, content = self._read(response, line)
            is_complete = is_sent and response.isclosed() and not response.will_close
            retry_after = response.headers.get("Retry-After")
            return Answer(response.status, "", 0, text, retry_after, content)
        finally:
            line.hold(None)  # before anybody else can have the connection
            response.close()
            if is_complete and not line.cut_because:
                self._connections.give_back(connection)
            else:
                connection.close()

    def _read(self, response: HTTPResponse, line: Line) -> tuple[str, bytes]:
        """
        Read the beginning of the answer; once there is a status, its body may break off.

        Also give all of it when it was asked for: what a host that took the rows says of them.
        """
        head, rest, may_tell = b"", b"", False
        with (
            self._watchdog.watching(seconds=ANSWER_BODY_S, stop=lambda: line.cut("answer")),
            suppress(HTTPException, OSError),
        ):
            head = response.read(HEAD_BYTES)
            may_tell = 200 <= response.status < 300 and head.lstrip().startswith(b"{")
            rest = response.read(MOST_BYTES - len(head) if may_tell else DRAINED_BYTES)
        content = head + rest if may_tell and response.isclosed() else b""
        return head.decode("utf-8", "replace").replace("\x00", ""), content


def request_head(target: Target, headers: Mapping[str, str]) -> bytes:
    """Write the lines before the body; ValueError for a header that would end its line."""
    lines = [f"POST {target.path} HTTP/1.1", f"host: {target.authority}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if any("\r" in line or "\n" in line for line in lines):
        raise ValueError("a header holds a line end")
    return "\r\n".join([*lines, "accept-encoding: identity", "", ""]).encode("latin-1")


def _send(connection: Connection, head: bytes, body: bytes | Readable) -> bool:
    """Send a request; False when the host hung up before its end, its answer perhaps sent."""
    try:
        if isinstance(body, bytes):
            connection.sock.sendall(head + body)
            return True
        connection.sock.sendall(head)
        while block := body.read(BLOCK_BYTES):
            connection.sock.sendall(block)
    except (BrokenPipeError, ConnectionResetError):
        return False
    return True


def error_class(error: Exception) -> str:
    """Name what went wrong, in the words of the audit log."""
    if isinstance(error, Unreachable):
        return error.error_class
    classes: tuple[tuple[type[Exception], str], ...] = (
        (Refused, NO_ADDRESS),
        (LocationParseError, "url"),
        (ssl.SSLError, "tls"),
        (TimeoutError, "timeout"),
    )
    return next((name for kind, name in classes if isinstance(error, kind)), "dropped")


def _ms_since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)
