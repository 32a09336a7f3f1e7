"""``catalogs/overview`` and ``catalogs/{key}/changes``: the state of catalogs and their changes."""

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.v1.http.pages import Page
from api.v1.http.problem import problems
from api.v1.targets.catalogs import KEY
from catalogs import overview, selectors
from catalogs.models import Catalog
from imports.by_catalog import Activity, activity
from licensing.authentication import caller_of
from licensing.models import Tenant
from licensing.rights.checker import declares
from schemas.parameters import parameters_of
from schemas.shapes.targets.changes import BetweenIn, ChangesOut, OverviewOut


class ByKey(Page):
    """A page ordered by key."""

    ordering = "key"


@declares(GET="listCatalogStandings")
class Overview(APIView):
    """``GET catalogs/overview``."""

    @extend_schema(
        operation_id="listCatalogStandings",
        tags=["catalogs"],
        responses={200: OverviewOut(many=True), **problems(404)},
    )
    def get(self, request: Request) -> Response:
        """List every catalog of the tenant by key, those with only a draft and retired ones too."""
        tenant = caller_of(request).tenant
        page = ByKey()
        catalogs: QuerySet[Catalog] = overview.all_catalogs(tenant)
        items = page.paginate_queryset(catalogs, request)
        return page.get_paginated_response(OverviewOut(_shown(tenant, items), many=True).data)


def _shown(tenant: Tenant, catalogs: list[Catalog]) -> list[dict[str, object]]:
    going_on = activity(tenant, [catalog.pk for catalog in catalogs])
    return [
        {"standing": item, "activity": going_on.get(item.catalog.pk, Activity())}
        for item in overview.standings(catalogs)
    ]


@declares(GET="getCatalogChanges")
class Changes(APIView):
    """``GET catalogs/{key}/changes``."""

    @extend_schema(
        operation_id="getCatalogChanges",
        tags=["catalogs"],
        parameters=[KEY, BetweenIn],
        responses={200: ChangesOut, **problems(400, 404, 409)},
    )
    def get(self, request: Request, key: str) -> Response:
        """Return what a version changes, field by field, and who is affected by each change."""
        between = parameters_of(request, BetweenIn)
        items = selectors.compared(
            caller_of(request).tenant, key, old=between.get("from"), new=between.get("to")
        )
        return Response(ChangesOut(items).data)
