"""``imports/{id}/results``: the rows of an applied import, for hosts without a webhook."""

from typing import Any

from django.http import HttpResponseBase, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request

from api.v1.http.whole import page_of
from changesets import results as changesets
from common import clock
from imports.inputs import source_mapping
from imports.selectors import import_for
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from schemas.parameters import parameters_of
from schemas.shapes.results import ResultsIn, ResultsOut

NDJSON = "application/x-ndjson"


@extend_schema(
    parameters=[ResultsIn],
    responses={(200, "application/json"): ResultsOut, (200, NDJSON): OpenApiTypes.STR},
)
@declares(GET="imports_results_retrieve")
@api_view(["GET"])
def results(request: Request, record_id: str) -> HttpResponseBase:
    """Return the applied rows, page by page or as a stream."""
    record = import_for(caller_of(request), record_id)
    changeset = changesets.changeset_of(record)
    params = parameters_of(request, ResultsIn)
    if params["stream"]:
        lines = changesets.stream(changeset=changeset, nested=params["nested"])
        return StreamingHttpResponse(lines, content_type=NDJSON)
    page = changesets.page(
        changeset=changeset,
        offset=params["cursor"],
        limit=params["limit"],
        nested=params["nested"],
    )
    return page_of(page.rows, _shown(page))


def _shown(page: changesets.ResultPage) -> dict[str, Any]:
    changeset = page.changeset
    return {
        "recordId": changeset.record.public_id,
        "changesetId": changeset.public_id,
        "rowCount": changeset.counts["imported"],
        "mapping": source_mapping(changeset.record),
        "occurredAt": clock.iso(changeset.occurred_at),
        "items": page.rows,
        "rowIssues": page.row_issues,
        **({} if page.unmapped is None else {"unmapped": page.unmapped}),
        "customOptions": page.custom_options,
        "customFields": changeset.record.shown_custom_fields,
        "next": None if page.next is None else str(page.next),
    }
