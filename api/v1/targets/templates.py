"""``catalogs/{key}/template`` and ``sample``: a file to fill in, made by the engine or sent."""

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.v1.http.files import CSV, FILES, XLSX, file_answer
from api.v1.http.multipart import StoredMultiPart, stored
from api.v1.http.problem import problems
from api.v1.imports import NoFile
from api.v1.targets.catalogs import KEY, own_of
from catalogs import samples, selectors
from catalogs.errors import NoSample
from catalogs.models import CatalogSample
from common import clock, storage
from common.http.language import current_language
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from schemas.shapes.targets.samples import OwnSampleOut, SampleUpload
from tabular.writing.template import template

FILE = {(200, XLSX): OpenApiTypes.BINARY, (200, CSV): OpenApiTypes.STR}
MEDIA_TYPES = {"xlsx": XLSX, "csv": CSV}


@declares(GET="getCatalogTemplate")
class CatalogTemplate(APIView):
    """``GET catalogs/{key}/template``."""

    renderer_classes = FILES

    @extend_schema(
        operation_id="getCatalogTemplate",
        tags=["catalogs"],
        parameters=[KEY],
        responses={**FILE, **problems(404)},
    )
    def get(self, request: Request, key: str) -> HttpResponseBase:
        """Return the sample of a catalog, else a workbook with its headers and dropdowns."""
        caller = caller_of(request)
        version = selectors.version_for(caller, key)
        if own := samples.sample_of(version.catalog):
            return _sent(own, key)
        catalog = version.as_catalog(*own_of(caller))
        made = template(catalog, language=current_language())
        return file_answer(made, name=f"{key}.xlsx", media_type=XLSX)


@declares(GET="getCatalogSample", PUT="saveCatalogSample", DELETE="deleteCatalogSample")
class Sample(APIView):
    """``catalogs/{key}/sample``."""

    parser_classes = (StoredMultiPart,)
    renderer_classes = FILES

    @extend_schema(
        operation_id="getCatalogSample",
        tags=["catalogs"],
        parameters=[KEY],
        responses={**FILE, **problems(404)},
    )
    def get(self, request: Request, key: str) -> HttpResponseBase:
        """Return the sample of a catalog, byte for byte as it was sent."""
        own = samples.sample_of(selectors.catalog(caller_of(request).tenant, key))
        if own is None:
            raise NoSample
        return _sent(own, key)

    @extend_schema(
        operation_id="saveCatalogSample",
        tags=["catalogs"],
        parameters=[KEY],
        request={"multipart/form-data": SampleUpload},
        responses={200: OwnSampleOut, 201: OwnSampleOut, **problems(404, 413, 415, 422)},
    )
    def put(self, request: Request, key: str) -> Response:
        """Replace the sample of a catalog; the file must be readable, and have at most 5 MB."""
        caller = caller_of(request)
        catalog = selectors.catalog(caller.tenant, key)
        body = SampleUpload(data=request.data)
        body.is_valid(raise_exception=True)
        if "file" not in body.validated_data:
            raise NoFile
        with stored(body.validated_data["file"]) as upload:
            own, is_new = samples.save_sample(
                catalog=catalog,
                name=upload.name or "",
                path=storage.local_path(upload.stored.name),
                actor=caller.actor,
                at=clock.now(),
            )
        return Response(OwnSampleOut(own).data, status=201 if is_new else 200)

    @extend_schema(
        operation_id="deleteCatalogSample",
        tags=["catalogs"],
        parameters=[KEY],
        responses={204: None, **problems(404)},
    )
    def delete(self, request: Request, key: str) -> Response:
        """Delete the sample: people get the generated template again."""
        samples.delete_sample(catalog=selectors.catalog(caller_of(request).tenant, key))
        return Response(status=204)


def _sent(own: CatalogSample, key: str) -> HttpResponseBase:
    return file_answer(own.bytes_, name=f"{key}.{own.kind}", media_type=MEDIA_TYPES[own.kind])
