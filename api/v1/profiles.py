"""``profiles``: saved mappings."""

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.pages import Page
from api.v1.http.problem import problems
from imports import services
from imports.selectors import profile_of, profiles_of
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from schemas.shapes.review.questions import ProfileOut, ProfileSummary


@extend_schema(responses=ProfileSummary(many=True), operation_id="profiles_list")
@declares(GET="profiles_list")
@api_view(["GET"])
def profiles(request: Request) -> Response:
    """List the remembered mappings, newest first."""
    page = Page()
    items = page.paginate_queryset(profiles_of(caller_of(request).tenant), request)
    return page.get_paginated_response(ProfileSummary(items, many=True).data)


@extend_schema(
    methods=["GET"],
    responses={200: ProfileOut, **problems(404)},
    operation_id="profiles_read",
)
@extend_schema(methods=["DELETE"], responses={204: None}, operation_id="profiles_delete")
@declares(GET="profiles_read", DELETE="profiles_delete")
@api_view(["GET", "DELETE"])
def profile(request: Request, profile_id: str) -> Response:
    """Read a remembered mapping, or forget it."""
    saved = profile_of(caller_of(request).tenant, profile_id)
    if request.method == "GET":
        return Response(ProfileOut(saved).data)
    services.delete_profile(profile=saved)
    return Response(status=204)
