"""The address the engine posts to. Spec: Events > Delivery and retry.

A 4xx is final, the engine does not try again; so it is said only of what would fail for ever.
Trouble that passes (a busy database, a body cut off, a secret not yet configured) is a 5xx: the
engine comes back with the same delivery.
"""

import time
from tempfile import SpooledTemporaryFile
from typing import IO

from django.conf import settings
from django.db import OperationalError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from . import payload, services
from .verify import MalformedSignature, NotVerified, Verifier

CHUNK_BYTES = 1 << 16
IN_MEMORY_BYTES = 4 << 20  # larger bodies wait on disk until they are verified


@csrf_exempt
@require_POST
def receive(request: HttpRequest) -> JsonResponse:
    """POST: verify the delivery, store it once, answer 200 to every repetition."""
    arrived_at = time.time()  # before the body: a large one may take longer than the tolerance
    length = request.headers.get("Content-Length", "")
    if not length.isdecimal():
        return _answer(411, "Content-Length is missing.")
    if (size := int(length)) > settings.IMPORT_MAX_BODY_BYTES:
        return _answer(413, f"At most {settings.IMPORT_MAX_BODY_BYTES} bytes are accepted.")
    if not settings.IMPORT_SIGNING_SECRETS:
        return _answer(503, "No signing secret is configured.")
    header = request.headers.get("x-import-signature", "")
    try:
        verifier = Verifier(header, settings.IMPORT_SIGNING_SECRETS, arrived_at=arrived_at)
    except MalformedSignature as error:
        return _answer(400, str(error))
    with SpooledTemporaryFile(IN_MEMORY_BYTES) as file:
        if _copy(request, file, verifier) != size:
            return _answer(503, "The body was cut off.")
        return _take(file, verifier)


def _copy(request: HttpRequest, file: IO[bytes], verifier: Verifier) -> int:
    """Stream the raw body to a file; ``request.body`` would hold it in memory and parse forms."""
    size = 0
    while chunk := request.read(CHUNK_BYTES):
        verifier.feed(chunk)
        size += file.write(chunk)
    file.seek(0)
    return size


def _take(file: IO[bytes], verifier: Verifier) -> JsonResponse:
    try:
        verifier.check()
        delivery = payload.read(file)
        is_new = services.store(delivery)
    except NotVerified as error:
        return _answer(401, str(error))
    except payload.Notice:  # new events may come: a 4xx would say that it cannot be received
        return JsonResponse({"status": "ignored", "rows": 0})
    except payload.NotUnderstood as error:
        return _answer(400, str(error))
    except OperationalError:
        return _answer(503, "The database is busy.")
    return JsonResponse({"status": "stored" if is_new else "seen", "rows": len(delivery.rows)})


def _answer(status: int, detail: str) -> JsonResponse:
    return JsonResponse({"status": "refused", "detail": detail}, status=status)
