"""Small views that represent the rest of the API."""

from django.urls import include, path
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from licensing.authentication import caller_of
from licensing.rights.checker import declares


@declares(GET="listCatalogs", POST="imports_create")
class Thing(APIView):
    def get(self, request: Request) -> Response:
        caller = caller_of(request)
        return Response({"tenant": caller.tenant.public_id, "actor": caller.actor.as_dict()})

    post = get


@declares(POST="imports_rows_query_create")
@api_view(["POST"])
def query(request: Request) -> Response:
    return Response({"rows": []})


@declares(GET="convertCatalog")
class EditorOnly(Thing):
    """What needs the entitlement catalogEditor of a key, and a permission of staff."""


urlpatterns = [
    path("", include("importengine.urls")),
    path("api/thing", Thing.as_view()),
    path("api/query", query),
    path("api/editor-only", EditorOnly.as_view()),
]
