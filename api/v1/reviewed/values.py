"""``imports/{recordId}/values/{field}``: values that match none of a field's options."""

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.kept_rows import while_kept
from api.v1.http.problem import problems
from common import clock
from common.response_size import PAGE_BYTES, fitting, size_of
from imports import services
from imports.selectors import import_for, values_of
from licensing.authentication import caller_of
from licensing.rights.checker import check_members, declares, operation_of
from schemas.import_views import shown
from schemas.shapes.imports import ImportOut
from schemas.shapes.review.questions import ValuesIn, ValuesOut


@extend_schema(methods=["GET"], responses={200: ValuesOut, **problems(404, 409)})
@extend_schema(
    methods=["PUT"], request=ValuesIn, responses={202: ImportOut, **problems(400, 404, 409)}
)
@declares(GET="imports_values_retrieve", PUT="imports_values_update")
@api_view(["GET", "PUT"])
@while_kept
def values(request: Request, record_id: str, field: str) -> Response:
    """List the texts of a field that need an option, or say what texts mean."""
    record = import_for(caller_of(request), record_id)
    if request.method == "GET":
        answer = dict(ValuesOut(values_of(record, field)).data)
        left = PAGE_BYTES - size_of({**answer, "unmatched": []})
        return Response({**answer, "unmatched": fitting(answer["unmatched"], left)})
    body = ValuesIn(data=request.data)
    body.is_valid(raise_exception=True)
    check_members(caller_of(request), operation_of(request), body.validated_data)
    services.confirm_values(
        record=record,
        field=field,
        values=body.validated_data["values"],
        remember=body.validated_data["remember"],
        actor=caller_of(request).actor,
        at=clock.now(),
    )
    return Response(shown([record], caller_of(request))[0], status=202)
