"""What a URL means for a request: where it leads, what it asks there, whether it is allowed."""

import hashlib
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from urllib3.util import parse_url

from deliveries.guard import Network, OutsideNetworks, is_allowed, read_address

Resolve = Callable[[str, int], list[str]]


def resolve(host: str, port: int) -> list[str]:
    """Return every address of a host, in the order the system prefers them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a connection leads. It has no path, so that a kept one never brings its own along."""

    tls: bool
    host: str  # without brackets
    port: int

    @property
    def scheme(self) -> str:
        """Return the scheme of its URLs."""
        return "https" if self.tls else "http"

    @property
    def default_port(self) -> int:
        """Return the port that its URLs need not name."""
        return 443 if self.tls else 80

    @property
    def server_name(self) -> str:
        """Return the name that the certificate must be for."""
        return self.host.rstrip(".")

    @property
    def authority(self) -> str:
        """Return the value of a Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == self.default_port else f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Target:
    """What a URL means for a request."""

    origin: Origin
    path: str  # with the query

    @property
    def shown(self) -> str:
        """Return the URL without its query, which may hold a secret."""
        path = self.path.partition("?")[0]
        return f"{self.origin.scheme}://{self.origin.authority}{path}"

    @property
    def key(self) -> str:
        """Return a digest (SHA-256, hex) that two URLs of the same request share."""
        origin = self.origin
        url = f"{origin.scheme}://{origin.server_name}:{origin.port}{self.path}"
        return hashlib.sha256(url.encode()).hexdigest()


@lru_cache(maxsize=1024)
def read_target(url: str) -> Target:
    """
    Read a URL; urllib3's LocationParseError when it cannot be.

    >>> read_target("https://HOST.example/a b?c")
    Target(origin=Origin(tls=True, host='host.example', port=443), path='/a%20b?c')
    >>> read_target("https://host.example:8443/a?token=1").shown
    'https://host.example:8443/a'
    """
    parts = parse_url(url)
    tls = parts.scheme == "https"
    origin = Origin(
        tls=tls,
        host=(parts.host or "").strip("[]"),
        port=parts.port or (443 if tls else 80),
    )
    return Target(origin, parts.request_uri)


def vet_plain(origin: Origin, *, networks: Sequence[Network], resolve: Resolve = resolve) -> None:
    """
    Refuse plain http that does not lead into a network the operator allows, today at least.

    Each attempt vets the address again; here somebody is still there to read why.
    """
    if origin.tls:
        return
    try:
        addresses = resolve(origin.host, origin.port)
    except (OSError, UnicodeError):
        addresses = []
    if not addresses or not all(is_allowed(read_address(one), networks) for one in addresses):
        raise OutsideNetworks(
            "plain http goes only to networks that the operator allows; use https"
        )
