"""The delivery audit log. Spec: Events > Delivery and retry."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.idempotency import IDEMPOTENCY_KEY, once
from api.v1.http.pages import Page
from common import clock
from deliveries import selectors, services
from deliveries.models import Delivery
from imports.selectors import imports_for
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from schemas.shapes.webhooks import (
    DeliveryFilters,
    DeliveryForPage,
    DeliveryOut,
    DeliveryWithAttempts,
    RedeliverIn,
    ResendIn,
)


@extend_schema(
    parameters=[DeliveryFilters],
    responses=DeliveryOut(many=True),
    operation_id="deliveries_list",
)
@declares(GET="deliveries_list")
@api_view(["GET"])
def deliveries(request: Request) -> Response:
    """List deliveries, newest first, narrowed by any of the filters."""
    page = Page(DeliveryFilters)
    mine = selectors.all_deliveries_of(caller_of(request).tenant)
    items = page.paginate_queryset(mine, request)
    return page.get_paginated_response(DeliveryOut(items, many=True).data)


@extend_schema(responses=DeliveryWithAttempts, operation_id="deliveries_read")
@declares(GET="deliveries_read")
@api_view(["GET"])
def delivery(request: Request, delivery_id: str) -> Response:
    """Read a delivery with its attempts; a page is not told where it went."""
    registration = _mine(request, delivery_id)
    shape = DeliveryForPage if caller_of(request).is_page else DeliveryWithAttempts
    return Response(shape(registration).data)


@extend_schema(request=RedeliverIn, responses={202: DeliveryOut})
@declares(POST="deliveries_redeliver_create")
@api_view(["POST"])
def redeliver(request: Request, delivery_id: str) -> Response:
    """Send a delivery again, with the same id and the same bytes."""
    delivery = _mine(request, delivery_id)
    params = RedeliverIn(data=request.data)
    params.is_valid(raise_exception=True)
    sent = services.redeliver(
        delivery=delivery,
        actor=caller_of(request).actor,
        at=clock.now(),
        send_reverted="reverted" in params.validated_data,
    )
    return Response(DeliveryOut(sent).data, status=202)


@extend_schema(
    parameters=[IDEMPOTENCY_KEY],
    request=ResendIn,
    responses={202: DeliveryOut(many=True)},
    operation_id="deliveries_resend",
)
@declares(POST="deliveries_resend")
@api_view(["POST"])
def resend(request: Request, delivery_id: str) -> Response:
    """Send the rows of a delivery that was too large as several smaller ones."""
    delivery = _mine(request, delivery_id)
    params = ResendIn(data=request.data)
    params.is_valid(raise_exception=True)

    def make() -> Response:
        parts = services.resend_in_parts(
            delivery=delivery,
            max_rows=params.validated_data["maxRowsPerDelivery"],
            actor=caller_of(request).actor,
            at=clock.now(),
            send_reverted="reverted" in params.validated_data,
        )
        return Response({"items": DeliveryOut(parts, many=True).data, "next": None}, status=202)

    return once(request, make)


def _mine(request: Request, delivery_id: str) -> Delivery:
    caller = caller_of(request)
    mine = selectors.all_deliveries_of(caller.tenant).prefetch_related("history")
    if caller.is_page:
        mine = mine.filter(record_id__in=imports_for(caller).values("public_id"))
    return get_object_or_404(mine, public_id=delivery_id)
