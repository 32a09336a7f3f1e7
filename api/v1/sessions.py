"""``sessions``: short-lived tokens that define what one page may do."""

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, authentication_classes
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.idempotency import IDEMPOTENCY_KEY, once
from api.v1.http.pages import Page
from api.v1.http.problem import problems
from common import clock
from common.http.addresses import below
from imports.customization import session_settings
from licensing import sessions as service
from licensing.authentication import LicenseAuthentication, caller_of
from licensing.rights.checker import declares
from schemas.shapes.sessions import OpenedSessionOut, SessionIn, SessionOut


@extend_schema(
    methods=["GET"], responses={200: SessionOut(many=True)}, operation_id="sessions_list"
)
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=SessionIn,
    responses={201: OpenedSessionOut, **problems(400, 404, 409)},
    operation_id="sessions_create",
)
@declares(GET="sessions_list", POST="sessions_create")
@api_view(["GET", "POST"])
@authentication_classes([LicenseAuthentication])  # sessions are created with a license
def sessions(request: Request) -> Response:
    """List sessions, or open one."""
    if request.method == "POST":
        return _open(request)
    page = Page()
    items = page.paginate_queryset(service.sessions_of(caller_of(request).tenant), request)
    return page.get_paginated_response(SessionOut(items, many=True).data)


def _open(request: Request) -> Response:
    body = SessionIn(data=request.data)
    body.is_valid(raise_exception=True)

    def make() -> Response:
        caller = caller_of(request)
        wanted = session_settings(caller, body.validated_data)
        opened = service.open_session(caller=caller, wanted=wanted, at=clock.now())
        shown = SessionOut(opened.session).data | {"token": opened.token}
        headers = {"Location": below(f"/api/import/v1/sessions/{opened.session.public_id}")}
        return Response(shown, status=201, headers=headers)

    return once(request, make, hide={"token"})


@extend_schema(
    methods=["GET"], responses={200: SessionOut, **problems(404)}, operation_id="sessions_read"
)
@extend_schema(
    methods=["DELETE"], responses={204: None, **problems(404)}, operation_id="sessions_end"
)
@declares(GET="sessions_read", DELETE="sessions_end")
@api_view(["GET", "DELETE"])
@authentication_classes([LicenseAuthentication])
def session(request: Request, session_id: str) -> Response:
    """Read a session, or end it: its token is not accepted any more."""
    page_session = service.session_of(caller_of(request).tenant, session_id)
    if request.method == "GET":
        return Response(SessionOut(page_session).data)
    service.end_session(session=page_session, actor=caller_of(request).actor, at=clock.now())
    return Response(status=204)
