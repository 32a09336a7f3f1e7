"""Make one attempt: sign the stored bytes and send them. Spec: Events > Headers."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import datetime

from django.conf import settings

from deliveries import bodies
from deliveries.bodies import Body
from deliveries.http import signing
from deliveries.http.client import Answer, Client
from deliveries.http.connections import BLOCK_BYTES, Exchange, TlsSettings
from deliveries.http.request import Request
from deliveries.models import Delivery, Registration
from deliveries.payload import EVENT

IN_MEMORY_BYTES = 1 << 18


def new_client() -> Client:
    """Return a client configured from the settings."""
    return Client(
        networks=settings.WEBHOOK_ALLOW_NETWORKS,
        tls=TlsSettings(settings.WEBHOOK_CA_FILE),
        ports=settings.WEBHOOK_PORTS,
    )


def request_of(delivery: Delivery) -> Request:
    """Return the frozen request of a delivery; only the signature of the moment is missing."""
    body = bodies.body_of(delivery)
    headers = {
        "content-type": "application/json",
        "content-length": str(body.size),
        "user-agent": "import-engine",
        "x-import-event": delivery.event or EVENT,
        "x-import-delivery-id": delivery.public_id,
    }
    return Request(delivery.registration.url, headers, body)


def post(
    client: Client, request: Request, *, secrets: Sequence[str], exchange: Exchange, at: datetime
) -> Answer:
    """Sign a request and send it once; a missing or damaged body is returned as an answer too."""
    try:
        signed = sign(request, secrets=secrets, at=at)
        if signed is None:
            return Answer(None, "body_damaged", 0)
        return client.send(signed, exchange=exchange)
    except (FileNotFoundError, IsADirectoryError):
        return Answer(None, "body_missing", 0)


def sign(request: Request, *, secrets: Sequence[str], at: datetime) -> Request | None:
    """
    Return the request with a signature; None if the stored bytes are not the queued ones.

    A small body is read once, for the signature and for sending.
    """
    body = request.body
    if not isinstance(body, Body):
        raise TypeError("only a stored body is signed")
    digest = hashlib.sha256()
    t = int(at.timestamp())
    read: list[bytes] = []

    def chunks() -> Iterator[bytes]:
        with body.opened() as file:
            while chunk := file.read(BLOCK_BYTES):
                digest.update(chunk)
                if body.size <= IN_MEMORY_BYTES:
                    read.append(chunk)
                yield chunk

    signature = signing.signature_header(secrets, t=t, body=chunks())
    if digest.hexdigest() != body.sha256:
        return None
    return request.with_headers(
        stamp(t=t, signature=signature), body=b"".join(read) if read else body
    )


def stamp(*, t: int, signature: str) -> dict[str, str]:
    """Return the headers with the time and the signature."""
    return {"x-import-timestamp": str(t), "x-import-signature": signature}


def secrets_of(registration: Registration, *, at: datetime) -> list[str]:
    """Return the secrets that sign now, newest first."""
    until, previous = registration.previous_until, registration.previous_secret
    overlap = [previous] if previous and until and at < until else []
    return [registration.secret, *overlap]
