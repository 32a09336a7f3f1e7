"""``imports/{recordId}/tables/{table}/page/{page}``: a page next to what was read from it."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.kept_rows import while_kept
from api.v1.http.problem import problems
from api.v1.http.whole import Whole
from api.v1.reviewed.left_out import REASONS
from imports.previews.pages import Sides, clip_of, shown_page
from imports.selectors import import_for
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from schemas.parameters import QueryIn, parameters_of, wrong_parameter
from schemas.shapes.reading import FrameOut


class PageQuery(QueryIn):
    """Which part of the page to give."""

    box = serializers.CharField(
        required=False,
        max_length=80,
        help_text="Left, top, right and bottom of a part of the page, in points, separated by "
        "commas: only its picture is given.",
    )


class PageRowOut(serializers.Serializer[Any]):
    """A row that was read from the page."""

    row = serializers.IntegerField()
    box = serializers.ListField(
        child=serializers.FloatField(), help_text="Left, top, right, bottom, in points."
    )
    cells = serializers.ListField(child=serializers.CharField(allow_null=True))


class PageLeftOutOut(serializers.Serializer[Any]):
    """A line of the page that is not a row."""

    row = serializers.IntegerField(help_text="What `takeBack` names.")
    box = serializers.ListField(
        child=serializers.FloatField(), help_text="Left, top, right, bottom, in points."
    )
    reason = serializers.ChoiceField(choices=REASONS)
    text = serializers.CharField(allow_blank=True)


class PageOut(serializers.Serializer[Any]):
    """A page as it was read, upright, with what was taken from it and what was left out."""

    page = serializers.IntegerField()
    pages = serializers.IntegerField(help_text="How many pages the file has.")
    width = serializers.FloatField(help_text="In points, of what the picture shows.")
    height = serializers.FloatField()
    image = serializers.CharField(help_text="The picture: PNG in base64.")
    frames = FrameOut(many=True, help_text="Where the table is on this page.")
    rows = PageRowOut(many=True, help_text="Of the table that is used; at most 300.")
    leftOut = PageLeftOutOut(source="left_out", many=True)


@extend_schema(
    parameters=[PageQuery],
    responses={200: PageOut, **problems(400, 404, 409, 422, 503)},
    operation_id="imports_page_retrieve",
)
@declares(GET="imports_page_retrieve")
@api_view(["GET"])
@while_kept
def page(request: Request, record_id: str, table: int, page: int) -> Response:
    """Show a page of a PDF or a scan with boxes around rows and what was left out."""
    record = import_for(caller_of(request), record_id)
    box = parameters_of(request, PageQuery).get("box")
    if box is not None:
        painted = clip_of(record, table, page, _sides(box))
        frames, rows, left_out = [], [], []
    else:
        shown = shown_page(record, table, page)
        painted, frames = shown.painted, shown.frames
        rows, left_out = shown.rows, shown.left_out
    answer = PageOut(
        {
            "page": page,
            "pages": painted.pages,
            "width": painted.width,
            "height": painted.height,
            "image": painted.image,
            "frames": frames,
            "rows": rows,
            "left_out": left_out,
        }
    )
    return Whole(answer.data)


def _sides(text: str) -> Sides:
    parts = text.split(",")
    try:
        left, top, right, bottom = (float(part) for part in parts)
    except ValueError:
        raise wrong_parameter("box", "Send four numbers, separated by commas.") from None
    if not (0 <= left < right <= 20_000 and 0 <= top < bottom <= 20_000):
        raise wrong_parameter("box", "Send left, top, right, bottom.")
    return left, top, right, bottom
