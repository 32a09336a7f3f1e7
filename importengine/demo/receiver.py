"""``POST /demo/receiver``: a host's apply endpoint, built from the example. Spec: Events."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from common import clock
from examples.django_receiver import payload
from examples.django_receiver.verify import MalformedSignature, NotVerified, Verifier
from importengine.demo import inbox
from importengine.demo.inbox import Arrival

CHUNK_BYTES = 1 << 16
MAX_BODY_BYTES = 256 << 20
_DELIVERY_ID = re.compile(r"dlv_[0-9A-Za-z]{1,60}", re.ASCII)  # it becomes a file name


@dataclass(frozen=True, slots=True)
class Received:
    """A request with its body read."""

    file: IO[bytes]
    path: Path
    size: int
    sha256: str  # hex


@csrf_exempt
@require_POST
def receive(request: HttpRequest) -> JsonResponse:
    """Verify a delivery, store it once, answer 200 to repetitions; store refusals too."""
    arrived = clock.now()
    length = request.headers.get("Content-Length", "")
    if not length.isdecimal():
        return _answer(411, "Content-Length is missing.")
    if int(length) > MAX_BODY_BYTES:
        return _answer(413, f"At most {MAX_BODY_BYTES} bytes are accepted.")
    if not (secrets := inbox.signing_secrets()):
        return _answer(503, "The demo has no signing secret yet; run its setup.")
    arrival: Arrival = {"receivedAt": clock.iso(arrived), "headers": _headers(request)}
    try:
        header = request.headers.get("x-import-signature", "")
        verifier = Verifier(header, secrets, arrived_at=arrived.timestamp())
        with _received(request, verifier) as received:
            if received.size != int(length):
                return _answer(503, "The body was cut off.")
            return _take(received, verifier, arrival)
    except (NotVerified, payload.NotUnderstood) as error:
        inbox.keep_refused({**arrival, "verified": False, "problem": str(error)})
        is_readable = not isinstance(error, MalformedSignature | payload.NotUnderstood)
        return _answer(401 if is_readable else 400, str(error))


@contextmanager
def _received(request: HttpRequest, verifier: Verifier) -> Iterator[Received]:
    """Stream the body to a file, deleted afterwards unless the inbox moved it."""
    digest, size = hashlib.sha256(), 0
    with NamedTemporaryFile(dir=inbox.folder(), prefix=".body-", delete=False) as file:
        path = Path(file.name)
        try:
            while chunk := request.read(CHUNK_BYTES):
                verifier.feed(chunk)
                digest.update(chunk)
                size += file.write(chunk)
            file.seek(0)
            yield Received(file, path, size, digest.hexdigest())
        finally:
            path.unlink(missing_ok=True)


def _take(received: Received, verifier: Verifier, arrival: Arrival) -> JsonResponse:
    verifier.check()
    delivery = payload.read(received.file)
    if not _DELIVERY_ID.fullmatch(delivery.delivery_id):
        raise payload.NotUnderstood("The deliveryId is not one of ours.")
    is_new = inbox.keep_verified(
        delivery.delivery_id,
        {
            **arrival,
            "verified": True,
            "deliveryId": delivery.delivery_id,
            "recordId": delivery.record_id,
            "tenantId": delivery.tenant_id,
            "occurredAt": clock.iso(delivery.occurred_at),
            "mapping": delivery.mapping,
            "meta": delivery.meta,
            "rowCount": len(delivery.rows),
            "rows": delivery.rows[: inbox.SHOWN_ROWS],
            "bytes": received.size,
            "sha256": received.sha256,
        },
        received.path,
        received_at=str(arrival["receivedAt"]),
    )
    return JsonResponse({"status": "stored" if is_new else "seen", "rows": len(delivery.rows)})


def _headers(request: HttpRequest) -> dict[str, str]:
    shown = ("content-type", "content-length")
    names = {name.lower(): value for name, value in request.headers.items()}
    return {
        name: value
        for name, value in sorted(names.items())
        if name.startswith("x-import-") or name in shown
    }


def _answer(status: int, detail: str) -> JsonResponse:
    return JsonResponse({"status": "refused", "detail": detail}, status=status)
