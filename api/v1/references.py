"""``references``: the known entities that references of imports may mean. docs/references.md."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.pages import Page
from api.v1.shapes.references import (
    ForgottenOut,
    KnownFilters,
    KnownOut,
    UpsertedOut,
    UpsertIn,
    WhoseIn,
)
from common import clock
from common.errors import InvalidRequest
from licensing.authentication import caller_of
from references import selectors, services

MOST_NAME = 200  # characters of an entity's name


class ByRef(Page):
    """In the order of their refs."""

    ordering = "ref"


@extend_schema(
    methods=["GET"],
    parameters=[KnownFilters],
    responses=KnownOut(many=True),
    operation_id="references_list",
)
@extend_schema(
    methods=["PUT"],
    parameters=[WhoseIn],
    request=UpsertIn,
    responses=UpsertedOut,
    operation_id="references_upsert",
)
@extend_schema(
    methods=["DELETE"],
    parameters=[KnownFilters],
    responses={200: ForgottenOut},
    operation_id="references_delete",
)
@api_view(["GET", "PUT", "DELETE"])
def known(request: Request, entity: str) -> Response:
    """List, upsert in bulk, or delete known entities; without `ref`, DELETE forgets all."""
    if len(entity) > MOST_NAME:
        raise InvalidRequest(f"The name of an entity has at most {MOST_NAME} characters.")
    if request.method == "PUT":
        return _upsert(request, entity)
    asked = KnownFilters(data=_query(request))
    asked.is_valid(raise_exception=True)
    scope, refs = asked.validated_data["scope"], asked.validated_data["ref"]
    tenant = caller_of(request).tenant
    if request.method == "DELETE":
        deleted = services.delete(tenant=tenant, scope=scope, entity=entity, refs=refs)
        return Response({"deleted": deleted})
    mine = selectors.known_of(tenant, scope, entity)
    page = ByRef()
    found = page.paginate_queryset(mine if refs is None else mine.filter(ref__in=refs), request)
    return page.get_paginated_response(KnownOut(found or [], many=True).data)


def _upsert(request: Request, entity: str) -> Response:
    whose = WhoseIn(data=request.query_params.dict())
    whose.is_valid(raise_exception=True)
    asked = UpsertIn(data=request.data)
    asked.is_valid(raise_exception=True)
    items = [services.Item(**item) for item in asked.validated_data["items"]]
    _refuse_twins(items)
    done = services.upsert(
        tenant=caller_of(request).tenant,
        scope=whose.validated_data["scope"],
        entity=entity,
        items=items,
        at=clock.now(),
    )
    return Response(UpsertedOut(done).data)


def _refuse_twins(items: list[services.Item]) -> None:
    first: dict[str, int] = {}
    errors = [
        {"pointer": f"/items/{n}/ref", "detail": f"Item {first[item.ref]} has this ref too."}
        for n, item in enumerate(items)
        if first.setdefault(item.ref, n) != n
    ]
    if errors:
        raise InvalidRequest("A ref stands in the items twice.", errors=errors[:100])


def _query(request: Request) -> dict[str, Any]:
    refs = request.query_params.getlist("ref")
    rest = {name: request.query_params[name] for name in request.query_params if name == "scope"}
    return {**rest, **({"ref": refs} if refs else {})}
