"""Kept connections that go only to vetted addresses, and can be cut from another thread."""

import hashlib
import select
import socket
import ssl
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

import certifi
from urllib3.util import parse_url

from deliveries.guard import WEB_PORTS, Network, Refused, is_allowed, read_address, vet

CONNECT_S = 5.0  # each address, and the agreement on TLS
ORIGINS = 256
IDLE_PER_ORIGIN = 32

NO_ADDRESS = "no_address"  # none that may be called: whether a name resolves is nobody's business
Resolve = Callable[[str, int], list[str]]
Origin = tuple[bool, str, int]  # TLS or not, host, port


def resolve(host: str, port: int) -> list[str]:
    """Give every address of a host, in the order the system prefers them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Unreachable(Exception):
    """No connection came about; ``error_class`` says why in the words of the audit log."""

    def __init__(self, error_class: str) -> None:
        super().__init__(error_class)
        self.error_class = error_class


@dataclass(frozen=True, slots=True)
class Target:
    """What a url means for a request."""

    tls: bool
    host: str  # without brackets
    port: int
    authority: str  # the Host header
    path: str  # with the query

    @property
    def origin(self) -> Origin:
        """Whom a kept connection belongs to."""
        return self.tls, self.host, self.port

    @property
    def key(self) -> str:
        """Give a digest that two urls share when they stand for the same request (SHA-256, hex)."""
        scheme, host = ("https" if self.tls else "http"), self.host.rstrip(".")
        return hashlib.sha256(f"{scheme}://{host}:{self.port}{self.path}".encode()).hexdigest()


@lru_cache(maxsize=1024)
def read_target(url: str) -> Target:
    """
    Read a url; urllib3's LocationParseError when it cannot be.

    >>> read_target("https://HOST.example/a b?c")
    Target(tls=True, host='host.example', port=443, authority='host.example', path='/a%20b?c')
    """
    parts = parse_url(url)
    tls = parts.scheme == "https"
    return Target(
        tls=tls,
        host=(parts.host or "").strip("[]"),
        port=parts.port or (443 if tls else 80),
        authority=parts.netloc or "",
        path=parts.request_uri,
    )


def vet_plain(target: Target, *, networks: Sequence[Network], resolve: Resolve = resolve) -> None:
    """
    Refuse plain http that does not lead into a network the operator allows, today at least.

    Each attempt vets the address again; here somebody is still there to read why.
    """
    if target.tls:
        return
    try:
        addresses = resolve(target.host, target.port)
    except (OSError, UnicodeError):
        addresses = []
    if not addresses or not all(is_allowed(read_address(one), networks) for one in addresses):
        raise Refused("plain http goes only to networks that the operator allows; use https")


class Line:
    """One exchange with a host; ``cut`` ends it from any thread, also while it connects."""

    def __init__(
        self,
        *,
        networks: Sequence[Network],
        timeout_s: float,
        resolve: Resolve = resolve,
        ports: Sequence[int] = WEB_PORTS,
    ) -> None:
        self.networks = networks
        self.ports = ports
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


class Connection:
    """A socket to a vetted address, and the second handle by which a line may cut it."""

    def __init__(self, target: Target, line: Line, tls: ssl.SSLContext) -> None:
        sock = _reach(target, line)
        # TLS detaches the socket it wraps, so the line holds a handle of its own.
        self.cord = sock.dup()
        line.hold(self.cord)
        self.sock = sock
        if target.tls:
            try:
                self.sock = tls.wrap_socket(sock, server_hostname=target.host.rstrip("."))
            except BaseException:
                self.close()
                raise
        self.origin = target.origin

    def is_alive(self) -> bool:
        """Whether the host has kept its side open, and sent nothing that nobody asked for."""
        poll = select.poll()
        poll.register(self.sock, select.POLLIN)
        return not poll.poll(0)

    def close(self) -> None:
        """Close both handles."""
        self.sock.close()
        self.cord.close()


class Connections:
    """Connections kept for the next exchange; safe to share between threads."""

    def __init__(self, trust: "Trust") -> None:
        self._tls = trust.context()
        self._lock = threading.Lock()
        self._idle: OrderedDict[Origin, list[Connection]] = OrderedDict()
        weakref.finalize(self, _close_all, self._idle)

    def take(self, target: Target, line: Line) -> Connection:
        """Give a connection for one exchange on a line, a kept one if there is one."""
        while (kept := self._kept(target)) is not None:
            if kept.is_alive():
                kept.sock.settimeout(line.timeout_s)
                line.hold(kept.cord)
                return kept
            kept.close()
        made = Connection(target, line, self._tls)
        made.sock.settimeout(line.timeout_s)
        return made

    def give_back(self, connection: Connection) -> None:
        """Keep a connection whose exchange is complete."""
        surplus: list[Connection] = []
        with self._lock:
            mine = self._idle.setdefault(connection.origin, [])
            self._idle.move_to_end(connection.origin)
            (mine if len(mine) < IDLE_PER_ORIGIN else surplus).append(connection)
            if len(self._idle) > ORIGINS:
                surplus += self._idle.popitem(last=False)[1]
        for one in surplus:
            one.close()

    def _kept(self, target: Target) -> Connection | None:
        with self._lock:
            mine = self._idle.get(target.origin)
            return mine.pop() if mine else None


def _close_all(idle: dict[Origin, list[Connection]]) -> None:
    for mine in idle.values():
        for connection in mine:
            connection.close()


def _reach(target: Target, line: Line) -> socket.socket:
    """Resolve once, vet every address, connect to the first that answers."""
    try:
        addresses = line.resolve(target.host, target.port)
    except (OSError, UnicodeError) as error:
        raise Unreachable(NO_ADDRESS) from error
    for address in addresses:
        vet(
            address,
            networks=line.networks,
            tls=target.tls,
            port=target.port,
            ports=line.ports,
        )
    failure: OSError = OSError("the name has no address")
    for address in addresses:
        try:
            sock = socket.create_connection((address, target.port), CONNECT_S)
        except OSError as error:
            failure = error
            continue
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock
    timed_out = isinstance(failure, TimeoutError)
    raise Unreachable("connect_timeout" if timed_out else "connect") from failure


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
