"""``issues/fixes`` and ``duplicates``: bulk work that says first what it would do."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.rows import changed_shown
from common import clock
from imports import services
from imports.selectors import import_for
from imports.terms import require
from licensing.authentication import caller_of, for_pages
from licensing.sessions import EXCLUDE, FIX
from staging.edits.fixing import offers
from wire.parameters import parameters_of
from wire.shapes.cleaning import (
    DuplicatesIn,
    DuplicatesOut,
    IssueFixesOut,
    ResolveIn,
    ResolvePreviewOut,
)
from wire.shapes.rows import ChangedOut


@extend_schema(responses=IssueFixesOut, operation_id="imports_issues_fixes")
@for_pages("GET")
@api_view(["GET"])
def fixes(request: Request, record_id: str) -> Response:
    """List for each group of issues the fixes that would help, with three examples."""
    table = services.rows_of(import_for(caller_of(request), record_id))
    groups = [
        {**asdict(one.group), "fixes": [asdict(fix) for fix in one.fixes]} for one in offers(table)
    ]
    return Response({"revision": table.revision.number, "groups": groups})


@extend_schema(
    methods=["GET"],
    description="Show the rows that are equal in the fields of a `unique` rule, or in all fields.",
    parameters=[DuplicatesIn],
    responses=DuplicatesOut,
    operation_id="imports_duplicates",
)
@extend_schema(
    methods=["POST"],
    description="Keep one row of each group, merged with the others if asked, as one undo step.",
    request=ResolveIn,
    responses=PolymorphicProxySerializer(
        component_name="ResolvedOrPreview",
        serializers=[ChangedOut, ResolvePreviewOut],
        resource_type_field_name=None,
    ),
    operation_id="imports_duplicates_resolve",
)
@for_pages("GET", "POST")
@api_view(["GET", "POST"])
def duplicates(request: Request, record_id: str) -> Response:
    """Show rows that are equal as groups, or resolve them all in one step."""
    record = import_for(caller_of(request), record_id)
    if request.method == "GET":
        asked = parameters_of(request, DuplicatesIn)
        found = services.duplicates(
            record=record, by=asked["by"], offset=asked["cursor"], limit=asked["limit"]
        )
        return Response(asdict(found))
    body = ResolveIn(data=request.data)
    body.is_valid(raise_exception=True)
    asked = body.validated_data
    wanted: dict[str, Any] = {
        "record": record,
        "seen": asked["revision"],
        "by": asked["by"],
        "keep": asked["keep"],
    }
    if asked["preview"]:
        return Response(asdict(services.preview_duplicates(**wanted)))
    caller = caller_of(request)
    require(caller, *([EXCLUDE, FIX] if asked["keep"] == "merge" else [EXCLUDE]))
    changed = services.resolve_duplicates(**wanted, actor=caller.actor, at=clock.now())
    return Response(changed_shown(record, changed))
