"""``export`` and ``corrections``: download rows, correct them, and upload the corrections."""

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.v1.http.files import CSV, FILES, XLSX, streamed_answer
from api.v1.http.idempotency import IDEMPOTENCY_KEY, once
from api.v1.http.kept_rows import while_kept
from api.v1.http.multipart import StoredMultiPart, StoredUpload, stored
from api.v1.imports import WAIT, NoFile, refuse_large
from changesets.exported import choice_of
from common import clock
from common.http.addresses import below
from common.http.language import current_language, localized_in
from imports import services
from imports.models import ImportRecord, Workbook
from imports.rows.while_kept import sent_while_kept
from imports.selectors import correction_of, import_for
from licensing.authentication import caller_of
from licensing.refusals import PageKeyNotAllowed
from licensing.rights.checker import declares, require
from licensing.rights.model import FIX
from links.corrections import note_merged
from schemas.parameters import parameters_of
from schemas.shapes.review.exports import (
    CorrectionOut,
    CorrectionUpload,
    ExportIn,
    MergedOut,
    WorkbookOut,
)
from schemas.wait import seconds_to_wait, wait_for


@declares(GET="imports_export")
class ExportView(APIView):
    """``GET imports/{recordId}/export``."""

    renderer_classes = FILES

    @extend_schema(
        operation_id="imports_export",
        parameters=[ExportIn, WAIT],
        responses={
            (200, XLSX): OpenApiTypes.BINARY,
            (200, CSV): OpenApiTypes.STR,
            202: OpenApiResponse(WorkbookOut, "A worker writes it: ask again, or with ?wait=."),
        },
    )
    @while_kept
    def get(self, request: Request, record_id: str) -> HttpResponseBase:
        """
        Return the failed rows, or all, with their reasons; the file can be corrected and sent.

        A large workbook is written by a worker: 202 says how far it is, the same call gives it
        once it is ready.
        """
        record = import_for(caller_of(request), record_id)
        params = parameters_of(request, ExportIn, beside={"wait"})
        if caller_of(request).corrects and params["rows"] != "error":
            raise PageKeyNotAllowed
        file_format = params["format"]
        made = wait_for(
            lambda: services.export(
                record=record,
                which=params["rows"],
                choose=choice_of(params["rows"], sees_known=caller_of(request).sees_known),
                file_format=file_format,
                at=clock.now(),
            ),
            is_done=lambda comparison: not isinstance(comparison, Workbook),
            seconds=seconds_to_wait(request, beside={"rows", "format"}),
        )
        if isinstance(made, Workbook):
            return Response(WorkbookOut(made).data, status=202, headers={"Retry-After": "1"})
        media_type = XLSX if file_format == "xlsx" else f"{CSV}; charset=utf-8"
        chunks = sent_while_kept(record_id, localized_in(current_language(), made.chunks))
        return streamed_answer(chunks, name=made.name, media_type=media_type)


@declares(POST="imports_corrections_create")
class Corrections(APIView):
    """``POST imports/{recordId}/corrections``."""

    parser_classes = (StoredMultiPart,)

    @extend_schema(
        operation_id="imports_corrections_create",
        parameters=[IDEMPOTENCY_KEY],
        request={"multipart/form-data": CorrectionUpload},
        responses={202: CorrectionOut},
    )
    @while_kept
    def post(self, request: Request, record_id: str) -> Response:
        """Send an exported file back; it is read, compared, and merged only when confirmed."""
        record = import_for(caller_of(request), record_id)
        refuse_large(request)
        body = CorrectionUpload(data=request.data)
        body.is_valid(raise_exception=True)
        if "file" not in body.validated_data:
            raise NoFile
        with stored(body.validated_data["file"]) as upload:
            return once(request, lambda: self._create(request, record, upload))

    def _create(self, request: Request, record: ImportRecord, upload: StoredUpload) -> Response:
        caller = caller_of(request)
        correction = services.create_correction(
            record=record,
            filename=upload.name or "corrections",
            stored=upload.stored,
            actor=caller.actor,
            at=clock.now(),
            license_id=caller.license_id,
        )
        upload.take()
        at = below(f"/api/import/v1/imports/{record.public_id}/corrections/{correction.public_id}")
        return Response(CorrectionOut(correction).data, status=202, headers={"Location": at})


@declares(GET="imports_corrections_read")
class Correction(APIView):
    """``GET imports/{recordId}/corrections/{correctionId}``."""

    @extend_schema(
        operation_id="imports_corrections_read", parameters=[WAIT], responses=CorrectionOut
    )
    @while_kept
    def get(self, request: Request, record_id: str, correction_id: str) -> Response:
        """Say what a corrected file would change."""
        record = import_for(caller_of(request), record_id)
        correction = wait_for(
            lambda: correction_of(record, correction_id),
            is_done=lambda comparison: not comparison.is_worked_on,
            seconds=seconds_to_wait(request),
        )
        comparison = None
        if correction.state == ImportRecord.State.MAPPING:
            comparison = services.compare(record=record, correction=correction)
        return Response(CorrectionOut(correction, context={"comparison": comparison}).data)


@declares(POST="imports_corrections_confirm")
class ConfirmCorrection(APIView):
    """``POST imports/{recordId}/corrections/{correctionId}/confirm``."""

    @extend_schema(
        operation_id="imports_corrections_confirm",
        request=None,
        responses=MergedOut,
    )
    @while_kept
    def post(self, request: Request, record_id: str, correction_id: str) -> Response:
        """Merge the corrected rows, as one change that can be undone."""
        record = import_for(caller_of(request), record_id)
        correction = correction_of(record, correction_id)
        require(caller_of(request), FIX)
        caller, at = caller_of(request), clock.now()
        changed = services.merge(record=record, correction=correction, actor=caller.actor, at=at)
        note_merged(caller=caller, record=record, at=at)
        return Response(MergedOut(changed).data)
