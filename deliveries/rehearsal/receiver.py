"""The receiver that rehearses: its address, its secrets, and deliveries made for it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from common import clock
from common.ids import PREFIXES, new_id
from deliveries import payload
from deliveries.http import signing
from deliveries.http.client import Answer, Client
from deliveries.http.request import Request
from deliveries.services.attempt import stamp

if TYPE_CHECKING:
    import pyarrow as pa

PIECES = 10  # of a body that is sent slowly


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows as an import delivers them: batches by field path, with the types of the fields."""

    batch: pa.RecordBatch
    types: Mapping[str, str]
    formats: Mapping[str, str]
    catalog_key: str
    catalog_version: int | None


@dataclass(frozen=True, slots=True)
class Sample:
    """One delivery: its id and its bytes."""

    delivery_id: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Receiver:
    """
    An address of a host.

    secrets: what signs, newest first. is_marked: deliveries carry ``test: true``. pause_s: seconds
    between the pieces of a body that is sent slowly.
    """

    client: Client
    url: str = field(repr=False)
    secrets: Sequence[str] = field(repr=False)
    tenant_id: str
    rows: Rows
    is_marked: bool = True
    pause_s: float = 0.5

    def sample(
        self, *, rows: pa.RecordBatch | None = None, age_s: int = 0, **members: Any
    ) -> Sample:
        """
        Return a delivery.

        rows: others than the receiver's. age_s: how long ago the apply was. members: further ones
        of the envelope.
        """
        about = self.rows
        batch = about.batch if rows is None else rows
        envelope = payload.Envelope(
            **{
                "delivery_id": new_id(PREFIXES["delivery"]),
                "tenant_id": self.tenant_id,
                "record_id": new_id(PREFIXES["import"]),
                "action": "submit",
                "row_count": batch.num_rows,
                "mapping": {path: path for path in batch.schema.names},
                "occurred_at": clock.iso(clock.now() - timedelta(seconds=age_s)),
                "catalog_key": about.catalog_key,
                "catalog_version": about.catalog_version,
                "test": self.is_marked,
                **members,
            }
        )
        pieces = payload.body(envelope, [batch], about.types, formats=about.formats)
        return Sample(envelope.delivery_id, b"".join(pieces))

    def send(
        self,
        sample: Sample,
        *,
        secrets: Sequence[str] | None = None,
        age_s: int = 0,
        headers: Mapping[str, str | None] | None = None,
        is_slow: bool = False,
    ) -> Answer:
        """
        Send a delivery once and return the answer.

        secrets: sign with these instead. age_s: how long ago it was signed. headers: others than
        the usual ones; None leaves one out. is_slow: send the body in pieces, with pauses.
        """
        t = int(time.time()) - age_s
        signature = signing.signature_header(
            self.secrets if secrets is None else secrets, t=t, body=[sample.body]
        )
        usual: dict[str, str | None] = {
            "content-type": "application/json",
            "content-length": str(len(sample.body)),
            "user-agent": "import-engine",
            "x-import-event": payload.EVENT,
            "x-import-delivery-id": sample.delivery_id,
            **stamp(t=t, signature=signature),
            **(headers or {}),
        }
        given = {name: value for name, value in usual.items() if value is not None}
        body = _Slow(sample.body, self.pause_s) if is_slow else sample.body
        exchange = self.client.exchange(len(sample.body))
        return self.client.send(Request(self.url, given, body), exchange=exchange)


@dataclass(frozen=True, slots=True)
class _Slow:
    """A body that arrives in pieces."""

    body: bytes
    pause_s: float

    @contextmanager
    def opened(self) -> Iterator[_Pieces]:
        yield _Pieces(self.body, self.pause_s)


class _Pieces:
    def __init__(self, body: bytes, pause_s: float) -> None:
        self._body = body
        self._piece = max(1, -(-len(body) // PIECES))
        self._pause_s = pause_s
        self._at = 0

    def read(self, size: int = -1) -> bytes:
        """Return the next piece, after a pause unless it is the first."""
        if 0 < self._at < len(self._body):
            time.sleep(self._pause_s)
        length = self._piece if size < 0 else min(size, self._piece)
        piece = self._body[self._at : self._at + length]
        self._at += len(piece)
        return piece
