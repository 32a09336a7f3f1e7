"""Accept a file for a preview: from a form, from text, or one that is already stored."""

from collections.abc import Callable
from typing import Any

from django.http import QueryDict
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.idempotency import once
from api.v1.http.multipart import StoredUpload, stored
from api.v1.imports import NoFile, refuse_large
from common import clock
from common.http.addresses import below
from imports.models import ImportRecord
from imports.services import receive_file
from licensing.authentication import caller_of
from licensing.rights.checker import require_cells
from previews import selectors, services
from previews.services.new_preview import File, file_of
from schemas.shapes.targets.trials import TrialIn, TrialOut, TrialUpload

ADDRESS = "/api/import/v1/"


def try_what_was_sent(
    request: Request,
    *,
    purpose: str,
    at: Callable[[str], str],
    tested_against: dict[str, Any] | None = None,
) -> Response:
    """Start a preview with the file of a request; ``at`` returns the address of its result."""
    refuse_large(request)
    is_form = isinstance(request.data, QueryDict)
    shape = TrialUpload if is_form else TrialIn
    body = shape(data=request.data)
    body.is_valid(raise_exception=True)
    given = body.validated_data

    def answer(file: File) -> Response:
        caller = caller_of(request)
        record = services.try_file(
            tenant=caller.tenant,
            file=File(file.stored, given.get("filename") or file.name or "file"),
            purpose=purpose,
            actor=caller.actor,
            at=clock.now(),
            license_id=caller.license_id,
            tested_against=tested_against,
        )
        headers = {"Location": below(f"{ADDRESS}{at(record.public_id)}")}
        return Response(TrialOut(record).data, status=202, headers=headers)

    if "recordId" in given and "text" not in given:
        require_cells(caller_of(request))
        former = selectors.file_source(caller_of(request).tenant, given["recordId"])
        return once(request, lambda: _of_former(former, answer))
    with _upload(given) as upload:
        return once(request, lambda: _of_upload(upload, answer))


def _of_former(former: ImportRecord, answer: Callable[[File], Response]) -> Response:
    with file_of(former) as file:
        return answer(file)


def _of_upload(upload: StoredUpload, answer: Callable[[File], Response]) -> Response:
    answered = answer(File(upload.stored, upload.name or ""))
    upload.take()
    return answered


def _upload(given: dict[str, Any]) -> StoredUpload:
    if "file" in given:
        return stored(given["file"])
    if "text" not in given or "recordId" in given:
        raise NoFile("file_missing.trial")
    return StoredUpload(receive_file([given["text"].encode()]), "text.csv")
