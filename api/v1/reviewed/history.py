"""``imports/{recordId}/history``: who did what."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.whole import page_of
from common.http.language import localized
from common.response_size import fitting
from imports.history import Event, history_of, without_texts
from imports.selectors import import_for
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from schemas.moments import MomentField
from schemas.parameters import QueryIn, parameters_of
from schemas.shapes.targets.catalogs import ActorOut


class EventOut(serializers.Serializer[Any]):
    """One thing that happened to an import."""

    at = MomentField()
    actor = ActorOut()
    what = serializers.ChoiceField(choices=["moved", "changed", "answered"])
    about = serializers.DictField(child=serializers.JSONField())

    def to_representation(self, instance: Event) -> dict[str, Any]:
        """Return the event, its reason in the request's language; typed text stays unchanged."""
        shown: dict[str, Any] = super().to_representation(instance)
        if instance.what == "moved":
            shown["about"]["reason"] = localized(shown["about"]["reason"])
        return shown


class HistoryIn(QueryIn):
    """Which page."""

    cursor = serializers.IntegerField(min_value=0, max_value=10**9, default=0)
    limit = serializers.IntegerField(min_value=1, max_value=500, default=50)


@extend_schema(
    parameters=[HistoryIn], responses=EventOut(many=True), operation_id="imports_history"
)
@declares(GET="imports_history")
@api_view(["GET"])
def history(request: Request, record_id: str) -> Response:
    """List who did what to an import, first thing first; it outlives the rows."""
    caller = caller_of(request)
    record = import_for(caller, record_id)
    params = parameters_of(request, HistoryIn)
    offset, limit = params["cursor"], params["limit"]
    events = history_of(record, offset=offset, limit=limit + 1)
    if not caller.sees_cells:
        events = [without_texts(event) for event in events]
    items = fitting(EventOut(events[:limit], many=True).data)
    more = str(offset + len(items)) if len(events) > len(items) else None
    return page_of(items, {"items": items, "next": more})
