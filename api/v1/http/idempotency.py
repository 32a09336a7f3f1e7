"""
``Idempotency-Key``: sending a creating call again creates nothing and repeats the answer.

Only successful answers are kept. A refused call created nothing, so it may simply run again.
"""

import hashlib
import json
from collections.abc import Callable, Collection
from datetime import timedelta
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.db.models import F
from django.http import QueryDict
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from api.models import StoredResponse
from common import clock
from common.errors import Conflict, WrongHeader
from common.rows import the_only
from licensing.authentication import caller_of
from licensing.caller import Caller

KEPT_FOR = timedelta(hours=24)
LEASE = timedelta(seconds=60)
MAX_LENGTH = 255
REPEATED = "Idempotency-Replayed"
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": MAX_LENGTH},
    OpenApiParameter.HEADER,
    description="A value of your own. The same call with the same value, within 24 hours, is "
    "answered as the first one was, and creates nothing.",
)


class KeyReused(Conflict):
    """The Idempotency-Key belongs to another request. Send a new one."""

    code = "idempotency_key_reused"


class StillRunning(Conflict):
    """A call with this Idempotency-Key is still running; send it again in a moment."""

    code = "idempotency_key_in_use"

    def __init__(self) -> None:
        super().__init__(members={"retryAfter": 1})


def once(request: Request, make: Callable[[], Response], *, hide: Collection[str] = ()) -> Response:
    """
    Return the answer of ``make``, or the stored answer of the same call.

    1. Claim the key. Raise StillRunning if a call with it runs, KeyReused for another request.
    2. Run ``make`` and store its answer, without the members in ``hide``, in one transaction.
    3. Release the key if ``make`` fails.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return make()
    if not 0 < len(key) <= MAX_LENGTH:
        raise WrongHeader("Idempotency-Key", "invalid_request.idempotency_key", most=MAX_LENGTH)
    mine = _claim(request, key)
    if mine.status is not None:
        return _repeat(mine)
    try:
        with transaction.atomic():
            answer = make()
            _keep(mine, answer, hide)
    except Exception:
        _as_claimed(mine).delete()
        raise
    return answer


def forget(request: Request, location: str) -> None:
    """Delete the stored answer that created a deleted object, so that it is not repeated."""
    StoredResponse.objects.filter(tenant=caller_of(request).tenant, location=location).delete()


def _claim(request: Request, key: str) -> StoredResponse:
    caller, at = caller_of(request), clock.now()
    whose = {"tenant": caller.tenant, "caller": _name_of(caller), "key": key}
    fresh = {
        "fingerprint": fingerprint(request),
        "claimed_until": at + LEASE,
        "expires_at": at + KEPT_FOR,
    }
    try:
        with transaction.atomic():
            return StoredResponse.objects.create(**whose, **fresh)
    except IntegrityError:
        row = the_only(StoredResponse.objects.filter(**whose))
    if row is None:  # the other call just failed and released the key
        raise StillRunning
    is_over = row.expires_at <= at
    if not is_over and row.fingerprint != fresh["fingerprint"]:
        raise KeyReused
    if not is_over and row.status is not None:
        return row
    if not is_over and row.claimed_until > at:
        raise StillRunning
    return _take_over(row, fresh)


def _name_of(caller: Caller) -> str:
    """Return the owner of a key; sessions of pages do not share keys."""
    return caller.session.session_id if caller.session else caller.license_id or caller.actor.id


def _take_over(stored: StoredResponse, fresh: dict[str, Any]) -> StoredResponse:
    """Claim the key of a call that died or whose answer has expired."""
    changes = {**fresh, "status": None, "body": "", "location": ""}
    if not _as_claimed(stored).update(claim_no=F("claim_no") + 1, **changes):
        raise StillRunning
    stored.refresh_from_db()
    return stored


def _as_claimed(mine: StoredResponse) -> Any:
    return StoredResponse.objects.filter(pk=mine.pk, claim_no=mine.claim_no)


def _keep(mine: StoredResponse, answer: Response, hide: Collection[str]) -> None:
    shown = {name: value for name, value in answer.data.items() if name not in hide}
    kept = _as_claimed(mine).update(
        status=answer.status_code,
        body=json.dumps(shown, cls=JSONEncoder),
        location=answer.headers.get("Location", ""),
    )
    if not kept:  # the call outlived its lease, and the same call is running again
        raise StillRunning


def _repeat(kept: StoredResponse) -> Response:
    headers = {REPEATED: "true"} | ({"Location": kept.location} if kept.location else {})
    return Response(json.loads(kept.body), status=kept.status, headers=headers)


def fingerprint(request: Request) -> str:
    """Return the sha256 of the method, address and body; a file is represented by its own hash."""
    content = request.data
    members = dict(content.lists()) if isinstance(content, QueryDict) else content
    text = json.dumps([request.method, request.path, members], sort_keys=True, default=_of_a_file)
    return hashlib.sha256(text.encode()).hexdigest()


def _of_a_file(file: "UploadedFile[bytes]") -> str:
    stored = getattr(file, "stored", None)
    if stored is not None:
        return f"{file.name} {stored.sha256}"
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    return f"{file.name} {digest.hexdigest()}"
