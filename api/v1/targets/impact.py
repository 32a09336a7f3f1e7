"""``catalogs/{key}/draft/impact``: what publishing a draft would affect."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.v1.http.problem import problems
from api.v1.imports import WAIT
from api.v1.targets.catalogs import KEY
from catalogs import selectors as catalogs
from catalogs.models import CatalogVersion
from common import clock
from common.http.addresses import below
from contracts import selectors as contracts
from imports import by_catalog
from licensing.authentication import caller_of
from licensing.models import Tenant
from licensing.rights.checker import declares
from previews import services
from previews.selectors import latest_impact
from schemas.shapes.targets.impact import ImpactOut, RowsImpactOut
from schemas.wait import seconds_to_wait, wait_for

MOST_SHOWN = 100  # open imports, mappings


@declares(GET="getDraftImpact", POST="lookAtRows")
class DraftImpact(APIView):
    """``GET`` and ``POST catalogs/{key}/draft/impact``."""

    @extend_schema(
        operation_id="getDraftImpact",
        tags=["catalogs"],
        parameters=[KEY, WAIT],
        responses={200: ImpactOut, **problems(404, 409)},
    )
    def get(self, request: Request, key: str) -> Response:
        """Say what a draft means for contracts, imports, mappings and rows that are there."""
        caller = caller_of(request)
        tenant, seconds = caller.tenant, seconds_to_wait(request)
        draft = catalogs.usable_draft(tenant, key)
        rows = wait_for(
            lambda: latest_impact(tenant, draft),
            is_done=lambda preview: preview is None or not preview.is_worked_on,
            seconds=seconds,
        )
        seen = rows if caller.sees_cells else None  # they contain values of imports
        return Response(ImpactOut({**_impact(tenant, draft), "rows": seen}).data)

    @extend_schema(
        operation_id="lookAtRows",
        tags=["catalogs"],
        parameters=[KEY],
        request=None,
        responses={202: RowsImpactOut, **problems(404, 409)},
    )
    def post(self, request: Request, key: str) -> Response:
        """Have the newest rows of the catalog looked at under its draft, by a worker."""
        caller = caller_of(request)
        record = services.try_rows(
            tenant=caller.tenant,
            draft=catalogs.usable_draft(caller.tenant, key),
            actor=caller.actor,
            at=clock.now(),
            license_id=caller.license_id,
        )
        headers = {"Location": below(f"/api/import/v1/catalogs/{key}/draft/impact")}
        return Response(RowsImpactOut(record).data, status=202, headers=headers)


def _impact(tenant: Tenant, draft: CatalogVersion) -> dict[str, Any]:
    key, catalog = draft.catalog.key, draft.as_catalog()
    waiting = by_catalog.open_imports(tenant, key)
    return {
        "contracts": contracts.impact(tenant, draft, clock.now()),
        "profiles": by_catalog.profiles_losing(tenant, key, catalog.live_fields)[:MOST_SHOWN],
        "openImports": waiting[:MOST_SHOWN],
        "openImportCount": waiting.count(),
    }
