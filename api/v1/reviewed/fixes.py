"""``issues/fixes`` and ``duplicates``: bulk changes with a preview."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.kept_rows import while_kept
from api.v1.reviewed.rows import BY_WORKER, changed_in_bulk
from common.response_size import fitting, shortened
from imports import services
from imports.customization import read_only_fields
from imports.selectors import import_for
from licensing.authentication import caller_of
from licensing.rights.checker import declares, require
from licensing.rights.model import EXCLUDE, FIX
from schemas.parameters import parameters_of
from schemas.shapes.review.fixes import (
    DuplicatesIn,
    DuplicatesOut,
    IssueFixesOut,
    ResolveIn,
    ResolvePreviewOut,
)
from schemas.shapes.review.rows import ChangedOut
from staging.duplicates.grouping import THRESHOLD, Grouping
from staging.duplicates.resolving import Keeping
from staging.edits.fixes import Offer, offers

LONGEST_EXAMPLE = 2_000  # characters of a cell


@extend_schema(responses=IssueFixesOut, operation_id="imports_issues_fixes")
@declares(GET="imports_issues_fixes")
@api_view(["GET"])
@while_kept
def fixes(request: Request, record_id: str) -> Response:
    """List for each group of issues the fixes that would help, with three examples."""
    record = import_for(caller_of(request), record_id)
    table = services.rows_of(record)
    groups = fitting(
        {**asdict(offer.group), "fixes": _shown(offer.fixes)}
        for offer in offers(table, read_only_fields(record))
    )
    return Response({"revision": table.revision.number, "groups": groups})


def _shown(fixes: Iterable[Offer]) -> list[dict[str, Any]]:
    return [
        {**asdict(fix), "examples": shortened(asdict(fix)["examples"], LONGEST_EXAMPLE)}
        for fix in fixes
    ]


@extend_schema(
    methods=["GET"],
    description="Show the rows that are equal in the fields of a `unique` rule, in chosen fields "
    "or in all, or whose texts are similar.",
    parameters=[DuplicatesIn],
    responses=DuplicatesOut,
    operation_id="imports_duplicates",
)
@extend_schema(
    methods=["POST"],
    description="Keep one row of each group or of one group, merged with the others if asked, or "
    "keep all rows and show the group no more. One step for undo.",
    request=ResolveIn,
    responses={
        200: PolymorphicProxySerializer(
            component_name="ResolvedOrPreview",
            serializers=[ChangedOut, ResolvePreviewOut],
            resource_type_field_name=None,
        ),
        202: BY_WORKER,
    },
    operation_id="imports_duplicates_resolve",
)
@declares(GET="imports_duplicates", POST="imports_duplicates_resolve")
@api_view(["GET", "POST"])
@while_kept
def duplicates(request: Request, record_id: str) -> Response:
    """Show duplicate rows as groups, or resolve some or all of them in one step."""
    record = import_for(caller_of(request), record_id)
    if request.method == "GET":
        params = parameters_of(request, DuplicatesIn)
        groups = services.duplicates(
            record=record,
            grouping=_grouping(params),
            offset=params["cursor"],
            limit=params["limit"],
            samples=params["samples"],
        )
        items = fitting(shortened(groups.items, LONGEST_EXAMPLE))
        after = (
            str(params["cursor"] + len(items)) if len(items) < len(groups.items) else groups.next
        )
        return Response({**asdict(groups), "items": items, "next": after})
    body = ResolveIn(data=request.data)
    body.is_valid(raise_exception=True)
    params = body.validated_data
    wish = services.ResolveDuplicates(params["revision"], _grouping(params), _keeping(params))
    if params["preview"]:
        return Response(asdict(services.preview_duplicates(record=record, wish=wish)))
    rights = [EXCLUDE, FIX] if params["keep"] == "merge" else [EXCLUDE]
    require(caller_of(request), *rights)
    return changed_in_bulk(request, record, wish)


def _grouping(params: dict[str, Any]) -> Grouping:
    is_near = params["by"] == "near"
    return Grouping(
        by=params["by"],
        fields=() if params["by"] == "all" else tuple(dict.fromkeys(params["fields"])),
        threshold=params["threshold"] if is_near else THRESHOLD,
    )


def _keeping(params: dict[str, Any]) -> Keeping:
    return Keeping(
        keep=params["keep"],
        newest_by=params.get("newestBy"),
        merge=params["merge"],
        group=tuple(params["group"]),
    )
