"""``catalogs/{key}/export``, ``/types`` and ``catalogs/convert``: catalogs as text, and back."""

from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.v1.http.problem import problems
from api.v1.targets.catalogs import KEY, CatalogText, document, text_of
from catalogs import selectors
from catalogs.conversion import convert, convert_text, read_object
from catalogs.json_schema import written_schema
from catalogs.row_types import row_type
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from schemas.parameters import parameters_of
from schemas.shapes.targets.changes import ConvertedOut, ConvertIn, ExportIn, TypesIn

SCHEMA_JSON = "application/schema+json"


@declares(GET="exportCatalog")
class Export(APIView):
    """``GET catalogs/{key}/export``."""

    @extend_schema(
        operation_id="exportCatalog",
        tags=["catalogs"],
        parameters=[KEY, ExportIn],
        responses={
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, SCHEMA_JSON): OpenApiTypes.OBJECT,
            304: None,
            **problems(400, 404, 409),
        },
    )
    def get(self, request: Request, key: str) -> HttpResponseBase:
        """Return a catalog as a file: its own JSON, or the JSON Schema of what hosts receive."""
        params = parameters_of(request, ExportIn)
        version = selectors.edition(caller_of(request).tenant, key, params.get("version"))
        if params.get("format", "json") == "json":
            answer, name = document(request, version), f"{key}.json"
        else:
            schema = written_schema(selectors.usable(version).as_catalog())
            answer, name = JsonResponse(schema, content_type=SCHEMA_JSON), f"{key}.schema.json"
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer


@declares(GET="getCatalogTypes")
class Types(APIView):
    """``GET catalogs/{key}/types``."""

    @extend_schema(
        operation_id="getCatalogTypes",
        tags=["catalogs"],
        parameters=[KEY, TypesIn],
        responses={
            (200, "text/plain"): OpenApiTypes.STR,
            (200, "text/x-python"): OpenApiTypes.STR,
            (200, SCHEMA_JSON): OpenApiTypes.OBJECT,
            **problems(400, 404, 409),
        },
    )
    def get(self, request: Request, key: str) -> HttpResponseBase:
        """Return the type of a delivered row, for TypeScript, Python or as JSON Schema."""
        tenant = caller_of(request).tenant
        selectors.catalog(tenant, key)  # an unknown one is 404 whatever the query says
        params = parameters_of(request, TypesIn)
        version = selectors.published_or(tenant, key, params.get("version"))
        written = row_type(
            selectors.usable(version).as_catalog(),
            params["lang"],
            number=version.number,
            with_errors=params["invalidRows"] == "include",
        )
        answer = HttpResponse(written.text, content_type=written.media_type)
        answer["Content-Disposition"] = f'attachment; filename="{key}.{written.ending}"'
        return answer


@declares(POST="convertCatalog")
class Convert(APIView):
    """``POST catalogs/convert``."""

    parser_classes = (CatalogText,)

    @extend_schema(
        operation_id="convertCatalog",
        tags=["catalogs"],
        request=ConvertIn,
        responses={200: ConvertedOut, **problems(400)},
    )
    def post(self, request: Request) -> Response:
        """Make a catalog of a text or a JSON Schema, with what was left out; nothing is saved."""
        body = read_object(text_of(request))
        ConvertIn(data=body).is_valid(raise_exception=True)
        converted = convert_text(body["text"]) if "text" in body else convert(body["jsonSchema"])
        return Response(ConvertedOut(converted).data)
