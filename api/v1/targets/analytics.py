"""``catalogs/{key}/analytics``: how imports into a catalog went, and what it could gain."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from analytics.by_catalog.report import MOST_NAMED, Report, report
from api.v1.http.problem import problems
from api.v1.imports import WAIT
from api.v1.targets.catalogs import KEY
from catalogs import selectors as catalogs
from common import clock
from common.http.addresses import below
from licensing.authentication import caller_of
from licensing.caller import Caller
from licensing.rights.checker import declares
from schemas.parameters import parameters_of
from schemas.shapes.targets.analytics import DAYS, AddIn, AnalyticsOut, DaysIn, ProposalsOut
from schemas.shapes.targets.catalogs import CheckedVersionOut
from schemas.wait import seconds_to_wait, wait_for
from workflow import proposals
from workflow.proposals import Offers


@declares(GET="getCatalogAnalytics")
class Analytics(APIView):
    """``GET catalogs/{key}/analytics``."""

    @extend_schema(
        operation_id="getCatalogAnalytics",
        tags=["catalogs"],
        parameters=[KEY, WAIT, DaysIn],
        responses={200: AnalyticsOut, **problems(400, 404)},
    )
    def get(self, request: Request, key: str) -> Response:
        """Return the steps of imports, what people corrected, and what the catalog could gain."""
        caller = caller_of(request)
        asked_for = parameters_of(request, DaysIn, beside=("wait",))
        shown = _report(caller, key, days=asked_for.get("days", DAYS))
        texts = shown.texts[:MOST_NAMED] if caller.sees_cells else None  # they are cells
        answer: dict[str, Any] = {
            "report": shown,
            "headers": shown.headers_for(cells=caller.sees_cells),
            "texts": texts,
            "offers": wait_for(
                lambda: _offers(caller, key, shown),
                is_done=lambda offers: not _is_running(offers),
                seconds=seconds_to_wait(request),
            ),
        }
        return Response(AnalyticsOut(answer).data)


@declares(POST="testProposals")
class TestProposals(APIView):
    """``POST catalogs/{key}/analytics/test``."""

    __test__ = False  # otherwise pytest collects it as a test class

    @extend_schema(
        operation_id="testProposals",
        tags=["catalogs"],
        parameters=[KEY],
        request=None,
        responses={202: ProposalsOut, **problems(404)},
    )
    def post(self, request: Request, key: str) -> Response:
        """Have each new proposal tested with every kept file; the analytics say what came of it."""
        caller = caller_of(request)
        shown = _report(caller, key)
        proposals.start_tests(
            offers=_offers(caller, key, shown),
            actor=caller.actor,
            at=clock.now(),
            license_id=caller.license_id,
        )
        headers = {"Location": below(f"/api/import/v1/catalogs/{key}/analytics")}
        body = ProposalsOut(_offers(caller, key, shown)).data
        return Response(body, status=202, headers=headers)


@declares(POST="addProposals")
class AddProposals(APIView):
    """``POST catalogs/{key}/analytics/draft``."""

    @extend_schema(
        operation_id="addProposals",
        tags=["catalogs"],
        parameters=[KEY],
        request=AddIn,
        responses={200: CheckedVersionOut, **problems(400, 404, 409, 422)},
    )
    def post(self, request: Request, key: str) -> Response:
        """Add proposals that passed their tests to the draft; nothing is published."""
        caller = caller_of(request)
        shown = _report(caller, key)
        params = AddIn(data=request.data)
        params.is_valid(raise_exception=True)
        draft = proposals.add(
            offers=_offers(caller, key, shown),
            ids=params.validated_data["proposals"],
            actor=caller.actor,
            at=clock.now(),
        )
        return Response(CheckedVersionOut(draft).data, headers={"ETag": f'"{draft.etag}"'})


def _report(caller: Caller, key: str, *, days: int = 1) -> Report:
    catalogs.catalog(caller.tenant, key)
    return report(caller.tenant, key, today=clock.now().date(), days=days)


def _offers(caller: Caller, key: str, shown: Report) -> Offers:
    return proposals.offers(caller.tenant, key, shown, cells=caller.sees_cells, at=clock.now())


def _is_running(offers: Offers) -> bool:
    return any(item.state == proposals.RUNNING for item in offers.items)
