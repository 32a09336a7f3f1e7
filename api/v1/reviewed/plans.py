"""``imports/{recordId}/plan``: what the rows would change, before they are applied."""

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.kept_rows import while_kept
from api.v1.http.whole import page_of
from changesets.lookups.state import LookupFailed
from changesets.plans.current import plan_of
from changesets.plans.pages import items_of
from imports.selectors import import_for
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from schemas.parameters import parameters_of
from schemas.shapes.plans import PlanIn, PlanOut, shown_plan


@extend_schema(parameters=[PlanIn], responses=PlanOut, operation_id="imports_plan")
@declares(GET="imports_plan")
@api_view(["GET"])
@while_kept
def plan(request: Request, record_id: str) -> Response:
    """Return what the rows without errors would change, with each cell before and after.

    It is computed once for each revision of the rows, and after an edit for the edited rows alone.
    """
    caller = caller_of(request)
    record = import_for(caller, record_id)
    params = parameters_of(request, PlanIn)
    try:
        planned = plan_of(record)
    except LookupFailed as refusal:
        raise refusal.for_page() if caller.is_page else refusal from None
    items = items_of(
        record,
        planned,
        status=params["status"],
        cursor=params["cursor"],
        limit=params["limit"] + 1,
        sees_known=caller.sees_known,
    )
    page = shown_plan(planned, items, params["limit"], sees_known=caller.sees_known)
    return page_of(page["items"], page)
