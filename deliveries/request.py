"""One POST, whole: every value that decides where it goes and what it says, frozen together.

It is made when a delivery is claimed and read when the bytes are written. Nothing on the way adds
to it but the signature of the moment; a connection brings nothing of its own.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Protocol


class Readable(Protocol):
    """A body that is read from its start, block by block."""

    def read(self, size: int = -1) -> bytes:
        """Read up to ``size`` bytes; nothing at the end."""


class Stored(Protocol):
    """A body that is opened when it is sent."""

    def opened(self) -> AbstractContextManager[Readable]:
        """Open it; FileNotFoundError when it is gone."""


@dataclass(frozen=True, slots=True)
class Request:
    """
    One POST.

    headers: with the ``content-length`` of the body, without ``host``, which the URL says.
    """

    url: str = field(repr=False)  # a query may hold a secret
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | Stored = field(repr=False)

    def __post_init__(self) -> None:
        """Keep the headers as they are now."""
        object.__setattr__(self, "headers", MappingProxyType(dict(self.headers)))

    def with_headers(self, headers: Mapping[str, str], *, body: "bytes | Stored") -> "Request":
        """Return the same request with more headers, and its body as given."""
        return replace(self, headers={**self.headers, **headers}, body=body)

    @contextmanager
    def opened(self) -> Iterator[bytes | Readable]:
        """Open the body."""
        if isinstance(self.body, bytes):
            yield self.body
            return
        with self.body.opened() as readable:
            yield readable
