"""
One complete POST: every value that decides its target and content, frozen together.

It is created when a delivery is claimed and read when the bytes are written. Only the signature of
the moment is added on the way; a connection adds nothing of its own.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Protocol


class Readable(Protocol):
    """A body that is read block by block from its start."""

    def read(self, size: int = -1) -> bytes:
        """Read up to ``size`` bytes; empty at the end."""


class Stored(Protocol):
    """A stored body that is opened when it is sent."""

    def opened(self) -> AbstractContextManager[Readable]:
        """Open it. Raise FileNotFoundError if it is gone."""


@dataclass(frozen=True, slots=True)
class Request:
    """
    One POST.

    headers: include the body's ``content-length``, but not ``host``, which comes from the URL.
    """

    url: str = field(repr=False)  # a query may contain a secret
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | Stored = field(repr=False)

    def __post_init__(self) -> None:
        """Copy the headers, so that later changes have no effect."""
        object.__setattr__(self, "headers", MappingProxyType(dict(self.headers)))

    def with_headers(self, headers: Mapping[str, str], *, body: "bytes | Stored") -> "Request":
        """Return the same request with more headers and the given body."""
        return replace(self, headers={**self.headers, **headers}, body=body)

    @contextmanager
    def opened(self) -> Iterator[bytes | Readable]:
        """Open the body and yield it."""
        if isinstance(self.body, bytes):
            yield self.body
            return
        with self.body.opened() as readable:
            yield readable
