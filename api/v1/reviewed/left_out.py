"""``imports/{recordId}/left-out``: rows of the file that were skipped, and why."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.kept_rows import while_kept
from api.v1.http.problem import problems
from api.v1.http.whole import page_of
from common import clock
from common.response_size import PAGE_BYTES, fitting, size_of
from imports import services
from imports.models import ImportRecord
from imports.page_policy import require_taken
from imports.previews.dry_run import NotReadYet
from imports.rows.left_out import RECIPE, SkippedRow, skipped_rows_of
from imports.selectors import import_for
from imports.services.restored_rows import MOST_TAKEN
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from schemas.import_views import shown
from schemas.parameters import QueryIn, parameters_of
from schemas.shapes.imports import ImportOut
from schemas.shapes.strict import ListIn, StrictIn
from tabular.model.table import SKIP_REASONS

REASONS = (*SKIP_REASONS, RECIPE)


class LeftOutQuery(QueryIn):
    """Which of them to give."""

    reason = serializers.ChoiceField(choices=REASONS, required=False)
    cursor = serializers.IntegerField(min_value=0, max_value=10**9, default=0)
    limit = serializers.IntegerField(min_value=1, max_value=500, default=50)


class LeftOutRowOut(serializers.Serializer[Any]):
    """One row that was left out."""

    row = serializers.IntegerField(
        help_text="Number from 0: what `takeBack` names. Of stacked tables no two rows share one."
    )
    sourceRow = serializers.IntegerField(
        source="line", help_text="Physical number in its sheet or file, from 0."
    )
    sheet = serializers.SerializerMethodField()
    member = serializers.SerializerMethodField()
    page = serializers.IntegerField(allow_null=True)
    box = serializers.ListField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text="In a PDF its box on the page, in points from its upper left corner: left, top, "
        "right, bottom.",
    )
    reason = serializers.ChoiceField(choices=REASONS)
    step = serializers.IntegerField(
        allow_null=True, help_text="Number of the recipe's step that left it out, from 0."
    )
    cells = serializers.ListField(child=serializers.CharField(allow_null=True))
    text = serializers.CharField(allow_blank=True)

    def get_sheet(self, left: SkippedRow) -> str | None:
        """Return the sheet that holds it."""
        return left.where.sheet

    def get_member(self, left: SkippedRow) -> str | None:
        """Return the file that holds it, in an archive of several."""
        return left.where.file


class LeftOutOut(serializers.Serializer[Any]):
    """A page of the rows that were left out, all counts, and what was taken back."""

    counts = serializers.DictField(child=serializers.IntegerField())
    takeBack = serializers.ListField(child=serializers.IntegerField())
    items = LeftOutRowOut(many=True)
    next = serializers.CharField(allow_null=True)


class TakeBackIn(StrictIn):
    """Every row that is data all the same; one that is not named is left out again."""

    takeBack = ListIn(child=serializers.IntegerField(min_value=0), max_length=MOST_TAKEN)
    reasons = ListIn(
        child=serializers.ChoiceField(choices=REASONS),
        required=False,
        default=list,
        help_text="Also every row that is skipped now for one of these reasons.",
    )


@extend_schema(
    methods=["GET"],
    parameters=[LeftOutQuery],
    responses={200: LeftOutOut, **problems(400, 404, 409)},
    operation_id="imports_left_out",
)
@extend_schema(
    methods=["PUT"],
    request=TakeBackIn,
    responses={202: ImportOut, **problems(400, 404, 409)},
    operation_id="imports_take_back",
)
@declares(GET="imports_left_out", PUT="imports_take_back")
@api_view(["GET", "PUT"])
@while_kept
def left_out(request: Request, record_id: str) -> Response:
    """List the rows that were left out, or say which of them are data; mapping and edits stay."""
    record = import_for(caller_of(request), record_id)
    if record.parsed.reading is None or not record.source:
        raise NotReadYet
    if request.method == "GET":
        page = _page(request, record)
        return page_of(page["items"], page)
    body = TakeBackIn(data=request.data)
    body.is_valid(raise_exception=True)
    if not body.validated_data["reasons"]:
        require_taken(caller_of(request), record, body.validated_data["takeBack"])
    services.restore_rows(
        record=record,
        rows=body.validated_data["takeBack"],
        reasons=body.validated_data["reasons"],
        actor=caller_of(request).actor,
        at=clock.now(),
    )
    return Response(shown([record], caller_of(request))[0], status=202)


def _page(request: Request, record: ImportRecord) -> dict[str, Any]:
    params = parameters_of(request, LeftOutQuery)
    offset, limit = params["cursor"], params["limit"]
    rows, restored = skipped_rows_of(record), list(record.chosen.restored)
    page = rows.page(offset=offset, limit=limit + 1, reason=params.get("reason"))
    items = fitting(LeftOutRowOut(page[:limit], many=True).data, PAGE_BYTES - size_of(restored))
    return {
        "counts": rows.counts,
        "takeBack": restored,
        "items": items,
        "next": str(offset + len(items)) if len(page) > len(items) else None,
    }
