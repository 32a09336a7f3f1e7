"""What a url means for a request: whom to call, for what, and whether it is allowed at all."""

import hashlib
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from urllib3.util import parse_url

from deliveries.guard import Network, Refused, is_allowed, read_address

Resolve = Callable[[str, int], list[str]]
Origin = tuple[bool, str, int]  # TLS or not, host, port


def resolve(host: str, port: int) -> list[str]:
    """Give every address of a host, in the order the system prefers them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


@dataclass(frozen=True, slots=True)
class Target:
    """What a url means for a request."""

    tls: bool
    host: str  # without brackets
    port: int
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
    Target(tls=True, host='host.example', port=443, path='/a%20b?c')
    """
    parts = parse_url(url)
    tls = parts.scheme == "https"
    return Target(
        tls=tls,
        host=(parts.host or "").strip("[]"),
        port=parts.port or (443 if tls else 80),
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
