"""Pooled connections that go only to vetted addresses, and can be cut from another thread."""

import socket
import ssl
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import certifi
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError

from deliveries.guard import Network, vet

BLOCK_BYTES = 1 << 20
POOLS = 256
IDLE_PER_POOL = 16

Resolve = Callable[[str, int], list[str]]


def resolve(host: str, port: int) -> list[str]:
    """Give every address of a host, in the order the system prefers them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Line:
    """One exchange with a host; ``cut`` ends it from any thread, also while it connects."""

    def __init__(
        self, *, networks: Sequence[Network], timeout_s: float, resolve: Resolve = resolve
    ) -> None:
        self.networks = networks
        self.timeout_s = timeout_s
        self.resolve = resolve
        self.cut_because = ""
        self._lock = threading.Lock()
        self._cord: socket.socket | None = None

    def hold(self, cord: socket.socket | None) -> None:
        """Take the second handle of the socket in use."""
        with self._lock:
            self._cord = cord
        if self.cut_because:
            self.cut(self.cut_because)

    def cut(self, because: str) -> None:
        """End the exchange; whoever reads or writes on it meets an error at once."""
        with self._lock:
            self.cut_because = self.cut_because or because
            if self._cord is not None:
                with suppress(OSError):
                    self._cord.shutdown(socket.SHUT_RDWR)


class _Current(threading.local):
    line: Line  # of the exchange that this thread is in


_current = _Current()


def use(line: Line) -> None:
    """Make the exchange of this thread known to the connections it uses."""
    _current.line = line


class Guarded:
    """Resolves once, vets every address, connects to the first that answers."""

    cord: socket.socket | None = None

    def _new_conn(self: Any) -> socket.socket:
        line = _current.line
        try:
            addresses = line.resolve(self._dns_host, self.port)
        except (OSError, UnicodeError) as error:
            raise NameResolutionError(self.host, self, socket.gaierror(str(error))) from error
        for address in addresses:
            vet(address, networks=line.networks, tls=isinstance(self, HTTPSConnection))
        sock = _connect_first(self, addresses)
        # TLS detaches the socket it wraps, so the line holds a handle of its own.
        self.cord = sock.dup()
        line.hold(self.cord)
        return sock

    def connect(self: Any) -> None:
        """Connect within the connection's timeout; from then on the line's counts."""
        super().connect()  # type: ignore[misc]  # the other base class has it
        self.sock.settimeout(_current.line.timeout_s)

    def request(self: Any, *args: Any, **kwargs: Any) -> None:
        """Send a request, on a connection that may come from the pool."""
        if self.sock is not None:
            self.timeout = _current.line.timeout_s
            _current.line.hold(self.cord)
        super().request(*args, **kwargs)  # type: ignore[misc]  # the other base class has it

    def close(self: Any) -> None:
        """Close both handles of the socket."""
        super().close()  # type: ignore[misc]  # the other base class has it
        if self.cord is not None:
            self.cord.close()
            self.cord = None


def _connect_first(connection: Any, addresses: Sequence[str]) -> socket.socket:
    failure: OSError = OSError("the name has no address")
    for address in addresses:
        try:
            sock = socket.create_connection((address, connection.port), connection.timeout)
        except OSError as error:
            failure = error
            continue
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock
    if isinstance(failure, TimeoutError):
        raise ConnectTimeoutError(connection, "no answer to the connection") from failure
    raise NewConnectionError(connection, str(failure)) from failure


class _Plain(Guarded, HTTPConnection):  # type: ignore[misc]  # the mixin's methods come first
    pass


class _Encrypted(Guarded, HTTPSConnection):  # type: ignore[misc]  # the mixin's methods come first
    pass


class _PlainPool(HTTPConnectionPool):
    ConnectionCls: Any = _Plain


class _EncryptedPool(HTTPSConnectionPool):
    ConnectionCls: Any = _Encrypted


@dataclass(frozen=True, slots=True)
class Trust:
    """Which certificate authorities are believed: the system's, certifi's and one more file."""

    ca_file: str = ""

    def context(self) -> ssl.SSLContext:
        """Give a context that checks chain and host name."""
        context = ssl.create_default_context()
        context.load_verify_locations(certifi.where())
        if self.ca_file:
            context.load_verify_locations(self.ca_file)
        return context


def pools(trust: Trust) -> PoolManager:
    """Give empty pools; the environment's proxies play no part in them."""
    manager = PoolManager(
        num_pools=POOLS, maxsize=IDLE_PER_POOL, blocksize=BLOCK_BYTES, ssl_context=trust.context()
    )
    manager.pool_classes_by_scheme = {"http": _PlainPool, "https": _EncryptedPool}
    return manager
