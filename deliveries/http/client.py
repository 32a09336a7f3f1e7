"""
The only outbound POST. Spec: Events > Delivery and retry.

Uses the standard library's client: what HTTP libraries add (redirects, proxies, cookies, retries)
must not happen here, and took more than half of the time of a small delivery.
"""

import ssl
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from http.client import HTTPException, HTTPResponse

from urllib3.exceptions import LocationParseError

from deliveries.http.connections import (
    NO_ADDRESS,
    ConnectionPool,
    Exchange,
    GuardedConnection,
    TlsSettings,
    Unreachable,
)
from deliveries.http.guard import WEB_PORTS, Network, Refused
from deliveries.http.request import Readable, Request
from deliveries.http.targets import Target, read_target
from deliveries.http.watchdog import Watchdog

DEADLINE_S = 30.0
DEADLINE_S_PER_MB = 1.0
LONGEST_DEADLINE_S = 900.0
HEAD_BYTES = 2_000
DRAINED_BYTES = 1 << 16  # a longer answer closes its connection


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer: a status, or the class of error that prevented one."""

    http_status: int | None
    error_class: str  # empty if there is a status
    latency_ms: int
    head: str = ""  # the beginning of the body, as text
    retry_after: str | None = None  # the header as sent
    content: bytes = b""  # all of a 2xx answer that may have results; empty if too long
    target: Target | None = None  # the request's target; None if no request was made


def deadline_s(size: int) -> float:
    """
    Return how many seconds one attempt may take for a body of ``size`` bytes.

    >>> deadline_s(10_000_000)
    40.0
    """
    return min(DEADLINE_S + DEADLINE_S_PER_MB * size / 1_000_000, LONGEST_DEADLINE_S)


class Client:
    """Posts bodies over kept connections; safe to share between threads."""

    def __init__(
        self, *, networks: Sequence[Network], tls: TlsSettings, ports: Sequence[int] = WEB_PORTS
    ) -> None:
        self._networks = tuple(networks)
        self._ports = tuple(ports)
        self._pool = ConnectionPool(tls)
        self._watchdog = Watchdog()

    def exchange(self, size: int) -> Exchange:
        """Return an exchange for a body of ``size`` bytes; the caller may abort it."""
        return Exchange(networks=self._networks, timeout_s=deadline_s(size), ports=self._ports)

    def inquiry(self, *, timeout_s: float, answer_bytes: int) -> Exchange:
        """Return an exchange whose answer is wanted: its body may take all of the time."""
        return Exchange(
            networks=self._networks,
            timeout_s=timeout_s,
            ports=self._ports,
            answer_bytes=answer_bytes,
            answer_s=timeout_s,
        )

    def send(self, request: Request, *, exchange: Exchange) -> Answer:
        """
        Send a request once and return the answer; failures are returned too, never raised.

        Redirects are not followed. The whole exchange ends at its timeout. Raise FileNotFoundError
        if the body is gone; then nothing was sent.
        """
        started = time.monotonic()
        deadline = self._watchdog.watching(
            seconds=exchange.timeout_s, stop=lambda: exchange.abort("timeout")
        )
        target: Target | None = None
        with request.opened() as body:
            try:
                with deadline:
                    target = read_target(request.url)
                    answer = self._carry_out(exchange, target, request, body)
            except (HTTPException, LocationParseError, OSError, Unreachable, Refused) as error:
                because = exchange.aborted_because or error_class(error)
                answer = Answer(None, because, 0)
        return replace(answer, latency_ms=_ms_since(started), target=target)

    def _carry_out(
        self, exchange: Exchange, target: Target, request: Request, body: bytes | Readable
    ) -> Answer:
        connection = self._pool.take(target.origin)
        is_complete = False
        try:
            connection.begin(exchange)
            is_sent = _write(connection, target, request, body)
            with connection.getresponse() as response:
                if exchange.aborted_because:  # http.client takes it for the end of the headers
                    return Answer(None, exchange.aborted_because, 0)
                text, content = self._read(response, exchange)
                # After an interim answer (1xx) the final one is still to come, and must not reach
                # the next exchange.
                is_over = response.isclosed() and response.status >= 200
                is_complete = is_sent and is_over and not response.will_close
                retry_after = response.headers.get("Retry-After")
                return Answer(response.status, "", 0, text, retry_after, content)
        finally:
            exchange.hold(None)  # before the connection is reused
            if is_complete and not exchange.aborted_because:
                self._pool.give_back(connection)
            else:
                connection.discard()

    def _read(self, response: HTTPResponse, exchange: Exchange) -> tuple[str, bytes]:
        """
        Read the beginning of the answer; after the status, its body may break off.

        Also return all of it if requested: what a host that accepted the rows reports about them.
        """
        head, rest, may_tell = b"", b"", False
        with (
            self._watchdog.watching(
                seconds=exchange.answer_s, stop=lambda: exchange.abort("answer")
            ),
            suppress(HTTPException, OSError),
        ):
            head = response.read(HEAD_BYTES)
            may_tell = 200 <= response.status < 300 and head.lstrip().startswith(b"{")
            rest = response.read(exchange.answer_bytes - len(head) if may_tell else DRAINED_BYTES)
        content = head + rest if may_tell and response.isclosed() else b""
        return head.decode("utf-8", "replace").replace("\x00", ""), content


def _write(
    connection: GuardedConnection, target: Target, request: Request, body: bytes | Readable
) -> bool:
    """Write a request; return False if the host closed early, possibly after answering."""
    headers = {"host": target.origin.authority, **request.headers}
    try:
        connection.post(target.path, body, headers)
    except (BrokenPipeError, ConnectionResetError):
        return False
    return True


def error_class(error: Exception) -> str:
    """Return the class of an error, in the terms of the audit log."""
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
