"""``catalogs/{key}/versions``: read the versions of a catalog, and restore an old one."""

from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.v1.http.pages import Page
from api.v1.http.problem import problems
from api.v1.targets.catalogs import IF_MATCH, IF_NONE_MATCH, KEY, document, expected_draft
from catalogs import selectors, services
from catalogs.models import CatalogVersion
from common import clock
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from schemas.shapes.targets.catalogs import CheckedVersionOut, VersionOut
from tabular.model import catalog as nouns


@declares(GET="listCatalogVersions")
class VersionList(ListAPIView[CatalogVersion]):
    """``GET catalogs/{key}/versions``."""

    serializer_class = VersionOut

    class pagination_class(Page):  # noqa: N801 - the name is DRF's
        """A page with the newest first."""

        ordering = "-number"

    def get_queryset(self) -> "QuerySet[CatalogVersion]":
        """Return the versions of the named catalog."""
        return selectors.versions(caller_of(self.request).tenant, self.kwargs["key"])

    @extend_schema(
        operation_id="listCatalogVersions",
        tags=["catalogs"],
        parameters=[KEY],
        responses={200: VersionOut(many=True), **problems(404)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the versions of a catalog, newest first, the draft included."""
        return super().get(request, *args, **kwargs)


@declares(GET="getCatalogVersion")
class Version(APIView):
    """``GET catalogs/{key}/versions/{n}``."""

    @extend_schema(
        operation_id="getCatalogVersion",
        tags=["catalogs"],
        parameters=[KEY],
        responses={200: nouns.Catalog, 304: None, **problems(404)},
    )
    def get(self, request: Request, key: str, number: int) -> HttpResponseBase:
        """Return one version of a catalog."""
        return document(request, selectors.version(caller_of(request).tenant, key, number))


@declares(POST="restoreCatalogVersion")
class Restore(APIView):
    """``POST catalogs/{key}/versions/{n}/restore``."""

    @extend_schema(
        operation_id="restoreCatalogVersion",
        tags=["catalogs"],
        parameters=[KEY, IF_MATCH, IF_NONE_MATCH],
        request=None,
        responses={200: CheckedVersionOut, **problems(400, 404, 409)},
    )
    def post(self, request: Request, key: str, number: int) -> Response:
        """Save what a version said as the draft; 409 on a lost race."""
        caller = caller_of(request)
        draft = services.restore_version(
            tenant=caller.tenant,
            key=key,
            number=number,
            at=clock.now(),
            actor=caller.actor,
            expected=expected_draft(request),
        )
        return Response(CheckedVersionOut(draft).data, headers={"ETag": f'"{draft.etag}"'})
