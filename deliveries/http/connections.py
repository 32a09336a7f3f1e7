"""Kept connections that only lead to vetted addresses, and can be aborted from another thread."""

import select
import socket
import ssl
import threading
import weakref
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

import certifi

from deliveries.answer import MOST_BYTES
from deliveries.http.guard import WEB_PORTS, Network, vet
from deliveries.http.request import Readable
from deliveries.http.targets import Origin, Resolve, resolve

CONNECT_S = 5.0  # per address, and for the TLS handshake
ANSWER_BODY_S = 5.0
BLOCK_BYTES = 1 << 20
ORIGINS = 256
IDLE_PER_ORIGIN = 32

NO_ADDRESS = "no_address"  # none may be called; whether a name resolves is not revealed


class Unreachable(Exception):
    """No connection came about; ``error_class`` says why in the words of the audit log."""

    def __init__(self, error_class: str) -> None:
        super().__init__(error_class)
        self.error_class = error_class


class Exchange:
    """
    One request and its answer; ``abort`` ends it from any thread, even while it connects.

    answer_bytes, answer_s: how long the body of a 2xx answer may be, and how long it may take.
    """

    def __init__(
        self,
        *,
        networks: Sequence[Network],
        timeout_s: float,
        resolve: Resolve = resolve,
        ports: Sequence[int] = WEB_PORTS,
        answer_bytes: int = MOST_BYTES,
        answer_s: float = ANSWER_BODY_S,
    ) -> None:
        self.networks = networks
        self.ports = ports
        self.timeout_s = timeout_s
        self.answer_bytes = answer_bytes
        self.answer_s = answer_s
        self.resolve = resolve
        self.aborted_because = ""
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None

    def hold(self, handle: socket.socket | None) -> None:
        """Keep the handle of the socket in use; None when it is no longer used."""
        with self._lock:
            self._socket = handle
        if self.aborted_because:
            self.abort(self.aborted_because)

    def abort(self, because: str) -> None:
        """End the exchange; pending reads and writes fail at once."""
        with self._lock:
            self.aborted_because = self.aborted_because or because
            if self._socket is not None:
                with suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)


class GuardedConnection(HTTPConnection):
    """
    A connection to a vetted address of an origin, for one exchange after another.

    It knows no URL: each request contains its own target.
    """

    def __init__(self, origin: Origin, tls: ssl.SSLContext) -> None:
        super().__init__(origin.host, origin.port, blocksize=BLOCK_BYTES)
        self.origin = origin
        self._tls = tls
        self._handle: socket.socket | None = None
        self._gathered: bytearray | None = None

    def post(self, path: str, body: bytes | Readable, headers: Mapping[str, str]) -> None:
        """
        Send a POST; a small body goes out in one piece with its head.

        In two pieces, the host would wake twice, and a small delivery cost one call more.
        """
        if not isinstance(body, bytes) or len(body) > BLOCK_BYTES:
            self.request("POST", path, body, headers)
            return
        self._gathered = gathered = bytearray()
        try:
            self.request("POST", path, body, headers)
        finally:
            self._gathered = None
        self.send(gathered)

    def send(self, data: Any) -> None:
        """Send what http.client wrote, or gather it."""
        if self._gathered is None:
            super().send(data)
        else:
            self._gathered += data

    def begin(self, exchange: Exchange) -> None:
        """Start an exchange, which may abort this connection from now on."""
        self._exchange = exchange
        if self.sock is None:
            self.connect()
        else:
            exchange.hold(self._handle)
        self.sock.settimeout(exchange.timeout_s)

    def connect(self) -> None:
        """Connect to an address vetted here, even if the name resolves differently later."""
        self.sock = reach(self.origin, self._exchange)
        # TLS detaches the socket it wraps, and an answer may close it, so the exchange has its own.
        self._handle = self.sock.dup()
        self._exchange.hold(self._handle)
        if self.origin.tls:
            name = self.origin.server_name
            self.sock = self._tls.wrap_socket(self.sock, server_hostname=name)

    def is_alive(self) -> bool:
        """Return whether the host kept the connection open, and sent nothing unexpected."""
        poll = select.poll()
        poll.register(self.sock, select.POLLIN)
        return not poll.poll(0)

    def discard(self) -> None:
        """Close the connection and the handle of the exchange."""
        self.close()
        if self._handle is not None:
            self._handle.close()


class ConnectionPool:
    """Connections kept for later exchanges; safe to share between threads."""

    def __init__(self, tls: "TlsSettings") -> None:
        self._tls = tls.context()
        self._lock = threading.Lock()
        self._idle: OrderedDict[Origin, list[GuardedConnection]] = OrderedDict()
        weakref.finalize(self, _discard_all, self._idle)

    def take(self, origin: Origin) -> GuardedConnection:
        """Return a connection for one exchange: a kept one, or one that is not connected yet."""
        while (kept := self._kept(origin)) is not None:
            if kept.is_alive():
                return kept
            kept.discard()
        return GuardedConnection(origin, self._tls)

    def give_back(self, connection: GuardedConnection) -> None:
        """Keep a connection whose exchange is complete."""
        surplus: list[GuardedConnection] = []
        with self._lock:
            mine = self._idle.setdefault(connection.origin, [])
            self._idle.move_to_end(connection.origin)
            (mine if len(mine) < IDLE_PER_ORIGIN else surplus).append(connection)
            if len(self._idle) > ORIGINS:
                surplus += self._idle.popitem(last=False)[1]
        for item in surplus:
            item.discard()

    def _kept(self, origin: Origin) -> GuardedConnection | None:
        with self._lock:
            mine = self._idle.get(origin)
            return mine.pop() if mine else None


def _discard_all(idle: dict[Origin, list[GuardedConnection]]) -> None:
    for mine in idle.values():
        for connection in mine:
            connection.discard()


def reach(origin: Origin, exchange: Exchange) -> socket.socket:
    """Resolve once, vet every address, and connect to the first that answers."""
    try:
        addresses = exchange.resolve(origin.host, origin.port)
    except (OSError, UnicodeError) as error:
        raise Unreachable(NO_ADDRESS) from error
    for address in addresses:
        vet(
            address,
            networks=exchange.networks,
            tls=origin.tls,
            port=origin.port,
            ports=exchange.ports,
        )
    failure: OSError = OSError("the name has no address")
    for address in addresses:
        try:
            sock = socket.create_connection((address, origin.port), CONNECT_S)
        except OSError as error:
            failure = error
            continue
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock
    timed_out = isinstance(failure, TimeoutError)
    raise Unreachable("connect_timeout" if timed_out else "connect") from failure


@dataclass(frozen=True, slots=True)
class TlsSettings:
    """The trusted certificate authorities: the system's, certifi's and those of one more file."""

    ca_file: str = ""

    def context(self) -> ssl.SSLContext:
        """Return a context that verifies the chain and the host name."""
        context = ssl.create_default_context()
        context.load_verify_locations(certifi.where())
        if self.ca_file:
            context.load_verify_locations(self.ca_file)
        return context
