"""``catalogs/infer``, ``detect`` and ``names``: derive parts of a catalog from files."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.v1.http.idempotency import IDEMPOTENCY_KEY
from api.v1.http.json_body import JsonBody
from api.v1.http.multipart import StoredMultiPart
from api.v1.http.problem import problems
from api.v1.imports import WAIT
from api.v1.targets.catalogs import KEY
from api.v1.targets.tried_files import try_what_was_sent
from catalogs import selectors as catalogs
from imports.mapping.confirmed_names import confirmed_names
from imports.models import ImportRecord
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from previews.detector_hits import detector_of, hit_rates
from previews.selectors import any_preview, preview_of
from schemas.parameters import parameters_of
from schemas.shapes.targets.trials import (
    DetectedOut,
    DetectIn,
    InferredOut,
    NamesIn,
    NamesOut,
    TrialIn,
    TrialOut,
    TrialUpload,
)
from schemas.wait import seconds_to_wait, wait_for

Purpose = ImportRecord.Purpose
MOST_NAMES = 500
FILE = {"multipart/form-data": TrialUpload, "application/json": TrialIn}


@declares(POST="inferCatalog")
class Infer(APIView):
    """``POST catalogs/infer``."""

    parser_classes = (JsonBody, StoredMultiPart)

    @extend_schema(
        operation_id="inferCatalog",
        tags=["catalogs"],
        parameters=[IDEMPOTENCY_KEY],
        request=FILE,
        responses={202: TrialOut, **problems(404, 409, 422)},
    )
    def post(self, request: Request) -> Response:
        """Have a catalog suggested from a file; the file is kept for a day, nothing is saved."""
        return try_what_was_sent(
            request, purpose=Purpose.INFER, at=lambda record_id: f"catalogs/infer/{record_id}"
        )


@declares(GET="getInferredCatalog")
class Inferred(APIView):
    """``GET catalogs/infer/{recordId}``."""

    @extend_schema(
        operation_id="getInferredCatalog",
        tags=["catalogs"],
        parameters=[WAIT],
        responses={200: InferredOut, **problems(404)},
    )
    def get(self, request: Request, record_id: str) -> Response:
        """Return the suggested catalog with its evidence in the file; ``wait`` waits for it."""
        return Response(InferredOut(waited_for(request, record_id, Purpose.INFER)).data)


@declares(POST="detectColumns")
class Detect(APIView):
    """``POST catalogs/detect``."""

    @extend_schema(
        operation_id="detectColumns",
        tags=["catalogs"],
        request=DetectIn,
        responses={200: DetectedOut, **problems(400, 404, 409)},
    )
    def post(self, request: Request) -> Response:
        """Count which values of a tried file a detector recognises; nothing is saved."""
        params = DetectIn(data=request.data)
        params.is_valid(raise_exception=True)
        given = params.validated_data
        preview = any_preview(caller_of(request).tenant, given["recordId"])
        detector = detector_of(given["detector"])
        rates = hit_rates(preview, detector, given.get("column"))
        return Response(DetectedOut({"columns": rates}).data)


@declares(GET="listConfirmedNames")
class Names(APIView):
    """``GET catalogs/{key}/names``."""

    @extend_schema(
        operation_id="listConfirmedNames",
        tags=["catalogs"],
        parameters=[KEY, NamesIn],
        responses={200: NamesOut, **problems(400, 404)},
    )
    def get(self, request: Request, key: str) -> Response:
        """List headers that people mapped to fields, and that are not yet among their names."""
        tenant, params = caller_of(request).tenant, parameters_of(request, NamesIn)
        catalog = catalogs.newest_usable(tenant, key).as_catalog()
        names = confirmed_names(tenant, catalog, params.get("field"))
        return Response(NamesOut({"items": names[:MOST_NAMES]}).data)


def waited_for(request: Request, record_id: str, purpose: str) -> ImportRecord:
    """Return a preview, after waiting until its work ends or the time is up."""
    tenant = caller_of(request).tenant
    record: ImportRecord = wait_for(
        lambda: preview_of(tenant, record_id, purpose),
        is_done=lambda preview: not preview.is_worked_on,
        seconds=seconds_to_wait(request),
    )
    return record
