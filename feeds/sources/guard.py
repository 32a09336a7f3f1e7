"""Where a source may lead, and how long it may take: the guard of deliveries, for any protocol."""

import io
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, BinaryIO

from django.conf import settings
from urllib3.exceptions import LocationParseError

from deliveries.http.connections import NO_ADDRESS, Exchange, TlsSettings, Unreachable, reach
from deliveries.http.guard import Network, Refused
from deliveries.http.targets import Origin, Resolve, resolve
from deliveries.http.watchdog import Watchdog
from feeds.sources.protocol import Entry, SourceError

BLOCK_BYTES = 1 << 18
_watchdog = Watchdog()


@dataclass(frozen=True, slots=True)
class Guard:
    """
    The networks that the operator allows, and what public addresses may be called on.

    ports: of public addresses, besides the protocol's own.
    """

    networks: Sequence[Network] = ()
    ports: Sequence[int] = ()
    ca_file: str = ""
    resolve: Resolve = resolve


def engine_guard() -> Guard:
    """Return the guard that the settings describe, the same as for webhooks."""
    return Guard(
        networks=settings.WEBHOOK_ALLOW_NETWORKS,
        ports=settings.WEBHOOK_PORTS,
        ca_file=settings.WEBHOOK_CA_FILE,
    )


class Line:
    """The connection of one source: vetted when it is made, and cut when its time is over."""

    def __init__(self, guard: Guard, *, ports: Sequence[int], answer_s: float) -> None:
        self.exchange = Exchange(
            networks=guard.networks,
            timeout_s=answer_s,
            resolve=guard.resolve,
            ports=(*ports, *guard.ports),
        )
        self._guard = guard
        self._handle: socket.socket | None = None

    def tls(self) -> ssl.SSLContext:
        """Return a context that verifies the server's chain and name."""
        return TlsSettings(self._guard.ca_file).context()

    def connect(self, host: str, port: int, *, is_encrypted: bool) -> socket.socket:
        """Return a socket to a vetted address. Unencrypted ones only lead to allowed networks."""
        sock = reach(Origin(tls=is_encrypted, host=host, port=port), self.exchange)
        self._handle = sock.dup()  # TLS detaches the socket that it wraps
        self.exchange.hold(self._handle)
        sock.settimeout(self.exchange.timeout_s)
        return sock

    def close(self) -> None:
        """Forget the socket."""
        self.exchange.hold(None)
        if self._handle is not None:
            self._handle.close()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Cut the connection if the block takes longer; raise every failure as SourceError."""
        cut = _watchdog.watching(seconds=seconds, stop=lambda: self.exchange.abort("timeout"))
        try:
            with cut:
                yield
        except Exception as error:
            if self.exchange.aborted_because:
                raise SourceError("source_timed_out") from error
            if isinstance(error, SourceError):
                raise
            if (translated := _translated(error)) is None:
                raise
            raise translated from error
        if self.exchange.aborted_because:  # some libraries take it for the end of a file
            raise SourceError("source_timed_out")


def _translated(error: Exception) -> SourceError | None:
    """Return what an error of a connection means, or None if it is none."""
    match error:
        case Refused():
            return SourceError("source_address_refused")
        case Unreachable() if error.error_class == NO_ADDRESS:
            return SourceError("source_address_refused")
        case Unreachable() if error.error_class == "connect_timeout":
            return SourceError("source_timed_out")
        case Unreachable():
            return SourceError("source_unreachable")
        case LocationParseError():
            return SourceError("source_address_refused")
        case ssl.SSLCertVerificationError():
            return SourceError("source_certificate_refused")
        case ssl.SSLError():
            return SourceError("source_not_encrypted")
        case TimeoutError():
            return SourceError("source_timed_out")
        case HTTPException() | EOFError() | OSError():
            return SourceError("source_broken_off")
    return None


class LimitedStream(io.RawIOBase):
    """
    A file of a source while it is read: so many bytes, and so many seconds of its own.

    within: limits a block in time. read: returns the next bytes, empty at the end. at_end: called
    once there, and may raise. closed: called when the stream is closed, wherever it is.
    """

    def __init__(
        self,
        within: Callable[[float], AbstractContextManager[None]],
        read: Callable[[int], bytes],
        *,
        most_bytes: int,
        seconds: float,
        at_end: Callable[[int], None] = lambda size: None,
        closed: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self._within = within
        self._read, self._at_end, self._closed = read, at_end, closed
        self._most_bytes, self._left_s = most_bytes, seconds
        self._size = 0
        self._is_over = False

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes; what happens between two reads takes none of the time."""
        if self._is_over:
            return 0
        started = time.monotonic()
        with self._within(max(self._left_s, 0)):
            chunk = self._read(len(buffer))
            self._size += len(chunk)
            if self._size > self._most_bytes:
                raise SourceError("source_too_large", size=self._most_bytes)
            if not chunk:
                self._is_over = True
                self._at_end(self._size)
        self._left_s -= time.monotonic() - started
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def close(self) -> None:
        """Stop reading."""
        if not self.closed:
            with suppress(Exception):  # the connection may be gone, and the file was read or not
                self._closed()
        super().close()


def buffered(stream: LimitedStream) -> BinaryIO:
    """Return the stream as others read it."""
    return io.BufferedReader(stream, BLOCK_BYTES)


def refuse_other_size(entry: Entry, size: int) -> None:
    """Raise if a file that was read to its end is not as long as it was listed."""
    if entry.size is not None and entry.size != size:
        raise SourceError("source_file_changed")
