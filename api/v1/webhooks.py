"""Register the endpoints that receive deliveries. Spec: Resources > Webhook registration."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.idempotency import IDEMPOTENCY_KEY, forget, once
from api.v1.http.pages import Page
from common import clock
from common.http.addresses import below
from deliveries import selectors, services
from deliveries.models import Registration
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from schemas.shapes.webhooks import (
    DeliveryOut,
    RegistrationIn,
    RegistrationOut,
    RegistrationWithSecret,
    RotateIn,
    TestIn,
)

SHOWN_ONCE = ("signingSecret",)


@extend_schema(
    methods=["GET"],
    responses=RegistrationOut(many=True),
    operation_id="webhooks_list",
)
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=RegistrationIn,
    responses={201: RegistrationWithSecret},
    operation_id="webhooks_create",
)
@declares(GET="webhooks_list", POST="webhooks_create")
@api_view(["GET", "POST"])
def webhooks(request: Request) -> Response:
    """List the endpoints, or register one; its signing secret is shown this once."""
    if request.method == "POST":
        return _register(request)
    page = Page()
    mine = selectors.registrations_of(caller_of(request).tenant)
    items = page.paginate_queryset(mine, request) or []
    return page.get_paginated_response(RegistrationOut(items, many=True).data)


def _register(request: Request) -> Response:
    params = RegistrationIn(data=request.data)
    params.is_valid(raise_exception=True)

    def make() -> Response:
        tenant = caller_of(request).tenant
        by = caller_of(request).actor
        made = services.register(tenant=tenant, at=clock.now(), actor=by, **params.validated_data)
        headers = {"Location": _address(made.registration)}
        return Response(_with_secret(made), status=201, headers=headers)

    return once(request, make, hide=SHOWN_ONCE)


@extend_schema(methods=["GET"], responses=RegistrationOut, operation_id="webhooks_read")
@extend_schema(methods=["DELETE"], responses={204: None}, operation_id="webhooks_delete")
@declares(GET="webhooks_read", DELETE="webhooks_delete")
@api_view(["GET", "DELETE"])
def webhook(request: Request, webhook_id: str) -> Response:
    """Read an endpoint, or take it away: what waits for it is cancelled, the log stays."""
    registration = _mine(request, webhook_id)
    if request.method == "GET":
        return Response(RegistrationOut(registration).data)
    services.delete_registration(
        registration=registration, actor=caller_of(request).actor, at=clock.now()
    )
    forget(request, _address(registration))
    return Response(status=204)


@extend_schema(parameters=[IDEMPOTENCY_KEY], request=RotateIn, responses=RegistrationWithSecret)
@declares(POST="webhooks_rotate_create")
@api_view(["POST"])
def rotate(request: Request, webhook_id: str) -> Response:
    """Return a new signing secret, shown once; it signs from the next attempt on."""
    registration = _mine(request, webhook_id)
    params = RotateIn(data=request.data)
    params.is_valid(raise_exception=True)

    def make() -> Response:
        at = clock.now()
        by = caller_of(request).actor
        rotated = services.rotate(
            registration=registration, at=at, actor=by, **params.validated_data
        )
        return Response(_with_secret(rotated))

    return once(request, make, hide=SHOWN_ONCE)


@extend_schema(parameters=[IDEMPOTENCY_KEY], request=TestIn, responses={202: DeliveryOut})
@declares(POST="webhooks_test_create")
@api_view(["POST"])
def test(request: Request, webhook_id: str) -> Response:
    """Send a delivery without rows, marked ``test: true``, of a size on request."""
    registration = _mine(request, webhook_id)
    params = TestIn(data=request.data)
    params.is_valid(raise_exception=True)

    def make() -> Response:
        at = clock.now()
        delivery = services.send_test(registration=registration, at=at, **params.validated_data)
        headers = {"Location": below(f"/api/import/v1/deliveries/{delivery.public_id}")}
        return Response(DeliveryOut(delivery).data, status=202, headers=headers)

    return once(request, make)


def _address(registration: Registration) -> str:
    return below(f"/api/import/v1/webhooks/{registration.public_id}")


def _mine(request: Request, webhook_id: str) -> Registration:
    mine = selectors.registrations_of(caller_of(request).tenant)
    return get_object_or_404(mine, public_id=webhook_id)


def _with_secret(made: services.Secret) -> dict[str, Any]:
    return {**RegistrationOut(made.registration).data, "signingSecret": made.secret}
