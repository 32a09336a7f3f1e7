"""``catalogs/{key}/template``: an empty workbook to fill in."""

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from api.v1.http.files import FILES, XLSX, file_answer
from api.v1.http.problem import problems
from api.v1.targets.catalogs import KEY, own_of
from catalogs import selectors
from common.http.language import current_language
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from tabular.writing.template import template


@declares(GET="getCatalogTemplate")
class CatalogTemplate(APIView):
    """``GET catalogs/{key}/template``."""

    renderer_classes = FILES

    @extend_schema(
        operation_id="getCatalogTemplate",
        tags=["catalogs"],
        parameters=[KEY],
        responses={(200, XLSX): OpenApiTypes.BINARY, **problems(404)},
    )
    def get(self, request: Request, key: str) -> HttpResponseBase:
        """Return a workbook with the headers of a catalog, its examples and its dropdowns."""
        caller = caller_of(request)
        catalog = selectors.version_for(caller, key).as_catalog(*own_of(caller))
        made = template(catalog, language=current_language())
        return file_answer(made, name=f"{key}.xlsx", media_type=XLSX)
