"""What a URL means for a request: where it leads, what it requests, whether it is allowed."""

import hashlib
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from deliveries.http.guard import Network, OutsideNetworks, is_allowed, read_address

Resolve = Callable[[str, int], list[str]]


def resolve(host: str, port: int) -> list[str]:
    """Return every address of a host, in the system's order of preference."""
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in addresses))


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a connection leads. It has no path, so that a kept connection never reuses one."""

    tls: bool
    host: str  # without brackets
    port: int

    @property
    def scheme(self) -> str:
        """The scheme of its URLs."""
        return "https" if self.tls else "http"

    @property
    def default_port(self) -> int:
        """The port that its URLs may omit."""
        return 443 if self.tls else 80

    @property
    def server_name(self) -> str:
        """The name that the certificate must be issued for."""
        return self.host.rstrip(".")

    @property
    def authority(self) -> str:
        """The value of a Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == self.default_port else f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Target:
    """What a URL means for a request."""

    origin: Origin
    path: str  # including the query

    @property
    def shown(self) -> str:
        """The URL without its query, which may contain a secret."""
        path = self.path.partition("?")[0]
        return f"{self.origin.scheme}://{self.origin.authority}{path}"

    @property
    def key(self) -> str:
        """A digest (SHA-256, hex) that URLs of the same request share."""
        origin = self.origin
        url = f"{origin.scheme}://{origin.server_name}:{origin.port}{self.path}"
        return hashlib.sha256(url.encode()).hexdigest()


@lru_cache(maxsize=1024)
def read_target(url: str) -> Target:
    """
    Parse a URL. Raise urllib3's LocationParseError if it is invalid.

    >>> read_target("https://HOST.example/a b?c")
    Target(origin=Origin(tls=True, host='host.example', port=443), path='/a%20b?c')
    >>> read_target("https://host.example:8443/a?token=1").shown
    'https://host.example:8443/a'
    """
    from urllib3.util import parse_url  # not part of a program's start: it is slow to import

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
    Raise if plain http does not lead to a network that the operator allows, at this time.

    Each attempt vets the address again; here a person can still see the reason.
    """
    if origin.tls:
        return
    try:
        addresses = resolve(origin.host, origin.port)
    except (OSError, UnicodeError):
        addresses = []
    if not addresses or not all(
        is_allowed(read_address(address), networks) for address in addresses
    ):
        raise OutsideNetworks("url_refused.plain")
