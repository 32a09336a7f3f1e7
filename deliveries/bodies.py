"""
The bytes of a delivery: a short head of its own, and a file shared with other deliveries.

All deliveries of one apply have the same rows; only the first members differ (``deliveryId``). They
are stored in the delivery's row, the rest once on disk. A notice is stored in its row alone: it is
written in the transaction of its cause, where nothing but the database may fail.
"""

import hashlib
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db.models import QuerySet

from common import storage
from deliveries import payload
from deliveries.models import Delivery

FOLDER = "bodies"  # in the storage
SLICE = 500  # deliveries


@dataclass(frozen=True, slots=True)
class Body:
    """A body safely stored, as a delivery will name it."""

    file: str  # storage name of all bytes except the head
    size: int  # bytes, head included
    sha256: str  # hex, head included
    head: str = ""
    is_notice: bool = False  # the head is all of it

    @contextmanager
    def opened(self) -> Iterator["Joined"]:
        """Open the body and yield it. Raise FileNotFoundError if it is gone."""
        if self.is_notice:
            yield Joined(self.head.encode(), io.BytesIO())
            return
        if not self.file:
            raise FileNotFoundError("the body is purged")
        with storage.local_path(self.file).open("rb") as file:
            yield Joined(self.head.encode(), file)


def store(pieces: Iterable[bytes]) -> Body:
    """Store a body for a single delivery."""
    stored = storage.store(FOLDER, pieces)
    return Body(stored.name, stored.size, stored.sha256)


def of_notice(text: bytes) -> Body:
    """Return the body of a notice."""
    return Body("", len(text), hashlib.sha256(text).hexdigest(), text.decode(), is_notice=True)


def store_shared(rest: Iterable[bytes], *, delivery_id: str) -> Body:
    """Store the shared bytes of deliveries, and return the body of the first one."""
    head = payload.own_head(delivery_id)
    stored = storage.store(FOLDER, rest, after=head)
    return Body(stored.name, len(head) + stored.size, stored.sha256, head.decode())


def sharing(body: Body, *, delivery_id: str) -> Body:
    """Return the body of another delivery of the same rows; nothing is written."""
    head = payload.own_head(delivery_id)
    digest = hashlib.sha256(head)
    for chunk in storage.stream(body.file):
        digest.update(chunk)
    return Body(body.file, body.size, digest.hexdigest(), head.decode())


class Joined:
    """A head followed by its file, read as one; supports rewinding to the start."""

    def __init__(self, head: bytes, file: io.BufferedIOBase) -> None:
        self._head = head
        self._file = file
        self._at = 0  # within the head

    def read(self, size: int = -1) -> bytes:
        """Read up to ``size`` bytes; fewer at the end of the head."""
        if self._at < len(self._head):
            piece = self._head[self._at :] if size < 0 else self._head[self._at : self._at + size]
            self._at += len(piece)
            return piece + self._file.read() if size < 0 else piece
        return self._file.read(size)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Rewind to the start; other positions are not supported."""
        if offset or whence:
            raise io.UnsupportedOperation("a body is read from its start")
        self._at = 0
        return self._file.seek(0)


def body_of(delivery: Delivery) -> Body:
    """Return the body of a delivery."""
    return Body(
        delivery.body_name,
        delivery.body_size,
        delivery.body_sha256,
        delivery.body_head,
        is_notice=bool(delivery.event),
    )


def content(delivery: Delivery) -> bytes:
    """Return all bytes of a delivery."""
    with body_of(delivery).opened() as file:
        return file.read()


def forget_some(deliveries: "QuerySet[Delivery]") -> int:
    """Forget the bodies of some deliveries, and delete unnamed files; return how many."""
    rows = list(deliveries.exclude(body_name="").values_list("pk", "body_name")[:SLICE])
    Delivery.objects.filter(pk__in=[key for key, _ in rows]).update(body_name="", host_results=None)
    forget_files({name for _, name in rows})
    return len(rows)


def forget_files(names: set[str]) -> None:
    """Delete the files that no delivery names any more; call it after the names were committed."""
    named = Delivery.objects.filter(body_name__in=names).values_list("body_name", flat=True)
    for name in names.difference(named, {""}):
        storage.delete(name)
