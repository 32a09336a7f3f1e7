"""Make one attempt: sign the stored bytes afresh and post them. Spec: Events > Headers."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from deliveries import bodies, signing
from deliveries.client import Answer, Client
from deliveries.connections import BLOCK_BYTES, Exchange, TlsSettings
from deliveries.models import Delivery, Registration
from deliveries.payload import EVENT

IN_MEMORY_BYTES = 1 << 18


def new_client() -> Client:
    """Give a client as the settings want it."""
    return Client(
        networks=settings.WEBHOOK_ALLOW_NETWORKS,
        tls=TlsSettings(settings.WEBHOOK_CA_FILE),
        ports=settings.WEBHOOK_PORTS,
    )


def post(client: Client, delivery: Delivery, *, exchange: Exchange, at: datetime) -> Answer:
    """Post a delivery once; what came back, a body that is gone included, is the answer."""
    try:
        with bodies.opened(delivery) as file:
            content = file.read() if delivery.body_size <= IN_MEMORY_BYTES else None
            signed = Signed.of(delivery, [content] if content is not None else _chunks(file), at)
            if signed.sha256 != delivery.body_sha256:
                return Answer(None, "body_damaged", 0)
            file.seek(0)
            return client.post(
                delivery.registration.url,
                headers=headers_of(delivery, signed),
                body=file if content is None else content,
                exchange=exchange,
            )
    except (FileNotFoundError, IsADirectoryError):
        return Answer(None, "body_missing", 0)


@dataclass(frozen=True, slots=True)
class Signed:
    """What one pass over a body gives: the signature of this moment, and what it is a sum of."""

    t: int  # Unix seconds
    signature: str
    sha256: str  # hex

    @classmethod
    def of(cls, delivery: Delivery, chunks: Iterable[bytes], at: datetime) -> "Signed":
        """Sign a body with the secrets that count at this moment."""
        digest = hashlib.sha256()

        def counted() -> Iterator[bytes]:
            for chunk in chunks:
                digest.update(chunk)
                yield chunk

        t = int(at.timestamp())
        secrets = secrets_of(delivery.registration, at=at)
        signature = signing.signature_header(secrets, t=t, body=counted())
        return cls(t, signature, digest.hexdigest())


def headers_of(delivery: Delivery, signed: Signed) -> dict[str, str]:
    """Give the headers of an attempt."""
    return {
        "content-type": "application/json",
        "content-length": str(delivery.body_size),
        "user-agent": "import-engine",
        "x-import-event": EVENT,
        "x-import-delivery-id": delivery.public_id,
        "x-import-timestamp": str(signed.t),
        "x-import-signature": signed.signature,
    }


def _chunks(file: bodies.Joined) -> Iterator[bytes]:
    while chunk := file.read(BLOCK_BYTES):
        yield chunk


def secrets_of(registration: Registration, *, at: datetime) -> list[str]:
    """Give the secrets that sign now, newest first."""
    until, previous = registration.previous_until, registration.previous_secret
    overlap = [previous] if previous and until and at < until else []
    return [registration.secret, *overlap]
