"""``references``: the known entities that references in imports may name. docs/references.md."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.kept_rows import while_kept
from api.v1.http.pages import Page
from api.v1.http.whole import page_of
from common import clock
from common.errors import Conflict, InvalidRequest
from common.response_size import fitting
from common.wording.messages import Message
from imports.rows.references import resolved_references
from imports.selectors import import_for
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from references import selectors, services
from schemas.parameters import PAGE, parameters_of
from schemas.shapes.references import (
    ForgottenOut,
    KnownFilters,
    KnownNameOut,
    KnownOut,
    ResolvedIn,
    ResolvedOut,
    ResolvedPage,
    UpsertedOut,
    UpsertIn,
    WhoseIn,
)

MOST_NAME = 200  # characters of an entity's name


ENTITY = OpenApiParameter(
    "entity",
    {"type": "string", "minLength": 1, "maxLength": MOST_NAME},
    OpenApiParameter.PATH,
    description="The entity of the catalog's `reference`.",
)


class RepeatedRef(Conflict):
    """Two items have the same ref."""

    code = "repeated_ref"


class ByRef(Page):
    """A page ordered by ref."""

    ordering = "ref"


class ByName(Page):
    """A page ordered by name."""

    ordering = "entity"


@extend_schema(responses=KnownNameOut(many=True), operation_id="references_names")
@declares(GET="references_names")
@api_view(["GET"])
def names(request: Request) -> Response:
    """List the names under which entities are known, with counts; never their values."""
    page = ByName()
    items = page.paginate_queryset(selectors.names_of(caller_of(request).tenant), request)
    return page.get_paginated_response(KnownNameOut(items, many=True).data)


@extend_schema(
    methods=["GET"],
    parameters=[ENTITY, KnownFilters],
    responses=KnownOut(many=True),
    operation_id="references_list",
)
@extend_schema(
    methods=["PUT"],
    parameters=[ENTITY, WhoseIn],
    request=UpsertIn,
    responses=UpsertedOut,
    operation_id="references_upsert",
)
@extend_schema(
    methods=["DELETE"],
    parameters=[ENTITY, KnownFilters],
    responses={200: ForgottenOut},
    operation_id="references_delete",
)
@declares(GET="references_list", PUT="references_upsert", DELETE="references_delete")
@api_view(["GET", "PUT", "DELETE"])
def known(request: Request, entity: str) -> Response:
    """List, upsert in bulk, or delete known entities; without `ref`, DELETE forgets all."""
    if len(entity) > MOST_NAME:
        raise InvalidRequest("invalid_request.entity_name", most=MOST_NAME)
    if request.method == "PUT":
        return _upsert(request, entity)
    params = parameters_of(request, KnownFilters, beside=PAGE if request.method == "GET" else ())
    scope, refs = params["scope"], params["ref"]
    tenant = caller_of(request).tenant
    if request.method == "DELETE":
        deleted = services.delete(
            tenant=tenant,
            scope=scope,
            entity=entity,
            refs=refs,
            actor=caller_of(request).actor,
            at=clock.now(),
        )
        return Response({"deleted": deleted})
    mine = selectors.known_of(tenant, scope, entity)
    page = ByRef(KnownFilters)
    items = page.paginate_queryset(mine, request)
    return page.get_paginated_response(KnownOut(items, many=True).data)


def _upsert(request: Request, entity: str) -> Response:
    whose = parameters_of(request, WhoseIn)
    params = UpsertIn(data=request.data)
    params.is_valid(raise_exception=True)
    items = [services.Item(**item) for item in params.validated_data["items"]]
    _refuse_twins(items)
    done = services.upsert(
        tenant=caller_of(request).tenant,
        scope=whose["scope"],
        entity=entity,
        items=items,
        as_of=params.validated_data.get("as_of"),
        at=clock.now(),
    )
    return Response(UpsertedOut(done).data)


def _refuse_twins(items: list[services.Item]) -> None:
    first: dict[str, int] = {}
    errors = [
        {
            "pointer": f"/items/{n}/ref",
            "detail": Message("repeated_ref.item", first=first[item.ref]),
        }
        for n, item in enumerate(items)
        if first.setdefault(item.ref, n) != n
    ]
    if errors:
        raise RepeatedRef(errors=errors[:100])


@extend_schema(parameters=[ResolvedIn], responses=ResolvedPage, operation_id="imports_references")
@declares(GET="imports_references")
@api_view(["GET"])
@while_kept
def resolved(request: Request, record_id: str) -> Response:
    """Say what each text of the referring fields means, and how many rows hold it."""
    caller = caller_of(request)
    record = import_for(caller, record_id)
    params = parameters_of(request, ResolvedIn)
    texts = resolved_references(record, field=params["field"], sees_scopes=not caller.is_page)
    page = texts[params["cursor"] : params["cursor"] + params["limit"]]
    items = fitting(ResolvedOut(page, many=True).data)
    after = params["cursor"] + len(items)
    return page_of(
        items,
        {
            "items": items,
            "total": len(texts),
            "next": str(after) if after < len(texts) else None,
        },
    )
