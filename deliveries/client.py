"""The one outbound POST. Spec: Events > Delivery and retry."""

import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

from urllib3 import BaseHTTPResponse, Timeout
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    LocationParseError,
    NameResolutionError,
    NewConnectionError,
    SSLError,
)
from urllib3.exceptions import (
    TimeoutError as ReadTimedOut,
)

from deliveries.connections import Line, Trust, pools
from deliveries.connections import use as use_line
from deliveries.guard import Network, Refused
from deliveries.watchdog import Watchdog

# urllib3 logs each retry of its own and each url; ours are in the audit log.
logging.getLogger("urllib3").setLevel(logging.ERROR)

CONNECT_S = 5.0
DEADLINE_S = 30.0
DEADLINE_S_PER_MB = 1.0
LONGEST_DEADLINE_S = 900.0
HEAD_BYTES = 2_000
DRAINED_BYTES = 1 << 16  # a longer answer costs its connection
ANSWER_BODY_S = 5.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: a status, or the class of error that prevented one."""

    http_status: int | None
    error_class: str  # empty when there is a status
    latency_ms: int
    head: str = ""  # the first bytes of the body, as text
    retry_after: str | None = None  # the header as sent


def deadline_s(size: int) -> float:
    """
    Give the seconds that one attempt may take for a body of ``size`` bytes.

    >>> deadline_s(10_000_000)
    40.0
    """
    return min(DEADLINE_S + DEADLINE_S_PER_MB * size / 1_000_000, LONGEST_DEADLINE_S)


class Client:
    """Posts bodies over pooled connections; safe to share between threads."""

    def __init__(self, *, networks: Sequence[Network], trust: Trust) -> None:
        self._networks = tuple(networks)
        self._pools = pools(trust)
        self._watchdog = Watchdog()

    def line(self, size: int) -> Line:
        """Open the line for one exchange; the caller may cut it."""
        return Line(networks=self._networks, timeout_s=deadline_s(size))

    def post(
        self, url: str, *, headers: Mapping[str, str], body: bytes | BinaryIO, line: Line
    ) -> Answer:
        """
        Post a body once and give what came back; a failure is an answer too, never raised.

        Redirects are not followed. The whole exchange ends at the line's timeout.
        """
        started = time.monotonic()
        use_line(line)
        try:
            with self._watchdog.watching(seconds=line.timeout_s, stop=lambda: line.cut("timeout")):
                response = self._send(url, headers, body, line)
                if line.cut_because:  # http.client takes a cut for the end of the headers
                    return Answer(None, line.cut_because, _ms_since(started))
                status, retry_after = response.status, response.headers.get("Retry-After")
                head = self._head(response, line)
        except (HTTPError, OSError, Refused) as error:
            return Answer(None, line.cut_because or error_class(error), _ms_since(started))
        return Answer(status, "", _ms_since(started), head, retry_after)

    def _send(
        self, url: str, headers: Mapping[str, str], body: bytes | BinaryIO, line: Line
    ) -> BaseHTTPResponse:
        return self._pools.urlopen(
            "POST",
            url,
            body=body,
            headers=headers,
            redirect=False,
            retries=False,
            preload_content=False,
            decode_content=False,
            timeout=Timeout(connect=CONNECT_S, read=line.timeout_s),
        )

    def _head(self, response: BaseHTTPResponse, line: Line) -> str:
        """Read the beginning of the answer; once there is a status, its body may break off."""
        head, rest = b"", None
        with (
            self._watchdog.watching(seconds=ANSWER_BODY_S, stop=lambda: line.cut("answer")),
            suppress(HTTPError, OSError),
        ):
            head = response.read(HEAD_BYTES)
            rest = response.read(DRAINED_BYTES)
        if rest is None or len(rest) == DRAINED_BYTES:
            response.close()  # more may follow on this connection
        response.release_conn()
        return head.decode("utf-8", "replace").replace("\x00", "")


def error_class(error: Exception) -> str:
    """Name what went wrong, in the words of the audit log."""
    classes: tuple[tuple[type[Exception], str], ...] = (
        (Refused, "address_refused"),
        (NameResolutionError, "dns"),
        (LocationParseError, "url"),
        (NewConnectionError, "connect"),  # before its parent
        (ConnectTimeoutError, "connect_timeout"),
        (SSLError, "tls"),
        (ReadTimedOut, "timeout"),
    )
    return next((name for kind, name in classes if isinstance(error, kind)), "dropped")


def _ms_since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)
