"""``imports/{recordId}/steps``: what the widget reports of its steps."""

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from analytics.by_catalog import screens
from api.v1.http.problem import problems
from imports.selectors import import_for
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from schemas.shapes.targets.analytics import StepTimeIn


@extend_schema(
    operation_id="imports_steps_create",
    request=StepTimeIn,
    responses={204: None, **problems(400, 404)},
)
@declares(POST="imports_steps_create")
@api_view(["POST"])
def steps(request: Request, record_id: str) -> Response:
    """Report how long a person saw a step of the widget, for the analytics of the catalog."""
    record = import_for(caller_of(request), record_id)
    params = StepTimeIn(data=request.data)
    params.is_valid(raise_exception=True)
    seen = params.validated_data
    screens.note(record, name=seen["step"], seconds=seen["seconds"], was_closed=seen["left"])
    return Response(status=204)
