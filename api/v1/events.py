"""``events``: the audit log of a tenant. docs/events.md."""

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.pages import Page
from common.models import Event
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from schemas.shapes.events import AuditEventOut, EventFilters


@extend_schema(
    parameters=[EventFilters],
    responses=AuditEventOut(many=True),
    operation_id="events_list",
)
@declares(GET="events_list")
@api_view(["GET"])
def events(request: Request) -> Response:
    """List who did what, newest first, narrowed by kind, import, time and actor."""
    page = Page(EventFilters)
    mine = Event.objects.filter(tenant=caller_of(request).tenant.public_id)
    items = page.paginate_queryset(mine, request)
    return page.get_paginated_response(AuditEventOut(items, many=True).data)
