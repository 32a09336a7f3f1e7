"""Small views that stand for the rest of the API."""

from django.urls import include, path
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from licensing.authentication import caller_of, for_pages, reading_post
from licensing.permissions import RequiresEntitlement


@for_pages("GET", "POST")
class Thing(APIView):
    def get(self, request: Request) -> Response:
        caller = caller_of(request)
        return Response({"tenant": caller.tenant.public_id, "actor": caller.actor.as_dict()})

    post = get


@reading_post
@api_view(["POST"])
def query(request: Request) -> Response:
    return Response({"rows": []})


class AgentOnly(Thing):
    permission_classes = (RequiresEntitlement("agentAccess"),)


class EditorOnly(Thing):
    permission_classes = (RequiresEntitlement("catalogEditor"),)


urlpatterns = [
    path("", include("importengine.urls")),
    path("api/thing", Thing.as_view()),
    path("api/query", query),
    path("api/agent-only", AgentOnly.as_view()),
    path("api/editor-only", EditorOnly.as_view()),
]
