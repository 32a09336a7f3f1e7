"""``links``: addresses of the engine where people without an account import a file."""

from typing import Any

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
from licensing.authentication import LicenseAuthentication, caller_of
from licensing.caller import Caller
from licensing.rights.checker import declares
from links import services
from links.selectors import link_of, links_of
from schemas.shapes.links import CreatedLinkOut, HostedLinkDetailOut, HostedLinkIn, HostedLinkOut


@extend_schema(
    methods=["GET"], responses={200: HostedLinkOut(many=True)}, operation_id="links_list"
)
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=HostedLinkIn,
    responses={201: CreatedLinkOut, **problems(400, 404, 409)},
    operation_id="links_create",
)
@declares(GET="links_list", POST="links_create")
@api_view(["GET", "POST"])
@authentication_classes([LicenseAuthentication])  # links are created with a license
def links(request: Request) -> Response:
    """List links, or create one."""
    if request.method == "POST":
        return _create(request)
    page = Page()
    items = page.paginate_queryset(links_of(caller_of(request).tenant), request)
    return page.get_paginated_response(HostedLinkOut(items, many=True).data)


def _create(request: Request) -> Response:
    body = HostedLinkIn(data=request.data)
    body.is_valid(raise_exception=True)

    def make() -> Response:
        caller = caller_of(request)
        wanted = _wanted(caller, body.validated_data)
        created = services.create_link(caller=caller, wanted=wanted, at=clock.now())
        link_id = created.link.public_id
        shown = HostedLinkOut(link_of(caller.tenant, link_id)).data
        shown |= {"url": request.build_absolute_uri(below(f"/i/{created.token}"))}
        shown |= {"code": created.code} if created.code else {}
        headers = {"Location": below(f"/api/import/v1/links/{link_id}")}
        return Response(shown, status=201, headers=headers)

    return once(request, make, hide={"url", "code"})


def _wanted(caller: Caller, params: dict[str, Any]) -> services.NewLink:
    page = dict(params["page"])
    logo = page.pop("logo", "")
    return services.NewLink(
        settings=session_settings(caller, params),
        page=page | {"hasLogo": bool(logo)},
        logo=logo,
        kind=params["kind"],
        most_imports=params["maxImports"],
        has_code=params["withCode"],
        expires_at=params.get("expiresAt"),
    )


@extend_schema(
    methods=["GET"],
    responses={200: HostedLinkDetailOut, **problems(404)},
    operation_id="links_read",
)
@extend_schema(
    methods=["DELETE"], responses={204: None, **problems(404)}, operation_id="links_revoke"
)
@declares(GET="links_read", DELETE="links_revoke")
@api_view(["GET", "DELETE"])
@authentication_classes([LicenseAuthentication])
def link(request: Request, link_id: str) -> Response:
    """Read a link and what came of it, or revoke it: its address opens no page any more."""
    caller = caller_of(request)
    wanted = link_of(caller.tenant, link_id)
    if request.method == "GET":
        return Response(HostedLinkDetailOut(wanted).data)
    services.revoke_link(link=wanted, actor=caller.actor, at=clock.now())
    return Response(status=204)
